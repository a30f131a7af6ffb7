# SPDX-License-Identifier: Apache-2.0
"""`build/mutants/compiler.json` and `speculation.json`: how many broken versions were seen, by which test, and which
change nothing."""

import json
from collections.abc import Sequence
from pathlib import Path

from ga2.isa.image import write_whole
from ga2.mutants.play import Outcome
from ga2.mutants.table import Part
from ga2.sim.build import build_root


def contents(outcomes: Sequence[Outcome]) -> dict:
    """killed of total; equivalents with their reasons; every change with its judge's words."""
    real = [each for each in outcomes if not each.mutant.equivalent]
    return {
        "killed": sum(each.killed for each in real),
        "total": len(real),
        "equivalents": [
            {"name": each.mutant.name, "reason": each.mutant.equivalent, "survives": not each.killed}
            for each in outcomes
            if each.mutant.equivalent
        ],
        "mutants": [
            {"name": each.mutant.name, "file": each.mutant.file, "judge": each.mutant.judge, "killed": each.killed,
             "says": each.says, "problem": each.problem}
            for each in real
        ],
    }  # fmt: skip


def save(part: Part, outcomes: Sequence[Outcome]) -> Path:
    """Write the file, whole or not at all."""
    path = build_root() / "mutants" / f"{part.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, f"{json.dumps(contents(outcomes), indent=1)}\n".encode())
    return path
