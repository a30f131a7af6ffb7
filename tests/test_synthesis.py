# SPDX-License-Identifier: Apache-2.0
"""Synthesis: what is read from the tools' reports, when the record is out of date, and one small module all the way."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ga2.sim import BuildError, ToolMissing
from ga2.synth import child, flow, tables
from ga2.synth.critical import describe
from ga2.synth.design import Design, core
from ga2.synth.flow import gates, measure, read_generic
from ga2.synth.measured import CriticalPath, Measurement, load, outdated, save
from ga2.synth.netlist import CELL_TYPES, Netlist
from ga2.synth.nextpnr import _progress, hopeless, read_report

FIFO = Design("ga2_fifo", (("WIDTH", 8), ("DEPTH", 8)))


def _report(**changes: Any) -> str:
    def step(kind: str, delay: float, source: str, target: str) -> dict[str, Any]:
        return {"type": kind, "delay": delay, "from": {"cell": source}, "to": {"cell": target}}

    path = [
        step("clk-to-q", 0.5, "count_q[1]\\TRELLIS_FF", "count_q[1]\\TRELLIS_FF"),
        step("routing", 0.75, "count_q[1]\\TRELLIS_FF", "lut"),
        step("logic", 0.25, "lut", "lut"),
        step("routing", 1.5, "lut", "tail_q[0]\\TRELLIS_FF"),
        step("setup", 0.1, "tail_q[0]\\TRELLIS_FF", "tail_q[0]\\TRELLIS_FF"),
    ]
    report = {
        "fmax": {"clk": {"achieved": 322.5, "constraint": 80.0}},
        "critical_paths": [{"from": "<async>", "to": "posedge clk", "path": path[:1]},
                           {"from": "posedge clk", "to": "posedge clk", "path": path}],
        "utilization": {"TRELLIS_COMB": {"used": 12, "available": 83640}, "DCUA": {"used": 0, "available": 2}},
    }
    return json.dumps(report | changes)


def _cell(kind: str, **bits: tuple[str, list[int]]) -> dict[str, Any]:
    return {
        "type": kind,
        "port_directions": {port: direction for port, (direction, _) in bits.items()},
        "connections": {port: list(nets) for port, (_, nets) in bits.items()},
    }


def _netlist() -> Netlist:
    """The core's wrapper with a register in the requantiser, one at the top, and two unnamed tables between them."""
    register = "u_core.u_backend.u_mm.u_drain.gen_lane[0].u_requant.half_q\\TRELLIS_FF"
    module = {
        "cells": {
            register: _cell("TRELLIS_FF", DI=("input", [5]), Q=("output", [2])),
            "in_q\\TRELLIS_FF": _cell("TRELLIS_FF", DI=("input", [9]), Q=("output", [3])),
            "$near": _cell("LUT4", A=("input", [4]), Z=("output", [5])),
            "$far": _cell("LUT4", A=("input", [3]), Z=("output", [4])),
            "u_core.u_imem.mem_q.0.1": _cell("DP16KD", DO=("output", [7])),
        },
        "netnames": {},
    }
    return Netlist(module, core("nano"))


def test_a_report_gives_clock_path_and_sites() -> None:
    routed = read_report(_report(), seed=4)
    assert (routed.seed, routed.fmax_mhz, routed.used) == (4, 322.5, {"TRELLIS_COMB": 12})
    assert [step.kind for step in routed.path] == ["clk-to-q", "routing", "logic", "routing", "setup"]


@pytest.mark.parametrize("changes", [{"fmax": {}}, {"critical_paths": []}])
def test_a_report_without_clock_or_path_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="1 expected"):
        read_report(_report(**changes), seed=1)


@pytest.mark.parametrize(
    ("placing", "routing"),
    [
        ("Info:     at iteration #3, type ALL: wirelen solved = 1\n",
         ["Info: Routing 4000 arcs.\n", "Info:       1000 |      200       800 |  200   800 |      3000|  0.5 1.0|\n"]),
        ("Info: iter=120 steplen=0.7 a=224.3 penalty=[2.88, 2.88, 2.88, 2.88]\n",
         [f"Info:     iter={n} wires=600000 overused={left} archfail=NA\n" for n, left in ((1, 5000), (2, 9))]),
    ],
)
def test_progress_grows_through_placement_and_routing(placing: str, routing: list[str]) -> None:
    stages = [_progress(text) for text in ("", placing, placing + routing[0], placing + "".join(routing))]
    assert stages == sorted(set(stages)) and 0 == stages[0] and stages[-1] < 1


