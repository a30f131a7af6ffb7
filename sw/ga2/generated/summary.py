# SPDX-License-Identifier: Apache-2.0
"""`build/random/summary.json`: what the campaigns of generated programs showed, one entry a plan."""

import fcntl
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from ga2.isa.image import write_whole
from ga2.sim.build import build_root
from ga2.sim.campaign import Case


def summary_path() -> Path:
    """Where it lies."""
    return build_root() / "random" / "summary.json"


def statistics(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of programs as the bench reports them; shares of programs are from 0 to 1, cycles those of the timing model."""
    if not measured:
        return {}
    count = len(measured)
    opcodes = Counter(op for one in measured for op in one["opcodes"])
    return {
        "median_instructions": median(one["instructions"] for one in measured),
        "opcode_share": {op: round(seen / count, 4) for op, seen in sorted(opcodes.items())},
        "overlap_share": round(sum(bool(one["overlap"]) for one in measured) / count, 4),
        "median_cycles": median(one["cycles"] for one in measured),
        "endings": dict(sorted(Counter(one["end"] for one in measured).items())),
    }


def entry(seeds: range, cases: Sequence[Case], seconds: float) -> dict[str, Any]:
    """One campaign: its seeds, how many programs ran, which differed, and what they were like."""
    return {
        "seeds": [seeds[0], seeds[-1]],
        "programs": len(cases),
        "mismatches": sum(not case.passed for case in cases),
        "failed_seeds": [case.number for case in cases if not case.passed],
        **statistics([case.measured for case in cases if case.passed]),
        "seconds": round(seconds, 1),
        "programs_per_second": round(len(cases) / seconds, 2) if seconds else 0.0,
    }


def merge(key: str, made: Mapping[str, Any], path: Path | None = None) -> Path:
    """Put an entry among those of other plans, in place of an older one; the file is written whole or not at all."""
    path = path or summary_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        campaigns = {**_former(path), key: dict(made)}
        total = {name: sum(one[name] for one in campaigns.values()) for name in ("programs", "mismatches")}
        text = json.dumps({**total, "campaigns": dict(sorted(campaigns.items()))}, indent=2)
        write_whole(path, f"{text}\n".encode())
    return path


def _former(path: Path) -> dict[str, Any]:
    """The entries so far; a file that is no summary is as good as none."""
    try:
        campaigns = json.loads(path.read_text())["campaigns"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return campaigns if isinstance(campaigns, dict) else {}
