# SPDX-License-Identifier: Apache-2.0
"""The books of a greedy run: tokens, cache length and counts, and what must hold between them.

Output tokens alone cannot show a bookkeeping fault (a dropped free token is simply found again by the next block), so
the counts are kept apart from the tokens and compared with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ga2.speculation.accept import Block


class LedgerError(AssertionError):
    """The books of a run do not agree; the message names the rule and the figures."""


@dataclass(frozen=True)
class Ledger:
    """State after some blocks. tokens: start first; cache_length: rows that the target keeps."""

    tokens: tuple[int, ...]
    cache_length: int = 0
    accepted: int = 0
    proposed: int = 0
    blocks: int = 0

    @property
    def last(self) -> int:
        """The last committed token: emitted, not yet in the cache."""
        return self.tokens[-1]

    @property
    def emitted(self) -> int:
        """Tokens after the start."""
        return len(self.tokens) - 1

    def after(self, block: Block) -> "Ledger":
        """The books after one more block. LedgerError if the block does not continue this sequence."""
        if block.last != self.last:
            raise LedgerError(f"block {self.blocks} starts with {block.last}, but {self.last} was committed last")
        return replace(
            self,
            tokens=self.tokens + block.emitted,
            cache_length=self.cache_length + block.kept_rows,
            accepted=self.accepted + block.accepted,
            proposed=self.proposed + len(block.guesses),
            blocks=self.blocks + 1,
        )


def guess_room(cache_length: int, capacity: int) -> int:
    """Guesses that the cache can take beside the row of the last committed token; ValueError if not even that fits."""
    room = capacity - cache_length
    if room < 1:
        raise ValueError(f"the cache is full: {cache_length} of {capacity} rows")
    return room - 1


def returned_tokens(tokens: Sequence[int], wanted: int, end: int | None) -> list[int]:
    """The start and at most `wanted` tokens after it, none after the first `end`; the start may itself be `end`."""
    after = list(tokens[1 : wanted + 1])
    if end in after:
        after = after[: after.index(end) + 1]
    return [tokens[0], *after]


def check_ledger(
    ledger: Ledger, *, asked: Sequence[int], wanted: int, returned: Sequence[int], end: int | None = None
) -> None:
    """LedgerError unless the books of a finished run of `wanted` tokens agree.

    asked: k of every block, as it was chosen. returned: the start and the tokens that the user gets.
    """
    given = len(returned) - 1
    discarded = ledger.emitted - given
    rules = {
        "blocks = number of k's": ledger.blocks == len(asked),
        "emitted = accepted + blocks": ledger.emitted == ledger.accepted + ledger.blocks,
        "proposed = sum of each block's k": ledger.proposed == sum(asked),
        "cache length = emitted": ledger.cache_length == ledger.emitted,
        "accepted <= proposed": ledger.accepted <= ledger.proposed,
        "blocks <= wanted": ledger.blocks <= wanted,
        "returned is what was emitted first": list(returned) == list(ledger.tokens[: given + 1]),
        "1 <= returned <= wanted": 1 <= given <= wanted,
        "returned = wanted, or the last one is the end token": given == wanted or returned[-1] == end,
        "no token after the end token": end is None or end not in returned[1:-1],
        "0 <= discarded <= k of the last block": 0 <= discarded <= (asked[-1] if asked else 0),
    }
    broken = [rule for rule, holds in rules.items() if not holds]
    if broken:
        raise LedgerError(f"{'; '.join(broken)} broken with k = {_brief(asked)}, wanted = {wanted}: {ledger}")


def _brief(asked: Sequence[int]) -> str:
    return str(asked[0]) if len(set(asked)) == 1 else ", ".join(map(str, asked))


def recompute_counts(
    plain_tokens: Sequence[int], draft_choice: Sequence[int], k: int | Sequence[int], n: int
) -> Ledger:
    """The books that a run must show, from the target's plain tokens (start first) and the draft's choices alone.

    k: guesses of every block, or of each in turn. A block may look k tokens beyond the n-th: `plain_tokens` needs
    n + k + 1 entries (ValueError otherwise), with the largest k.
    """
    most = k if isinstance(k, int) else max(k)
    needed = n + most + 1
    if len(plain_tokens) < needed:
        raise ValueError(
            f"{n} tokens with k = {most} need {needed} plain tokens, start included: got {len(plain_tokens)}"
        )
    ledger = Ledger(tokens=(plain_tokens[0],))
    while ledger.emitted < n:
        at, count = ledger.emitted, k if isinstance(k, int) else k[ledger.blocks]
        truth = plain_tokens[at + 1 : at + count + 2]
        guesses: list[int] = []
        for _ in range(count):
            guesses.append(draft_choice[guesses[-1] if guesses else ledger.last])
        agreed = agreement(guesses, truth)
        ledger = replace(
            ledger,
            tokens=tuple(plain_tokens[: at + agreed + 2]),
            cache_length=at + agreed + 1,
            accepted=ledger.accepted + agreed,
            proposed=ledger.proposed + count,
            blocks=ledger.blocks + 1,
        )
    return ledger


def agreement(guesses: Sequence[int], truth: Sequence[int]) -> int:
    """Number of guesses before the first that differs from the truth; written apart from the rule that it checks."""
    wrong = [index for index, guess in enumerate(guesses) if guess != truth[index]]
    return wrong[0] if wrong else len(guesses)
