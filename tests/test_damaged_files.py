# SPDX-License-Identifier: Apache-2.0
"""Files that a campaign left and somebody damaged: one line names the file, and nothing is simulated."""

import json
from pathlib import Path
from typing import Any

import pytest

from ga2.coverage.holes import load_holes
from ga2.sim.sources import ROOT
from ga2.slices.case import Case, draw_case
from ga2.slices.cross import reported_holes
from ga2.slices.summary import kept
from ga2.spec import load_config
from verif.programs.case import CaseError, load_case

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
        ({"end": {"kind": "abort", "cycles": 1 << 40}}, "end.cycles: Input should be less than or equal to 4294967295"),
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
    with pytest.raises(ValueError, match=r"a\.json: not a graph"):
        kept(path)
