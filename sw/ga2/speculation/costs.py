# SPDX-License-Identifier: Apache-2.0
"""What a round of the host loop costs, known before it is run: cycles of k guesses and their verification at LEN.

A policy of k knows the core only by `RoundCosts`. How many programs a round is, is the business of whoever implements
it: one program a guess and one a pass, or one program that holds the whole round.
"""

from abc import ABC, abstractmethod
from functools import cached_property

from capra import Program
from ga2.speculation.session import Session
from ga2.timing.programs import program_cycles


class RoundCosts(ABC):
    """Cycles of one round."""

    @abstractmethod
    def cycles(self, guesses: int, length: int) -> int:
        """A round of `guesses` guesses on `length` cached rows; 0 guesses are the plain step."""

    def plain(self, tokens: int) -> int:
        """Plain decoding of the first `tokens` tokens, from the empty cache."""
        while len(self._plain_sums) <= tokens:
            self._plain_sums.append(self._plain_sums[-1] + self.cycles(0, len(self._plain_sums) - 1))
        return self._plain_sums[tokens]

    @cached_property
    def _plain_sums(self) -> list[int]:
        """Entry n: the cycles of n plain tokens, as far as anybody has asked."""
        return [0]


class SeparateCosts(RoundCosts):
    """Each guess is a program of its own, and so is the target's pass, as the timing model predicts them.

    With `on_host` the host guesses: a round is the target's pass alone.
    """

    def __init__(self, session: Session, on_host: bool = False) -> None:
        self.session, self.on_host = session, on_host

    def cycles(self, guesses: int, length: int) -> int:
        """The guesses, each one row on an empty cache, and one pass of guesses + 1 rows."""
        guess = 0 if self.on_host else self._program(self.session.draft, 0, 1)
        return guesses * guess + self._program(self.session.target, length, guesses + 1)

    def _program(self, program: Program, length: int, m: int) -> int:
        return cycles_of(self.session, program, length, m)


class BlockCosts(RoundCosts):
    """A round with guesses is one program, where the model has one for their number; else as `separate` says."""

    def __init__(self, separate: SeparateCosts) -> None:
        self.separate = separate

    def cycles(self, guesses: int, length: int) -> int:
        """The program of the round, with M its number of rows."""
        program = self.separate.session.block(guesses)
        if program is None:
            return self.separate.cycles(guesses, length)
        return cycles_of(self.separate.session, program, length, guesses + 1)


def cycles_of(session: Session, program: Program, length: int, m: int) -> int:
    """The cycles of one of a session's programs, whatever the bytes; ValueError if it would fault."""
    model = session.model
    words = tuple(model.image.instructions[program.entry : program.entry + len(program.instructions)])
    return program_cycles(model.config, words, model.windows, length, m)
