# SPDX-License-Identifier: Apache-2.0
"""Drafts that guess on the host, from the text so far, for 0 cycles of the core.

*Next-token tables* look at the last one or two tokens; the two-token one is fitted to the target's own float greedy
text. The *suffix lookup* has no table: what followed the end of the text when it last occurred is likely to follow it
again. Every draft gives one token for every text, so k guesses are always k tokens.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ga2.models.drafts import FIT_TOKENS, make_table, table_choices
from ga2.models.reference import greedy_tokens
from ga2.models.shapes import VOCABULARY, Weights

HOST_DRAFTS = ("trigram", "suffix")


class HostDraft(ABC):
    """Guesses the token after a text of at least one token, start first."""

    @abstractmethod
    def next_token(self, text: Sequence[int]) -> int:
        """The one guess after `text`."""

    def propose(self, text: Sequence[int], count: int) -> tuple[int, ...]:
        """`count` guesses in a chain: each is made as if those before it were text."""
        known = list(text)
        for _ in range(count):
            known.append(self.next_token(known))
        return tuple(known[len(text) :])


@dataclass(frozen=True)
class TableDraft(HostDraft):
    """The next token by the last `order` tokens: entry a V + b of `entries` follows a, b (order 2), entry b follows b.

    A text that is shorter than `order` continues to the left with its first token: after the start s alone, a table of
    order 2 is asked for (s, s).
    """

    order: int
    vocabulary: int
    entries: tuple[int, ...]

    def next_token(self, text: Sequence[int]) -> int:
        """The entry of the last tokens."""
        seen = [text[0]] * (self.order - len(text)) + list(text[-self.order :])
        row = 0
        for token in seen:
            row = row * self.vocabulary + token
        return self.entries[row]


class SuffixDraft(HostDraft):
    """The longest suffix of the text that also occurs earlier, at its latest such place, and the token that follows.

    If not even the last token has occurred before, the guess is that token again: many targets settle on one.
    """

    def next_token(self, text: Sequence[int]) -> int:
        """What followed the longest suffix last time."""
        letters = "".join(map(chr, text))
        earlier = letters[:-1]
        follower, length = text[-1], 1
        while length < len(text) and (at := earlier.rfind(letters[-length:])) >= 0:
            follower = text[at + length]
            length += 1
        return follower


def fitted_trigram(kind: str, weights: Weights) -> TableDraft:
    """The two-token table of a target: the commonest follower of each pair in its own float greedy text.

    The text is 24 tokens from each start s, written s, s, t1, t2, .., so that (s, s) has a follower too. Of equally
    common followers the lowest wins. A pair that does not occur gets what the noise-free bigram draft says after its
    second token.
    """
    counts = np.zeros((VOCABULARY, VOCABULARY, VOCABULARY), int)
    for start in range(VOCABULARY):
        text = [start, start, *greedy_tokens(weights, start, FIT_TOKENS)]
        for (first, second), (_, third) in pairwise(pairwise(text)):
            counts[first, second, third] += 1
    bigram = np.array(table_choices(make_table(kind, weights, 0.0, 1)))
    entries = np.where(counts.any(axis=2), counts.argmax(axis=2), bigram[np.newaxis, :])
    return TableDraft(2, VOCABULARY, tuple(int(token) for token in entries.ravel()))


def bigram_of(choices: Sequence[int]) -> TableDraft:
    """The bigram draft's own choices, on the host."""
    return TableDraft(1, len(choices), tuple(choices))


def make_host_draft(name: str, kind: str, weights: Weights) -> HostDraft:
    """A draft of `HOST_DRAFTS` for a target; ValueError lists them."""
    if name == "trigram":
        return fitted_trigram(kind, weights)
    if name == "suffix":
        return SuffixDraft()
    raise ValueError(f"unknown draft on the host '{name}': choose one of {', '.join(HOST_DRAFTS)}")
