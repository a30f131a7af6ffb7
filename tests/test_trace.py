# SPDX-License-Identifier: Apache-2.0
"""`ga2 trace` on the golden model: the recorded blocks, one program beside its steps, causality, and the mask."""

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ga2.cli import main
from ga2.spec import COUNTERS, load_config
from ga2.tracing.backends import GOLDEN, in_float, trace
from ga2.tracing.perform import MASKS, Wanted
from ga2.tracing.picture import png, svg
from ga2.tracing.words import block_words, problems, text


@cache
def seen() -> dict[str, Any]:
    return trace("nano", GOLDEN, Wanted(), lambda _: None)


def brief(blocks: list[dict[str, Any]]) -> list[tuple]:
    return [(block["guesses"], block["accepted"], block["free"]) for block in blocks]


def test_the_recorded_blocks_in_float() -> None:
    expected = [([5, 3, 13], 3, 9), ([10, 9, 10], 0, 1), ([9, 10, 9], 0, 11)]
    assert brief(in_float(Wanted())) == expected


def test_the_blocks_of_the_core_continue_one_another() -> None:
    blocks, length, last = seen()["blocks"], 0, 0
    assert len(blocks) == 3
    for block in blocks:
        assert (block["length"], block["last"]) == (length, last)
        assert block["choices"][: block["accepted"]] == block["guesses"][: block["accepted"]]
        assert block["free"] == block["choices"][block["accepted"]]
        assert block["draft_cycles"] > 0 and block["verify_cycles"] > 0
        length, last = length + block["accepted"] + 1, block["free"]


def test_one_pass_beside_its_steps() -> None:
    anatomy = seen()["anatomy"]
    one, many = anatomy["verifier"], anatomy["steps"]
    assert anatomy["tokens"] == [seen()["blocks"][2]["last"], *seen()["blocks"][2]["guesses"]]
    assert anatomy["length"] == seen()["blocks"][2]["length"]
    assert (one["programs"], many["programs"]) == (1, 4)
    assert many["opcodes"] == {opcode: 4 * count for opcode, count in one["opcodes"].items()}
    assert many["words"]["stored"] == one["words"]["stored"] and many["words"]["loaded"] > 3 * one["words"]["loaded"]
    bytes_a_beat = load_config("nano").cols // load_config("nano").bus_bytes
    for part in (one, many):
        counters = part["counters"]
        assert sum(part["opcodes"].values()) == counters["retired"]
        assert part["words"]["loaded"] * bytes_a_beat == counters["read_beats"]
        assert part["words"]["stored"] * bytes_a_beat == counters["write_beats"]
        assert sum(counters[each.name] for each in COUNTERS if each.kind == "partition") == counters["total"]


def test_later_tokens_change_no_earlier_row_and_the_mask_is_a_staircase() -> None:
    assert seen()["causality"]["changed"] == [[3], [2, 3], [0, 1, 2, 3]]
    assert [(mask["m"], mask["length"]) for mask in seen()["masks"]] == list(MASKS)
    assert problems(seen()) == []


def spoilt(*path: Any, value: Any) -> list[str]:
    found = copy.deepcopy(seen())
    place = found
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return problems(found)


def test_whatever_must_not_be_seen_is_told() -> None:
    assert spoilt("difference", value="program 3 (target): x") == ["differs from golden: program 3 (target): x"]
    assert "rows [1, 2, 3] differ, expected [2, 3]" in spoilt("causality", "changed", 1, value=[1, 2, 3])[0]
    assert "the rows see [2, 2, 3, 4] keys" in spoilt("masks", 1, "seen", 0, value=2)[0]
    assert "row 0 attends beyond its 1 keys" in spoilt("masks", 1, "bytes", 0, 2, value=7)[0]


def test_words_for_every_kind_of_block() -> None:
    block = {"last": 4, "guesses": [7, 2, 5], "accepted": 3, "free": 4}
    assert block_words(1, block) == "block 1: after 4 the draft guesses 7, 2, 5; all are agreed, and 4 comes free"
    some = block_words(2, block | {"accepted": 2, "free": 9})
    assert some.endswith("; 2 agreed, guess 3, 5, is wrong: the target says 9, which comes free")
    assert "guesses 7, 2, 5; guess 1, 7, is wrong" in block_words(3, block | {"accepted": 0})
    said = text(seen())
    assert "block 1: after 0 the draft guesses 5, 3, 13" in said and "steps / pass" in said
    other = copy.deepcopy(seen())
    other["float"][1]["choices"][0] = 15
    assert "in float, where block 2 is the first that differs" in text(other)


def test_the_picture_of_the_mask() -> None:
    assert png(seen()["masks"]).startswith(b"\x89PNG")
    drawn = svg(seen()["masks"])
    assert drawn.startswith(b"<?xml") and drawn == svg(seen()["masks"])


def ended(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["ga2", "trace", *arguments])
    return main._run()


def test_a_trace_as_json_with_a_picture(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "mask.svg"
    model = ("--target", "structured", "--k", "1", "--blocks", "2", "--start", "5")
    assert ended(*model, "--json", "-", "-o", str(picture), monkeypatch=monkeypatch) == 0
    found = json.loads(capsys.readouterr().out)
    assert brief(found["blocks"]) == [([12], 1, 15), ([14], 1, 9)] == brief(found["float"])
    assert picture.is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--target", "blunt"), "choose one of structured, random, sharp"),
        (("--draft", "oracle"), "choose one of matmul, table"),
        (("--config", "huge"), "choose one of nano"),
        (("--sim", "vcs"), "choose one of golden, icarus, verilator"),
        (("--k", "0"), "k must be from 1 to 15, not 0"),
        (("--k", "-1"), "k must be from 1 to 15, not -1"),
        (("--draft", "suffix"), "unknown draft 'suffix': choose one of matmul, table\n"),
        (("--draft", "nope"), "unknown draft 'nope': choose one of matmul, table\n"),
        (("--k", "16"), "k must be from 1 to 15, not 16"),
        (("--start", "16"), "start must be from 0 to 15"),
        (("--blocks", "81"), "blocks must be from 1 to 80, not 81"),
        (("-o", "mask.jpg"), "ends in .svg or .png"),
        (("-o", "nowhere/mask.svg"), "cannot write nowhere/mask.svg"),
    ],
)
def test_bad_use_is_refused_in_one_line(
    arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(*arguments, monkeypatch=monkeypatch) == 2
    error = capsys.readouterr()
    assert error.out == "" and words in error.err and len(error.err.strip().splitlines()) == 1
