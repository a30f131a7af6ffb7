# SPDX-License-Identifier: Apache-2.0
"""Reduces a case that fails to a short one that still does."""

from collections.abc import Awaitable, Callable

from ga2.isa.encoding import EncodeError
from ga2.spec import ISA, load_config
from ga2.timing.ops import MmOp
from verif.programs.case import Case, CaseError
from verif.programs.golden_run import run_golden
from verif.programs.simplify import halves, plainer_data, plainer_lines, without

Fails = Callable[[Case], Awaitable[bool]]


class Stop(Exception):
    """Raised by `Fails` when time is up."""


def sound(case: Case) -> bool:
    """Whether the models say how the case ends: nothing undefined is read, and no imprecise fault ends it.

    Instructions and constants that the image does not bring are undefined too: on the core they are a former image's.
    """
    config = load_config(case.config)
    try:
        program = case.to_program()
        run = run_golden(config, program)
    except (CaseError, EncodeError):
        return False
    fault, image = run.outcome.fault, program.image
    if run.core.undefined_reads or (fault is not None and ISA.faults[fault.name].kind != "precise"):
        return False
    if fault is not None and len(image.instructions) <= fault.pc < config.imem_depth:
        return False
    ops = (each.op for each in run.outcome.resolved)
    return all(columns(op) <= len(image.constants) for op in ops if isinstance(op, MmOp))


def columns(op: MmOp) -> int:
    """How many constants must be there for a product."""
    return op.cidx + (1 if op.uniform else op.n)


class Shrinker:
    """`best` is the smallest failing case so far; `tried` counts what was played."""

    def __init__(self, case: Case, fails: Fails) -> None:
        self.best, self.tried, self._fails = case, 0, fails

    async def shrink(self) -> None:
        """Until nothing smaller fails, or `fails` raises Stop."""
        try:
            while await self._shorter() or await self._plainer():
                pass
        except Stop:
            pass

    async def _take(self, smaller: Case) -> bool:
        """Whether a smaller case fails too; it is the best one then."""
        if smaller == self.best or not sound(smaller):
            return False
        self.tried += 1
        if not await self._fails(smaller):
            return False
        self.best = smaller
        return True

    async def _shorter(self) -> bool:
        """Leave out pieces of the program; whether anything could be left out."""
        before = len(self.best.program)
        progress = True
        while progress:
            progress = False
            for first, count in list(halves(self.best)):
                if first + count < len(self.best.program) and await self._take(without(self.best, first, count)):
                    progress = True
        return len(self.best.program) < before

    async def _plainer(self) -> bool:
        """Make lines and data plainer; whether anything could be."""
        changed = False
        for at, line in list(plainer_lines(self.best)):
            program = self.best.program
            changed |= await self._take(
                self.best.model_copy(update={"program": (*program[:at], line, *program[at + 1 :])})
            )
        tried: list[Case] = []
        while (smaller := next((each for each in plainer_data(self.best) if each not in tried), None)) is not None:
            tried.append(smaller)
            changed |= await self._take(smaller)
        return changed
