# SPDX-License-Identifier: Apache-2.0
"""What a run of proofs found, one record a proof, as it is written to `build/formal/summary.json`."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ga2.formal.flow import Outcome
from ga2.formal.table import Fault, Proof
from ga2.isa.image import write_whole
from ga2.sim.build import build_root


@dataclass
class Record:
    """A proof, its outcome (None: not run, or no result) and those of its broken copies, in the order of the table."""

    name: str
    proof: Proof
    outcome: Outcome | None = None
    broken: list[tuple[Fault, Outcome]] = field(default_factory=list)
    problem: str = ""  # why there is no result

    @property
    def kind(self) -> str:
        """How far the proof reaches: `induction` holds for ever, otherwise in the first cycles after reset."""
        return "induction" if self.proof.method == "induction" else f"{self.proof.depth} cycles"

    @property
    def caught(self) -> int:
        """The broken copies in which a property failed."""
        return sum(not outcome.passed for _, outcome in self.broken)

    @property
    def seconds(self) -> float:
        """Of everything that was run."""
        runs = [self.outcome, *(outcome for _, outcome in self.broken)]
        return sum(run.seconds for run in runs if run is not None)

    @property
    def passed(self) -> bool:
        """True when what was run ended as it must: the proof holds, every broken copy fails."""
        held = self.outcome is None or self.outcome.passed
        return held and self.caught == len(self.broken) and not self.problem


def _broken(fault: Fault, outcome: Outcome) -> dict[str, Any]:
    return {
        "says": fault.says,
        "file": fault.file,
        "caught": not outcome.passed,
        "step": outcome.parts[0].step,
        "properties": list(outcome.parts[0].problems),
        "seconds": round(outcome.seconds, 1),
    }


def _entry(record: Record) -> dict[str, Any]:
    outcome = record.outcome
    return {
        "proof": record.name,
        "kind": record.kind,
        "parameters": record.proof.parameters,
        "assumes": record.proof.assumes,
        "properties": outcome.asserts if outcome else None,
        "covers_reached": outcome.covers if outcome and outcome.parts[0].passed else None,
        "proved": outcome.passed if outcome else None,
        "problem": record.problem,
        "seconds": round(record.seconds, 1),
        "broken": [_broken(fault, found) for fault, found in record.broken],
    }


def write(records: list[Record]) -> Path:
    """Write the summary of a run; the file's path."""
    path = build_root() / "formal" / "summary.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps([_entry(record) for record in records], indent=2) + "\n").encode())
    return path
