# SPDX-License-Identifier: Apache-2.0
"""Files that a campaign left and somebody damaged: one line names the file, and nothing is simulated."""

import json
from pathlib import Path
from typing import Any

import pytest

from ga2.coverage.code import RTL, CodeCoverageError
from ga2.coverage.code import read as read_code
from ga2.coverage.holes import load_holes
from ga2.coverage.stored import StoredRunError, read_counts
from ga2.device.protocol import Window
from ga2.isa.assembler import assemble
from ga2.seeded import break_report
from ga2.seeded.play import Seen
from ga2.seeded.tables import all_breaks
from ga2.sim.sources import ROOT
from ga2.slices.case import Case, draw_case
from ga2.slices.cross import reported_holes
from ga2.slices.summary import kept
from ga2.spec import load_config
from verif.locate.failed_program import FailedProgram
from verif.programs.case import CaseError, load_case
from verif.programs.program import Program

NO_JSON = {"empty": b"", "cut": b'["a', "binary": b"\xff\xfe", "deep": b"[" * 100_000}


@pytest.mark.parametrize("data", [*NO_JSON.values(), b"{}", b"[1]"], ids=[*NO_JSON, "no list", "no names"])
def test_holes_that_are_none(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    (tmp_path / "coverage").mkdir()
    (tmp_path / "coverage" / "holes.json").write_bytes(data)
    for read in (load_holes, reported_holes):
        with pytest.raises(ValueError, match=r"holes\.json: must be a list of names"):
            read()


STORED = json.loads((ROOT / "verif" / "programs" / "kept" / "attention_in_small.json").read_text())
IDS = {"address": 0, "size": 64, "kind": "ids"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"memory": [IDS]}, "memory.0: Value error, ids must be below something"),
        ({"memory": [IDS | {"below": 1 << 40}]}, "memory.0.below: Input should be less than or equal to 4294967296"),
        ({"end": {"kind": "abort", "cycles": 1 << 40}}, "end.cycles: Input should be less than or equal to 1000000"),
    ],
)
def test_a_stored_case_with_a_wrong_field(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(STORED | change))
    with pytest.raises(CaseError) as caught:
        load_case(path)
    assert str(caught.value).startswith(f"{path}: {words}")


def graph_file(path: Path, keys: tuple[str | int, ...] = (), value: Any = None) -> Path:
    """A kept graph in which the value at `keys` is another."""
    recipe = draw_case(load_config("nano"), Case(3)).recipe
    data = json.loads(json.dumps({"configuration": "nano", "recipe": recipe.to_json()}))
    at: Any = data
    for key in keys[:-1]:
        at = at[key]
    if keys:
        at[keys[-1]] = value
    path.write_text(json.dumps(data))
    return path


def test_a_kept_graph_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert kept(graph_file(tmp_path / "a.json")) == ("nano", draw_case(load_config("nano"), Case(3)).recipe)


@pytest.mark.parametrize(
    ("keys", "value", "words"),
    [
        (("configuration",), "huge", "unknown configuration 'huge'"),
        (("recipe",), [], "recipe"),
        (("recipe", "seed"), "a", "seed"),
        (("recipe", "seed"), -1, "seed: must be 0 or more"),
        (("recipe", "steps"), [], "none is an output"),
        (("recipe", "steps", 3, "inputs"), [99], "steps.3.inputs: [99] must be numbers of earlier steps"),
        (("recipe", "steps", 3, "inputs"), ["a"], "steps.3.inputs.0"),
        (("recipe", "steps", 0, "cols"), "a", "steps.0.cols"),
        (("recipe", "steps", 0, "rows"), None, "steps.0.rows"),
        (("recipe", "runs"), [], "runs: there must be one or more"),
        (("recipe", "runs"), [{"length": 10**6, "m": 1}], "M from 1 to 16, LEN + M to 320"),
        (("recipe", "runs"), [{"length": -1, "m": 1}], "runs: LEN=-1 M=1 does not fit nano"),
    ],
)
def test_a_kept_graph_with_a_wrong_field(keys: tuple[str | int, ...], value: Any, words: str, tmp_path: Path) -> None:
    path = graph_file(tmp_path / "a.json", keys, value)
    with pytest.raises(ValueError) as caught:
        kept(path)
    assert str(caught.value).startswith(f"{path}: not a graph") and words in str(caught.value)


