# SPDX-License-Identifier: Apache-2.0
"""What a round of the host loop costs, known before it is run: cycles of k guesses and their verification at LEN.

A policy of k knows the core only by `RoundCosts`: whether the round is many programs or one is this file's business.
"""

from abc import ABC, abstractmethod
from itertools import accumulate

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
        return self._sums(tokens)[tokens]

    def _sums(self, tokens: int) -> list[int]:
        known: list[int] = self.__dict__.setdefault("_plain_sums", [0])
        if len(known) <= tokens:
            steps = (self.cycles(0, length) for length in range(len(known) - 1, tokens))
            known += list(accumulate(steps, initial=known[-1]))[1:]
        return known


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


def cycles_of(session: Session, program: Program, length: int, m: int) -> int:
    """The cycles of one of a session's programs, whatever the bytes; ValueError if it would fault."""
    model = session.model
    words = tuple(model.image.instructions[program.entry : program.entry + len(program.instructions)])
    return program_cycles(model.config, words, model.windows, length, m)
