# SPDX-License-Identifier: Apache-2.0
"""What `ga2 generate` writes into fusesoc.core follows the folders, and `ga2 fusesoc` runs all of it."""

import re

import pytest
import yaml

from ga2.fusesoc import core_file
from ga2.fusesoc.every import jobs, targets
from ga2.sim import SIMULATORS
from ga2.sim.sources import CORE_FILE, ROOT


def test_every_folder_of_unit_benches_has_a_target() -> None:
    folders = {path.parent.name for path in (ROOT / "verif" / "unit").glob("*/test_*.py")}
    assert {f"sim_{name}" for name in folders} | {"lint", "sim", "sim_verify_block"} <= set(targets())
    assert len(folders) == len(core_file.units()) > 0


@pytest.mark.parametrize("unit", core_file.units())
def test_a_unit_target_names_files_and_parameters_that_exist(unit: str) -> None:
    core = yaml.safe_load(CORE_FILE.read_text())
    target = core["targets"][f"sim_{unit}"]
    files = [name for fileset in target["filesets"] for name in core["filesets"][fileset]["files"]]
    top = core_file.unit_top(unit)
    assert target["toplevel"] == top.stem and str(top.relative_to(ROOT)) in files
    assert target["flow_options"]["cocotb_module"].replace(".", "/") + ".py" in files
    names = [parameter.partition("=")[0] for parameter in target["parameters"]]
    assert names == re.findall(r"parameter int (\w+)", top.read_text())
    assert set(names) <= set(core["parameters"])


def test_parameters_are_read_from_a_module() -> None:
    source = """module m #(
      parameter int A = 4,   // of what
      parameter int B_C = 16 // last
    ) ();"""
    assert core_file.parameters(source) == {"A": 4, "B_C": 16}


def test_every_target_is_run_in_every_simulator() -> None:
    calls = jobs("wide")
    assert {(job.target, job.tool) for job in calls if job.tool} == {
        (name, sim) for name, simulates in targets().items() if simulates for sim in SIMULATORS
    }
    assert {job.target for job in calls} == set(targets())
    assert all("--config=wide" in job.arguments for job in calls)
    assert len({job.log for job in calls}) == len(calls)
    assert [job.target for job in jobs("nano", ["sim_fifo"], ["icarus"])] == ["sim_fifo"]
    with pytest.raises(ValueError, match="unknown target 'sim_x': choose from lint, "):
        jobs("nano", ["sim_x"])