@pytest.mark.parametrize("data", NO_JSON.values(), ids=NO_JSON)
def test_a_kept_graph_that_is_no_json(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"a\.json: (no JSON|not UTF-8 text|nested too deeply)"):
        kept(path)


POINT = f"C '\1f\2{RTL}/ga2_top.sv\1l\2{{}}\1n\0021\1page\2v_line/\1S\2{{}}' 5\n"


@pytest.mark.parametrize(
    "data", [*NO_JSON.values(), b"C '\1l\0021' 5\n", POINT.format("x", 1).encode(), POINT.format(1, "a-b").encode()]
)
def test_line_counts_that_are_none(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(data)
    with pytest.raises(CodeCoverageError, match=r"a\.dat: .*; remove it"):
        read_code(path)


def test_line_counts_of_a_file_that_is_gone_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    path.write_text(POINT.format(1, 1) + POINT.format(1, 1).replace("ga2_top", "gone"))
    assert {place.file for place in read_code(path)} == {"ga2_top.sv"}


def test_a_stored_run_of_an_unknown_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(b'<?xml version="1.0" encoding="none"?><a/>')
    with pytest.raises(StoredRunError, match=r"a\.xml: .*; remove it"):
        read_counts(path)


@pytest.fixture
def failed_program(tmp_path: Path) -> Path:
    image = assemble(".config nano\n.entry main\nHALT\n", "a")
    program = Program(1, image, {0: bytes(range(256))}, (Window(0, 64),), 4, 1, "a")
    FailedProgram(load_config("nano"), program, entry="main").save(tmp_path)
    assert FailedProgram.load(tmp_path).pc == 0
    return tmp_path


@pytest.mark.parametrize(
    ("key", "value"),
    [("entry", "none"), ("entry", 1), ("entry", 0.5), ("length", "a"), ("m", -1), ("memory_bytes", 3), ("profile", []),
     ("memory_bytes", 1 << 60), ("image_address", -4), ("watchdog", "x"), ("windows", [{"base": "a", "size": 1}])],
)  # fmt: skip
def test_a_failed_program_with_a_wrong_field(failed_program: Path, key: str, value: Any) -> None:
    path = failed_program / "program.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value or [1]}))
    with pytest.raises(ValueError, match="holds no failed program: "):
        FailedProgram.load(failed_program)


@pytest.mark.parametrize("name", ["program.json", "image.bin", "memory.npz"])
@pytest.mark.parametrize("kept_bytes", [0, 20])
def test_a_failed_program_that_is_cut(failed_program: Path, name: str, kept_bytes: int) -> None:
    path = failed_program / name
    path.write_bytes(path.read_bytes()[:kept_bytes])
    with pytest.raises(ValueError, match="holds no failed program: "):
        FailedProgram.load(failed_program)


def test_a_damaged_block_of_memory(failed_program: Path) -> None:
    path = failed_program / "memory.npz"
    data = bytearray(path.read_bytes())
    data[60:100] = bytes(40)
    path.write_bytes(data)
    with pytest.raises(ValueError, match="holds no failed program: "):
        FailedProgram.load(failed_program)


@pytest.mark.parametrize("data", [*NO_JSON.values(), b"[]", b'{"a": 1}'])
def test_results_of_breaks(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spoilt summary is made anew; a spoilt record is refused, since it is no result of one run."""
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    monkeypatch.setattr(break_report, "RECORD", tmp_path / "seen.json")
    (tmp_path / "breaks").mkdir()
    for name in ("breaks/summary.json", "seen.json"):
        (tmp_path / name).write_bytes(data)
    first = all_breaks()[0]
    break_report.keep(Seen(first, {}), "icarus")
    assert list(json.loads((tmp_path / "breaks" / "summary.json").read_text())) == [f"icarus: {first.name}"]
    with pytest.raises(ValueError, match=r"seen\.json: must be an object"):
        break_report.check_record()
