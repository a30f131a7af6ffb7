# SPDX-License-Identifier: Apache-2.0
"""Runs of the speculation campaign: decodings of every model with every kind of guess, and how one is made small.

A seed and an index name a run of a configuration and a size: `draw_run` is a pure function of them.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ga2.exactness.cases import CACHED, GUESSES, WEIGHTS, DecodeCase, Setting
from ga2.exactness.cases import cache_length as drawn_length
from ga2.exactness.models import KINDS
from ga2.models.shapes import VOCABULARY
from ga2.spec import Config

MODEL_SEEDS = (*range(1, 9), 30, 96, 107, 147)
CLIPPED_SHARE = 0.1  # of the runs end in a full cache, where blocks are clipped


@dataclass(frozen=True)
class Size:
    """How much a run may take: cache rows before it, tokens, guesses a block."""

    length: int
    tokens: int
    guesses: int


SIZES = {
    "golden": Size(1 << 30, 24, 15),
    "verilator": Size(40, 8, 15),
    "icarus": Size(8, 4, 5),
}
"""By what runs it: Icarus is some twenty times slower than Verilator."""


def draw_run(config: Config, seed: int, index: int, size: Size) -> DecodeCase:
    """Run `index` of a seed. Indices take models, kinds of guesses and k in turn; all else is drawn."""
    source = np.random.default_rng([seed, index, 1])
    k = 1 + (index // len(GUESSES)) % min(size.guesses, config.m_max - 1)
    tokens = int(source.integers(1, size.tokens + 1))
    clipped = bool(source.random() < CLIPPED_SHARE) and size.length >= config.max_len
    room = tokens if clipped else tokens + k + 1
    length = config.max_len - room if clipped else drawn_length(config, source, room)
    setting = Setting(
        kind=KINDS[index % len(KINDS)],
        model_seed=int(source.choice(MODEL_SEEDS)),
        weights=str(source.choice(WEIGHTS)),
        cached=str(source.choice([way for way in CACHED if way != "decoded"])),
        length=length if length <= size.length else length % (size.length + 1),
        seed=int(source.integers(1 << 31)),
    )
    return DecodeCase(setting, int(source.integers(VOCABULARY)), k, GUESSES[index % len(GUESSES)], tokens)


def to_json(run: DecodeCase) -> dict[str, Any]:
    """Plain JSON values."""
    return asdict(run)


def from_json(found: Any, config: Config) -> DecodeCase:
    """A run from JSON values; ValueError, in one line, for anything that is none on this configuration."""
    if not isinstance(found, dict) or not isinstance(found.get("setting"), dict):
        raise ValueError("no run of the speculation campaign: expected an object with an object 'setting'")
    try:
        run = DecodeCase(**{**found, "setting": Setting(**found["setting"])})
    except TypeError as error:
        raise ValueError(f"no run of the speculation campaign: {error}") from None
    setting = run.setting
    numbers = (run.start, run.k, run.count, setting.length, setting.seed, setting.model_seed)
    rules = {
        f"kind '{setting.kind}': choose one of {', '.join(KINDS)}": setting.kind in KINDS,
        f"weights '{setting.weights}': choose one of {', '.join(sorted(set(WEIGHTS)))}": setting.weights in WEIGHTS,
        f"cached '{setting.cached}': choose one of {', '.join(CACHED)}": setting.cached in CACHED,
        f"guesses '{run.guesses}': choose one of {', '.join(GUESSES)}": run.guesses in GUESSES,
        "numbers must be integers": all(type(each) is int for each in numbers),
    }
    for message, holds in rules.items():
        if not holds:
            raise ValueError(message)
    limits = {
        "start": (run.start, 0, VOCABULARY - 1),
        "k": (run.k, 0, config.m_max - 1),
        "count": (run.count, 1, config.max_len),
        "length": (setting.length, 0, config.max_len - run.count),
        "seed": (setting.seed, 0, 1 << 32),
        "model_seed": (setting.model_seed, 0, 1 << 32),
    }
    for name, (value, least, most) in limits.items():
        if not least <= value <= most:
            raise ValueError(f"{name} {value}: expected {least} to {most}")
    return run


def smaller(run: DecodeCase) -> Iterator[DecodeCase]:
    """Runs a little simpler: fewer tokens and guesses, a shorter and plainer cache, a usual model."""
    setting = run.setting
    for count in dict.fromkeys((1, run.count // 2, run.count - 1)):
        if 1 <= count < run.count:
            yield replace(run, count=count)
    for k in dict.fromkeys((1, run.k // 2, run.k - 1)):
        if 1 <= k < run.k:
            yield replace(run, k=k)
    for length in dict.fromkeys((0, setting.length // 2, setting.length - 1)):
        if 0 <= length < setting.length:
            yield replace(run, setting=replace(setting, length=length))
    if run.guesses != "wrong":
        yield replace(run, guesses="wrong")
    if run.start:
        yield replace(run, start=0)
    usual: dict[str, Any] = {"weights": "compiled", "cached": "level", "kind": "random", "model_seed": 1}
    for change in ({name: value} for name, value in usual.items()):
        if replace(setting, **change) != setting:
            yield replace(run, setting=replace(setting, **change))
