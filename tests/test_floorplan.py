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


@pytest.mark.parametrize("slices", [1, 2, 8])
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


def test_a_row_too_short_is_left_to_the_placer() -> None:
    assert sites(_banks(1, banks=9)) == {}


def test_block_rams_get_a_site_and_nothing_else_of_the_design(tmp_path: Path) -> None:
    bank, other = _banks(1)[0], "u_core.u_requant.acc_q"
    cells = {name: {"type": kind, "attributes": {}} for name, kind in ((bank, "DP16KD"), (other, "TRELLIS_FF"))}
    netlist = tmp_path / "netlist.json"
    netlist.write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    floorplan(netlist, "top")
    found = json.loads(netlist.read_text())["modules"]["top"]["cells"]
    assert found.pop(bank)["attributes"] == {"BEL": "X42/Y46/EBR1"} and found.pop(other)["attributes"] == {}
    rows = {int(re.search(r"Y(\d+)", cell["attributes"]["BEL"])[1]) for cell in found.values()}  # type: ignore[index]
    assert not any(bits for cell in found.values() for bits in cell["connections"].values())
    assert not rows & {row + 1 for row in rows}, "two empty rows in succession"


def test_a_design_without_banks_stays_as_it_is(tmp_path: Path) -> None:
    netlist = tmp_path / "netlist.json"
    netlist.write_text(text := json.dumps({"modules": {"top": {"cells": {"q": {"type": "TRELLIS_FF"}}}}}))
    floorplan(netlist, "top")
    assert netlist.read_text() == text
