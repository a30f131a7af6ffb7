# SPDX-License-Identifier: Apache-2.0
"""The earlier chip's seven recorded runs as requests on this core, and what our runs of them must show."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ga2.decoding.backends import on_golden
from ga2.decoding.request import Outcome, Request
from ga2.models.targets import successor
from ga2.spec import SPEC_DIR
from ga2.speculation.ledger import recompute_counts
from ga2.stimulus import build_session, draft_choices

RECORDED_RUNS = SPEC_DIR / "recorded" / "greedy_runs.csv"


@dataclass(frozen=True)
class Recorded:
    """One row of the recorded table: counts are (accepted, proposed, blocks), None for plain decoding."""

    request: Request
    counts: tuple[int, int, int] | None
    programs: int
    cycles: int
    speedup: float

    @property
    def title(self) -> str:
        """What was decoded."""
        if self.request.k == 0:
            return f"{self.request.target}, plain"
        return f"{self.request.target}, k = {self.request.k}, noise {self.request.noise:g}"


def recorded_runs() -> list[Recorded]:
    """The rows of the recorded table, with the draft in its matmul form."""
    with RECORDED_RUNS.open(newline="") as file:
        return [
            Recorded(
                request=Request(target=row["target"], k=int(row["k"] or 0), noise=float(row["noise"] or 0)),
                counts=(int(row["accepted"]), int(row["proposed"]), int(row["blocks"])) if row["k"] else None,
                programs=int(row["programs"]),
                cycles=int(row["earlier_cycles"]),
                speedup=float(row["earlier_speedup"]),
            )
            for row in csv.DictReader(file)
        ]


def _rule_tokens(request: Request) -> list[int]:
    tokens = [request.start]
    while len(tokens) <= request.tokens:
        tokens.append(successor(tokens[-1]))
    return tokens


def expected_counts(config: str, row: Recorded, plain_tokens: Sequence[int]) -> tuple[int, int, int] | None:
    """What the counts must be: as recorded for the structured target, else recomputed from the chip's plain tokens.

    A last block may look k tokens beyond the run; the golden chip supplies those. None for plain decoding.
    ValueError if `plain_tokens` are not the golden chip's.
    """
    request = row.request
    if request.k == 0 or request.target == "structured":
        return row.counts
    longer = replace(request, k=0, tokens=request.tokens + request.k)
    truth = on_golden(config, [longer], lambda *_: None)[0].tokens
    if truth[: len(plain_tokens)] != list(plain_tokens):
        raise ValueError(f"{row.title}: the plain tokens are not the golden chip's")
    session = build_session(config, request.target, request.target_seed, request.draft, request.noise)
    ledger = recompute_counts(truth, draft_choices(session), request.k, request.tokens)
    return ledger.accepted, ledger.proposed, ledger.blocks


def problems(config: str, rows: Sequence[Recorded], outcomes: Sequence[Outcome]) -> list[str]:
    """Everything that the outcomes of the recorded runs do not show as they must, one line each."""
    plain = {row.request.target: out.tokens for row, out in zip(rows, outcomes, strict=True) if row.request.k == 0}
    found = []
    for row, outcome in zip(rows, outcomes, strict=True):
        truth = plain[row.request.target]
        if row.request.target == "structured" and outcome.tokens != _rule_tokens(row.request):
            found.append(f"{row.title}: the tokens do not follow the rule")
        if outcome.tokens != truth:
            found.append(f"{row.title}: the tokens differ from plain decoding")
        if not outcome.golden_match:
            found.append(f"{row.title}: differs from golden: {outcome.difference}")
        expected = expected_counts(config, row, truth)
        counts = (outcome.accepted, outcome.proposed, outcome.blocks)
        if expected not in (None, counts):
            found.append(f"{row.title}: accepted, proposed, blocks {counts}, expected {expected}")
    return found
