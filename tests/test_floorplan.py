# SPDX-License-Identifier: Apache-2.0
"""Block RAMs have fixed sites: a slice of the words of all banks in one row, no site twice."""

import json
import re
from pathlib import Path

import pytest

from ga2.synth.floorplan import fix_block_rams, sites


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


def test_only_block_rams_of_the_netlist_get_a_site(tmp_path: Path) -> None:
    bank, other = _banks(1)[0], "u_core.u_requant.acc_q"
    cells = {name: {"type": kind, "attributes": {}} for name, kind in ((bank, "DP16KD"), (other, "TRELLIS_FF"))}
    netlist = tmp_path / "netlist.json"
    netlist.write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    fix_block_rams(netlist, "top")
    found = json.loads(netlist.read_text())["modules"]["top"]["cells"]
    assert found[bank]["attributes"] == {"BEL": "X42/Y46/EBR1"} and found[other]["attributes"] == {}
