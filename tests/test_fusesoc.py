# SPDX-License-Identifier: Apache-2.0
"""`fusesoc run` on GA2 and on a user's core: what passes says so, and whatever is not a passed test fails."""

from pathlib import Path

import pytest

from ga2.sim import SIMULATORS
from tests.fusesoc_core import CORE, USER, fusesoc, write_user_core

pytestmark = pytest.mark.simulation
both = pytest.mark.parametrize("sim", SIMULATORS)


def test_lint_of_a_configuration(tmp_path: Path) -> None:
    done = fusesoc(tmp_path, "lint", CORE, "--config=wide")
    assert (done.code, done.last) == (0, "lint: ga2_top (wide): passed"), done.output
    (files,) = tmp_path.glob("build/*/lint/wide/*.vc")
    assert "-GCOLS=8\n" in files.read_text()


@both
def test_a_unit_bench(sim: str, tmp_path: Path) -> None:
    done = fusesoc(tmp_path, "sim_fifo", CORE, f"--tool={sim}", "--DEPTH=5")
    assert done.code == 0, done.output
    assert done.last == f"verif.unit.fifo.fifo_bench on ga2_fifo (nano, {sim}): 1 test passed"


def test_one_verified_block(tmp_path: Path) -> None:
    done = fusesoc(tmp_path, "sim_verify_block", CORE, "--tool=icarus", "--k=1", "--cache=2")
    assert done.code == 0, done.output
    assert "1 of 1 guesses accepted" in done.output and "0 of 1 guesses accepted" in done.output


@both
def test_a_users_bench_is_judged_by_its_results(sim: str, tmp_path: Path) -> None:
    root = write_user_core(tmp_path)
    done = fusesoc(root, "sim", USER, f"--tool={sim}")
    assert (done.code, done.last) == (0, f"bench.passing on queue (wide, {sim}): 1 test passed"), done.output
    for bench, problem in {
        "failing": "failed: never",
        "empty": "the simulation ended without results",
        "silent": "the simulation ended without results",
        "absent": "the simulation ended without results",
    }.items():
        done = fusesoc(root, "sim", USER, f"--tool={sim}", f"--cocotb_module=bench.{bench}")
        assert done.code == 1, f"{bench} passed:\n{done.output}"
        assert f"bench.{bench} on queue (wide, {sim}): {problem}" in done.last, done.output
    done = fusesoc(root, "sim", USER, f"--tool={sim}", env={"COCOTB_TEST_FILTER": "no_such_test"})
    assert done.code == 1 and "no test ran" in done.last, done.output


@both
def test_a_build_that_fails(sim: str, tmp_path: Path) -> None:
    done = fusesoc(write_user_core(tmp_path), "sim_broken", USER, f"--tool={sim}")
    assert done.code == 1, done.output
    assert "Failed to build example:user:queue:1.0.0" in done.last and "broken.sv:1" in done.output
    assert not list(tmp_path.glob("build/**/results.xml"))


def test_a_users_core_is_linted(tmp_path: Path) -> None:
    root = write_user_core(tmp_path)
    done = fusesoc(root, "lint", USER, "--config=base")
    assert (done.code, done.last) == (0, "lint: queue (base): passed"), done.output
    source = root / "rtl" / "queue.sv"
    source.write_text(source.read_text().replace("endmodule", "  logic forgotten;\nendmodule"))
    done = fusesoc(root, "lint", USER)
    assert done.code == 1 and "UNUSEDSIGNAL" in done.output, done.output


@pytest.mark.parametrize(
    ("target", "option", "message"),
    [
        ("lint", "--config=huge", "unknown configuration 'huge': choose one of nano, wide, small, base"),
        ("sim_fifo", "--config=huge", "unknown configuration 'huge': choose one of nano, wide, small, base"),
        ("sim_fifo", "--tool=modelsim", "unknown tool 'modelsim': choose one of icarus, verilator"),
        ("lint", "--tool=icarus", "unknown tool 'icarus': choose one of verilator"),
        ("sim_nothing", "--tool=icarus", "'ga2:core:ga2:0.1.0' has no target 'sim_nothing'"),
    ],
)
def test_a_wrong_name_is_one_clear_line(target: str, option: str, message: str, tmp_path: Path) -> None:
    done = fusesoc(tmp_path, target, CORE, option)
    assert done.code == 1 and message in done.last, done.output
    assert not list(tmp_path.glob("build/**/Makefile"))


def test_a_missing_simulator_is_one_clear_line(tmp_path: Path) -> None:
    done = fusesoc(tmp_path, "sim_fifo", CORE, "--tool=icarus", env={"PATH": str(tmp_path)})
    assert done.code == 1, done.output
    assert "iverilog not found in PATH" in done.last and "make setup" in done.last
