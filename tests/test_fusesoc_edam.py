# SPDX-License-Identifier: Apache-2.0
"""What GA2's flows make of FuseSoC's description of a run; no tool is started."""

from pathlib import Path
from typing import Any

import pytest

from ga2.fusesoc.edam import bench_environment, choose_tool, configure_parameters, module_folder, move


def edam(config: str = "", tool: str = "icarus", **parameters: int | None) -> dict[str, Any]:
    return {
        "flow_options": {"tool": tool, **({"config": config} if config else {})},
        "parameters": {name: {"paramtype": "vlogparam", "default": value} for name, value in parameters.items()},
        "files": [{"name": "src/core/rtl/a.sv"}, {"name": "src/core/bench/unit/x.py"}, {"name": "/far/bench/y.py"}],
    }


def values(description: dict[str, Any]) -> dict[str, int | None]:
    return {name: entry["default"] for name, entry in description["parameters"].items()}


def test_a_configuration_fills_what_has_no_value() -> None:
    made = edam("wide", ROWS=None, COLS=None, BUS_BYTES=2, DEPTH=None)
    assert configure_parameters(made) == "wide"
    assert values(made) == {"ROWS": 4, "COLS": 8, "BUS_BYTES": 2, "DEPTH": None}
    assert bench_environment(made) == {"GA2_CONFIG": "wide", "GA2_ROWS": "4", "GA2_COLS": "8", "GA2_BUS_BYTES": "2"}


def test_a_plusarg_is_no_field_of_the_configuration() -> None:
    made = edam("wide")
    made["parameters"]["COLS"] = {"paramtype": "plusarg", "default": None}
    configure_parameters(made)
    assert values(made) == {"COLS": None} and bench_environment(made) == {"GA2_CONFIG": "wide"}


def test_without_a_configuration_nothing_changes() -> None:
    made = edam("", COLS=None)
    assert configure_parameters(made) == "" and values(made) == {"COLS": None} and bench_environment(made) == {}


def test_an_unknown_configuration_is_one_line() -> None:
    with pytest.raises(RuntimeError, match="^unknown configuration 'huge': choose one of nano, .*base$"):
        configure_parameters(edam("huge"))


def test_the_tool_counts_on_either_side_of_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ga2.sim.tools._version", lambda sim, path: sim)
    assert choose_tool(edam(tool="icarus")) == "icarus"
    before = edam(tool="icarus") | {"tool_options": {"verilator": {}}}
    assert choose_tool(before) == before["flow_options"]["tool"] == "verilator"
    with pytest.raises(RuntimeError, match="^unknown tool 'xsim': choose one of icarus, verilator$"):
        choose_tool(edam(tool="xsim"))
    with pytest.raises(RuntimeError, match="^unknown tool 'icarus': choose one of verilator$"):
        choose_tool(edam(tool="icarus"), ["verilator"])


def test_files_stay_the_same_files_in_another_folder(tmp_path: Path) -> None:
    made = edam()
    move(made, tmp_path, tmp_path / "icarus-wide")
    names = [file["name"] for file in made["files"]]
    assert names == ["../src/core/rtl/a.sv", "../src/core/bench/unit/x.py", "/far/bench/y.py"]


@pytest.mark.parametrize(
    ("module", "root"),
    [("bench.unit.x", "src/core"), ("x", "src/core/bench/unit"), ("bench.y", "/far"), ("unit.y", None), ("it.x", None)],
)
def test_a_bench_is_imported_from_where_its_file_is(module: str, root: str | None, tmp_path: Path) -> None:
    assert module_folder(edam(), module, tmp_path) == ([] if root is None else [tmp_path / root])
