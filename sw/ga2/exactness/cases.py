# SPDX-License-Identifier: Apache-2.0
"""Cases of the campaign. A seed and an index name a case of a configuration: `draw_case` is a pure function of them."""

from dataclasses import dataclass

import numpy as np

from ga2.exactness.models import KINDS
from ga2.models.shapes import VOCABULARY, WIDTH
from ga2.spec import Config

MODEL_SEEDS = (1, 107)
PAGE = 4096  # bytes: no burst crosses it
MAX_BEATS = 256  # of a burst
SHORT_BEATS = 16
CACHED = ("decoded", "uniform", "extreme", "level")
WEIGHTS = ("compiled", "compiled", "compiled", "uniform", "extreme")
GUESSES = ("wrong", "right", "alternating", "random", "target", "constant", "last", "almost", "draft")
"""How guesses are made (`ga2.exactness.guesses`)."""
DECODED_TOKENS = 10
DECODE_EVERY = 5  # one case in this many decodes; the others compare rows


@dataclass(frozen=True)
class Setting:
    """What a case starts from.

    kind, model_seed: the model. weights: `compiled`, or how their bytes are drawn. cached: how the first `length`
    cache rows are made; the rest is garbage. seed: of every byte that is drawn.
    """

    kind: str
    model_seed: int
    weights: str
    cached: str
    length: int
    seed: int


@dataclass(frozen=True)
class RowsCase:
    """A block of `tokens`, beside its one-row steps, and beside a block with other tokens after row `kept`."""

    setting: Setting
    tokens: tuple[int, ...]
    kept: int


@dataclass(frozen=True)
class DecodeCase:
    """Plain decoding beside speculative decoding with k guesses a block, made as `guesses` says, on the same cache."""

    setting: Setting
    start: int
    k: int
    guesses: str
    count: int


Case = RowsCase | DecodeCase


def edge_lengths(config: Config) -> tuple[int, ...]:
    """Cache lengths around every boundary of the core: tiles of the array, a short burst, full bursts, pages, the ends.

    A key row has WIDTH bytes; keys begin on a page and values follow MAX_LEN rows later.
    """
    row = max(WIDTH, config.cols)
    values = config.max_len * row
    burst = config.bus_bytes
    rows = {0, config.cols, 2 * config.cols, config.rows, 2 * config.rows}
    rows |= {-(-SHORT_BEATS * burst // row)}
    rows |= {at // row for at in range(0, values, MAX_BEATS * burst)}
    rows |= {at // row for at in range(PAGE, values, PAGE)}
    rows |= {(at - values) // row for at in range(-(-values // PAGE) * PAGE, 2 * values, PAGE)}
    around = {at + off for at in rows for off in (-1, 0, 1)}
    return tuple(sorted(at for at in around if 0 <= at < config.max_len))


def cache_length(config: Config, source: np.random.Generator, rows: int) -> int:
    """A cache length that leaves room for `rows`: an edge, the longest or the one before, or any."""
    longest = config.max_len - rows
    edges = [length for length in edge_lengths(config) if length <= longest]
    choice = source.random()
    if choice < 0.6:
        return int(source.choice(edges))
    if choice < 0.75:
        return longest - int(source.integers(0, 2))
    return int(source.integers(0, longest + 1))


def draw_case(config: Config, seed: int, index: int) -> Case:
    """Case `index` of a seed. Every run of 16 indices has every block size that fits, in turn over the kinds."""
    source = np.random.default_rng([seed, index])
    decodes = index % DECODE_EVERY == DECODE_EVERY - 1
    m = 1 + index % config.m_max
    k = int(source.integers(1, config.m_max))
    room = DECODED_TOKENS + k + 1 if decodes else m
    setting = Setting(
        kind=KINDS[(index // 3) % len(KINDS)],
        model_seed=int(source.choice(MODEL_SEEDS)),
        weights=str(source.choice(WEIGHTS)),
        cached=str(source.choice(CACHED)),
        length=cache_length(config, source, room),
        seed=int(source.integers(1 << 31)),
    )
    if decodes:
        guesses = GUESSES[(index // DECODE_EVERY) % len(GUESSES)]
        return DecodeCase(setting, int(source.integers(VOCABULARY)), k, guesses, DECODED_TOKENS)
    tokens = tuple(int(token) for token in source.integers(0, VOCABULARY, m))
    return RowsCase(setting, tokens, int(source.integers(0, m)))