def test_a_router_that_stands_still_is_given_up() -> None:
    falling = [40_000 // (n + 1) for n in range(60)]
    assert not hopeless(falling)
    assert not hopeless([*falling, *[falling[-1] + 1] * 29])
    assert hopeless([*falling, *[falling[-1] + 1] * 30])
    assert hopeless([*falling, *[falling[-1]] * 30]), "not a wire less is no progress"
    assert not hopeless([*falling, *[falling[-1] + 1] * 30, falling[-1] - 1])


def test_cells_belong_to_the_nearest_named_signal_they_drive() -> None:
    netlist = _netlist()
    requant = "u_core.u_backend.u_mm.u_drain.u_requant"
    assert netlist.design.module_of("u_core.u_backend.u_mm.u_drain.gen_lane[0].u_requant.half_q")[1] == "ga2_requant"
    assert netlist.owner["$near"] == netlist.owner["$far"] == requant.replace("u_requant", "gen_lane[0].u_requant")
    assert netlist.totals() == dict.fromkeys(CELL_TYPES, 0) | {"LUT4": 2, "TRELLIS_FF": 1, "DP16KD": 1}
    assert list(netlist.by_module()) == ["ga2_requant", "ga2_ram_1r1w"]


def test_a_path_is_told_in_the_names_of_the_design() -> None:
    text = _report().replace("count_q[1]", "in_q").replace("lut", "$far")
    text = text.replace("tail_q[0]", "u_core.u_backend.u_mm.u_drain.gen_lane[0].u_requant.half_q")
    path = describe(read_report(text, 1), _netlist())
    assert (path.start, path.start_module) == ("in_q", "ga2_ecp5")
    assert (path.end.rpartition(".")[2], path.end_module) == ("half_q", "ga2_requant")
    assert (path.through, path.levels) == (("ga2_requant",), 1)
    assert (path.delay_ns, path.logic_ns, path.routing_ns) == (3.1, 0.85, 2.25)


def _measurement(digest: str) -> Measurement:
    path = CriticalPath(start="a_q", start_module="ga2_top", end="b_q", end_module="ga2_top", through=(), delay_ns=10,
                        logic_ns=4, routing_ns=6, levels=3)
    cells = dict.fromkeys(CELL_TYPES, 5)
    return Measurement(digest=digest, device="d", tools={"t": "1"}, fmax_mhz={"1": 60.0, "2": 70.0, "3": 65.0},
                       cells=cells, modules={"ga2_top": cells}, used={}, path=path)


def test_the_record_keeps_other_configurations(tmp_path: Path) -> None:
    path = tmp_path / "new" / "synthesis.json"
    assert load(path) == {}
    save("nano", _measurement("x"), path)
    save("wide", _measurement("y"), path)
    assert {name: entry.digest for name, entry in load(path).items()} == {"nano": "x", "wide": "y"}
    assert (load(path)["nano"].seed, load(path)["nano"].best_mhz, load(path)["nano"].median_mhz) == ("2", 70.0, 65.0)
    assert [file.name for file in path.parent.iterdir()] == ["synthesis.json"]


def test_changed_sources_are_told_in_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"nano": _measurement(core("nano").digest), "wide": _measurement("of other sources")}
    assert outdated(entries) == ["wide"]
    monkeypatch.setattr(tables, "load", lambda: entries)
    for text in (tables.cells_table(), tables.conditions(), tables.modules_table(), tables.paths()):
        assert "The RTL has changed since `wide` was synthesised" in text
    entries["wide"] = _measurement(core("wide").digest)
    assert "has changed" not in tables.cells_table()
    monkeypatch.setattr(tables, "load", lambda: {})
    assert "Nothing is on record yet" in tables.cells_table() and tables.tokens_per_second("nano", 1, 1) == "-"
    monkeypatch.setattr(tables, "load", lambda: entries)
    assert tables.tokens_per_second("nano", 35_000, 32) == "64,000" and tables.tokens_per_second("base", 1, 1) == "-"


