# SPDX-License-Identifier: Apache-2.0
"""The table at the end of a run of the benches."""

import subprocess
import sys
from pathlib import Path

from verif.summary import ANY, render, reproduce, suite_of, tabulate

CORE = "verif/core/test_stalls.py::test_stalls[icarus-wide]"
TESTS = [
    ("passed", "verif/unit/fifo/test_fifo.py::test_fifo[icarus-2]", {"sim": "icarus"}),
    ("passed", CORE.replace("wide", "nano"), {"sim": "icarus", "config": "nano"}),
    ("failed", CORE, {"sim": "icarus", "config": "wide"}),
    ("error", CORE, {"sim": "icarus", "config": "wide"}),
    ("skipped", CORE, {"sim": "icarus", "config": "wide"}),
    ("passed", "tests/test_spec.py::test_a", {}),
]


def test_every_outcome_is_counted_where_it_belongs() -> None:
    rows = tabulate(TESTS)
    assert set(rows) == {("unit", "icarus"), ("core", "icarus")}
    assert set(rows["unit", "icarus"]) == {ANY}
    assert rows["core", "icarus"]["wide"].outcomes == {"failed": 1, "error": 1, "skipped": 1}


def test_failures_come_first_and_an_absent_configuration_has_no_column() -> None:
    text = render(tabulate(TESTS), ("nano", "wide", "base"), 100)
    assert "2 failed, 1 skipped" in text and "1 passed" in text
    assert "wide" in text and "base" not in text
    assert text.index("unit") < text.index("core")


def test_a_failure_names_the_command_that_repeats_it() -> None:
    assert reproduce(CORE).endswith(f"'{CORE}'")
    assert suite_of(CORE) == "core"
    assert suite_of("tests/test_spec.py::test_a") is None


def test_a_parameter_that_is_no_name_stays_out_of_the_report(tmp_path: Path) -> None:
    """Software tests run beside the benches, in worker processes: what their reports carry must go through a pipe."""
    test = tmp_path / "test_object.py"
    test.write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('config', [object()], ids=['nano'])\n"
        "@pytest.mark.parametrize('sim', ['icarus'])\n"
        "def test_object(config, sim): pass\n"
    )
    benches = Path(__file__).parents[1] / "verif" / "conftest.py"
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider", "-c", "/dev/null"]
    run = subprocess.run(
        [*command, "--rootdir", str(tmp_path), "--import-mode=importlib", str(test), str(benches)],
        cwd=benches.parents[1], capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0 and "1 passed" in run.stdout, run.stdout + run.stderr
