# SPDX-License-Identifier: Apache-2.0
"""The corner cases of the host loop, and drafts and policies, on the RTL of `nano` in both simulators."""

from pathlib import Path

import pytest

from ga2.decoding import Request
from ga2.decoding.backends import MEMORY_BYTES, on_golden, on_rtl
from ga2.sim import build_core, run
from ga2.spec import load_config

SHORT = {"icarus": 4, "verilator": 24}  # tokens


@pytest.mark.simulation
def test_every_corner(sim: str) -> None:
    made = build_core("nano", sim, memory_bytes=MEMORY_BYTES)
    assert run(made, "verif.system.corner_bench", env={"GA2_CONFIG": "nano"}).tests == 1


@pytest.mark.simulation
def test_drafts_and_policies(sim: str, tmp_path: Path) -> None:
    """Requests as the command line makes them travel to the simulator, and come back with the golden outcome."""
    path = tmp_path / "draft.yaml"
    path.write_text("vocabulary: 16\norder: 1\nnext: [3, 8, 13, 2, 7, 12, 1, 6, 11, 0, 5, 10, 15, 4, 9, 14]\n")
    requests = [
        Request(draft="table", noise=4.0, k=7, adaptive=True, tokens=SHORT[sim]),
        Request(draft="table", noise=4.0, k=7, adaptive=True, tokens=SHORT[sim], form="block"),
        Request(draft="suffix", k=7, adaptive=True, tokens=SHORT[sim], end=2),
        Request(draft="trigram", k=3, tokens=SHORT[sim]),
        Request(draft="file", draft_file=str(path), k=2, tokens=SHORT[sim], end=13),
    ]
    for request in requests:
        request.check(load_config("nano"))
    seen, golden = on_rtl("nano", sim, requests, lambda *_: None), on_golden("nano", requests, lambda *_: None)
    for one, other, request in zip(seen, golden, requests, strict=True):
        assert one.golden_match, one.difference
        assert (one.tokens, one.guesses, one.discarded) == (other.tokens, other.guesses, other.discarded)
        assert one.counters == other.counters
        assert (one.tokens[-1] == request.end) if request.end else len(one.tokens) == SHORT[sim] + 1
