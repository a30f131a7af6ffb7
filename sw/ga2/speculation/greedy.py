# SPDX-License-Identifier: Apache-2.0
"""The greedy host loop, written once for every target: float reference, golden model, simulated RTL.

The draft proposes k tokens one after another from the last committed token; the target verifies all of them in one
pass; the longest agreeing prefix and the target's next token are committed; the cache keeps their rows. Rejected rows
are not erased: the next pass starts at a smaller LEN and overwrites them. k = 0 is plain decoding.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ga2.speculation.accept import Block
from ga2.speculation.ledger import Ledger, block_guesses, check_ledger
from ga2.speculation.players import Player

Progress = Callable[[int, int], None]  # (tokens emitted so far, tokens wanted)


@dataclass(frozen=True)
class Run:
    """A finished greedy run: its books, its blocks in order, and the number of tokens that were wanted."""

    ledger: Ledger
    blocks: tuple[Block, ...]
    wanted: int

    @property
    def tokens(self) -> list[int]:
        """The start and the wanted tokens after it; what the last block emitted beyond them is cut."""
        return list(self.ledger.tokens[: self.wanted + 1])


async def play(player: Player, *, k: int, start: int, tokens: int, progress: Progress | None = None) -> Run:
    """Emit `tokens` tokens (>= 1) after `start` with k guesses a block (>= 0).

    The last block is not clipped to the wanted number: its surplus is emitted and counted, and only cut from the
    returned sequence. A block is clipped when the cache has no room for it. ValueError for a bad k or number.
    """
    if k < 0 or tokens < 1:
        raise ValueError(f"k must be at least 0 and tokens at least 1: got k = {k}, tokens = {tokens}")
    ledger, blocks = Ledger(tokens=(start,)), []
    while ledger.emitted < tokens:
        guesses = block_guesses(k, ledger.cache_length, player.capacity)
        block = await player.block(ledger.tokens, guesses, ledger.cache_length)
        ledger = ledger.after(block)
        blocks.append(block)
        if progress is not None:
            progress(min(ledger.emitted, tokens), tokens)
    check_ledger(ledger, k=k, wanted=tokens, clipped=any(len(block.guesses) < k for block in blocks))
    return Run(ledger, tuple(blocks), tokens)
