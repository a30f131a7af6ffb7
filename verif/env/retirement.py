# SPDX-License-Identifier: Apache-2.0
"""One record of the retirement trace, as the core drives it or as the predictor expects it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ga2.golden.interpreter import Outcome
from ga2.spec import ISA

HALT = "HALT"
NOTHING = "-"  # a fault carries no opcode
CONTROL = "control"
NO_FAULT = "none"


@dataclass(frozen=True)
class Retirement:
    """An instruction that retired, the HALT that ended a program, or the precise fault that stopped it.

    `dst` is the destination's [lo, hi), words or bytes of a store; None where it has no meaning.
    """

    seq: int
    pc: int
    op: str
    unit: str
    dst: tuple[int, int] | None
    fault: str = NO_FAULT

    def agrees(self, seen: "Retirement") -> bool:
        """Whether `seen` is what this record expects."""
        return self == (seen if self.dst else replace(seen, dst=None))


def expected_retirements(outcome: Outcome) -> Sequence[Retirement]:
    """What the trace must show of a whole run: every instruction in order, then HALT or the precise fault."""
    records = [Retirement(each.seq, each.pc, each.op, each.unit, each.dst) for each in outcome.retirements]
    if outcome.fault is None:
        halt = outcome.resolved[-1]
        return [*records, Retirement(len(records), halt.pc, HALT, CONTROL, None)]
    if ISA.faults[outcome.fault.name].kind != "precise":
        raise ValueError(f"{outcome.fault}: what retires before an imprecise fault is not defined")
    return [*records, Retirement(len(records), outcome.fault.pc, NOTHING, CONTROL, None, outcome.fault.name)]
