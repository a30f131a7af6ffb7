# SPDX-License-Identifier: Apache-2.0
"""The greedy host loop, written once for every target: float reference, golden model, simulated RTL.

The draft proposes k tokens one after another from the last committed token; the target verifies all of them in one
pass; the longest agreeing prefix and the target's next token are committed; the cache keeps their rows. Rejected rows
are not erased: the next pass starts at a smaller LEN and overwrites them. k = 0 is plain decoding. A policy chooses k
for every block (`ga2.speculation.policy`); a number stands for the same k every time.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ga2.speculation.accept import Block
from ga2.speculation.ledger import Ledger, check_ledger, guess_room, returned_tokens
from ga2.speculation.players import Player
from ga2.speculation.policy import Ahead, FixedK, Policy

Progress = Callable[[int, int], None]  # (tokens emitted so far, tokens wanted)


@dataclass(frozen=True)
class Run:
    """A finished greedy run: its books, its blocks in order, the number of tokens that were wanted, the end token."""

    ledger: Ledger
    blocks: tuple[Block, ...]
    wanted: int
    end: int | None = None

    @property
    def tokens(self) -> list[int]:
        """The start and the tokens after it, up to the wanted number or the first end token; the rest is cut."""
        return returned_tokens(self.ledger.tokens, self.wanted, self.end)

    @property
    def discarded(self) -> int:
        """Emitted tokens that are not returned: beyond the wanted number, or after the end token."""
        return len(self.ledger.tokens) - len(self.tokens)


async def play(
    player: Player,
    *,
    k: int | Policy,
    start: int,
    tokens: int,
    end: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Emit `tokens` tokens (>= 1) after `start`, or fewer if `end` is among them, with k guesses a block.

    A fixed k (>= 0) does not clip the last block to the wanted number: its surplus is emitted and counted, and only
    cut from the returned sequence. A block is clipped when the cache has no room for it. ValueError for a bad k or
    number, or a policy that asks for more guesses than there is room.
    """
    policy = k if isinstance(k, Policy) else FixedK(k)
    if tokens < 1:
        raise ValueError(f"tokens must be at least 1: got {tokens}")
    ledger, blocks, asked = Ledger(tokens=(start,)), list[Block](), list[int]()
    while ledger.emitted < tokens and not (blocks and end in blocks[-1].emitted):
        room = guess_room(ledger.cache_length, player.capacity)
        guesses = policy.guesses(tuple(blocks), Ahead(room, tokens, end is not None))
        if not 0 <= guesses <= room:
            raise ValueError(f"the policy asks for {guesses} guesses: expected 0 to {room}")
        block = await player.block(ledger.tokens, guesses, ledger.cache_length)
        ledger = ledger.after(block)
        blocks.append(block)
        asked.append(guesses)
        if progress is not None:
            progress(min(ledger.emitted, tokens), tokens)
    run = Run(ledger, tuple(blocks), tokens, end)
    check_ledger(ledger, asked=asked, wanted=tokens, returned=run.tokens, end=end)
    return run