def _with_source(path: Path, text: str, design: Design = FIFO) -> Design:
    """The design made of one file with a given text."""
    path.write_text(text)
    fresh = replace(design)
    fresh.__dict__["sources"] = (path,)  # instead of the cached property
    return fresh


def test_the_digest_follows_code_and_parameters_not_comments(tmp_path: Path) -> None:
    path = tmp_path / "ga2_fifo.sv"
    plain = _with_source(path, "module ga2_fifo; endmodule").digest
    assert _with_source(path, "// a remark\nmodule ga2_fifo;\n\n endmodule /* end */").digest == plain
    assert _with_source(path, "module ga2_fifo; wire x; endmodule").digest != plain
    other = replace(FIFO, parameters=(("WIDTH", 9),))
    assert _with_source(path, "module ga2_fifo; endmodule", other).digest != plain


def test_a_missing_tool_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(child.PACKAGES, "nextpnr-ecp5", "no_such_package")
    with pytest.raises(ToolMissing, match="nextpnr-ecp5 not found .*make setup") as caught:
        child.need("nextpnr-ecp5")
    assert "\n" not in str(caught.value)


def test_generic_figures_need_a_longest_path() -> None:
    with pytest.raises(BuildError, match="no longest path"):
        read_generic('{"design": {"num_cells_by_type": {}, "num_memory_bits": 0}}', "nothing")


def test_a_small_module_goes_all_the_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    seen: dict[str, float] = {}
    found = measure(FIFO, "fifo", [1], lambda step, done: seen.update({step: done}))
    # two pointers of three bits, a counter of four; eight entries of eight bits in two RAMs of 16 x 4
    assert found.cells["TRELLIS_FF"] == 10 and found.cells["TRELLIS_DPR16X4"] == 2 and found.cells["DP16KD"] == 0
    assert 100 < found.best_mhz < 1000
    assert found.path.end.split("[")[0] in ("count_q", "head_q", "tail_q") and found.path.end_module == "ga2_fifo"
    assert found.digest == FIFO.digest and set(seen) <= set(flow.steps([1]))
    in_gates = gates(FIFO, "fifo", lambda _step, _done: None)
    assert in_gates.memory_bits == 64 and 1 < in_gates.depth < 30
    assert sum(count for kind, count in in_gates.cells.items() if "DFF" in kind) == 10
    names = {path.name for path in (tmp_path / "synth").iterdir()}
    assert names == {"fifo", "fifo-generic"}
    assert {"netlist.json", "yosys.log", "nextpnr-1.log", "nextpnr-1.json"} <= {
        path.name for path in (tmp_path / "synth" / "fifo").iterdir()
    }


def test_a_failed_synthesis_keeps_its_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    text = "module ga2_fifo; always_comb nowhere = 1'b1; endmodule"
    broken = _with_source(tmp_path / "ga2_fifo.sv", text, Design("ga2_fifo"))
    with pytest.raises(BuildError, match="yosys failed; log: .*fifo-generic-failed/yosys.log") as caught:
        gates(broken, "fifo", lambda _step, _done: None)
    assert "nowhere" in str(caught.value) and (tmp_path / "synth" / "fifo-generic-failed" / "yosys.log").exists()


def test_the_later_of_two_runs_stays_and_an_interrupted_one_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    with flow._workspace("x") as first, flow._workspace("x") as second:
        (first / "first").touch()
        (second / "second").touch()
    assert [path.name for path in flow.folder("x").iterdir()] == ["first"]  # the outer one ended last
    with pytest.raises(KeyboardInterrupt), flow._workspace("x") as third:
        (third / "third").touch()
        raise KeyboardInterrupt
    assert [path.name for path in (tmp_path / "synth").iterdir()] == ["x"]
    assert [path.name for path in flow.folder("x").iterdir()] == ["first"]
