# SPDX-License-Identifier: Apache-2.0
"""Block RAMs have fixed sites: a slice of the words of all banks in one row, no site twice."""

import json
import re
from pathlib import Path

import pytest

from ga2.synth.floorplan import floorplan, sites


def _banks(slices: int, banks: int = 8) -> list[str]:
    return [f"u_core.u_spad.gen_bank[{bank}].u_bank.mem_q.0.{part}" for part in range(slices) for bank in range(banks)]


PROGRAM = [f"u_core.u_imem.mem_q.0.{part}" for part in range(8)]


@pytest.mark.parametrize("slices", [2, 3, 8])
def test_the_banks_share_a_row_slice_by_slice(slices: int) -> None:
    fixed = sites([*PROGRAM, *reversed(_banks(slices)), "u_core.u_cmem.mem_q.0.0"])
    assert len(set(fixed.values())) == len(fixed) == min(24, 8 * (slices + 1))
    rows: dict[str, list[str]] = {}
    for name, site in fixed.items():
        rows.setdefault(re.sub(r"gen_bank\[\d+\]|(?<=u_imem.mem_q.0.)\d", "", name), []).append(site)
    for row in rows.values():
        assert len({re.sub(r"X\d+|EBR\d", "", site) for site in row}) == 1 and len(row) == 8
    columns = [int(fixed[name][1:3]) for name in _banks(1)]
    assert columns == sorted(columns)


def test_words_of_one_slice_need_no_plan() -> None:
    assert sites([*_banks(1), *PROGRAM]) == {}


def test_a_row_too_short_is_left_to_the_placer() -> None:
    assert sites(_banks(2, banks=9)) == {}


def test_block_rams_get_a_site_and_nothing_else_of_the_design(tmp_path: Path) -> None:
    banks, other = _banks(2), "u_core.u_requant.acc_q"
    cells = {name: {"type": "DP16KD", "attributes": {}} for name in banks}
    cells[other] = {"type": "TRELLIS_FF", "attributes": {}}
    netlist = tmp_path / "netlist.json"
    netlist.write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    assert floorplan(netlist, "top")
    found = json.loads(netlist.read_text())["modules"]["top"]["cells"]
    assert found.pop(other)["attributes"] == {}
    assert {name: found.pop(name)["attributes"]["BEL"] for name in banks} == sites(banks)
    rows = {int(cell["attributes"]["BEL"].split("/")[1].removeprefix("Y")) for cell in found.values()}
    assert not any(bits for cell in found.values() for bits in cell["connections"].values())
    assert not rows & {row + 1 for row in rows}, "two empty rows in succession"


def test_a_design_without_banks_stays_as_it_is(tmp_path: Path) -> None:
    netlist = tmp_path / "netlist.json"
    netlist.write_text(text := json.dumps({"modules": {"top": {"cells": {"q": {"type": "TRELLIS_FF"}}}}}))
    assert not floorplan(netlist, "top")
    assert netlist.read_text() == text
