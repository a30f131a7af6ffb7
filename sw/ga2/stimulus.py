# SPDX-License-Identifier: Apache-2.0
"""Stimulus: models, drafts and loop runs as compiled sessions and as program runs with their (LEN, M) sequences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from capra import CompiledModel, Graph, compile_model, model_graphs
from ga2.device.protocol import Device, run_sync
from ga2.models.calibration import Ranges, draft_ranges, target_ranges
from ga2.models.draft_int8 import fitted_matmul_weight, separated
from ga2.models.drafts import DRAFT_FORMS, make_table, table_choices
from ga2.models.shapes import Array, Weights
from ga2.models.targets import make_target
from ga2.spec import Config, load_config
from ga2.speculation.chip import ChipPlayer, Decoded
from ga2.speculation.graph_device import GraphDevice
from ga2.speculation.session import Session, load

CHAIN_STEPS = 3


class StimulusError(ValueError):
    """A model that cannot be built as asked; one line says why."""


@dataclass(frozen=True)
class Step:
    """One program run of a bench: the entry, LEN, and the ids of the block (M = their number)."""

    entry: str
    length: int
    ids: tuple[int, ...]

    @property
    def m(self) -> int:
        """Block rows."""
        return len(self.ids)


def build_session(
    config: Config | str,
    target: str = "structured",
    target_seed: int = 1,
    draft: str = "matmul",
    noise: float = 0.0,
    draft_seed: int = 1,
    blocks: Iterable[int] = (),
) -> Session:
    """Compile a target and its draft for a configuration; the same arguments give the same session object.

    blocks: numbers of guesses for which the model gets a program of the whole block, of this draft form alone.

    StimulusError for an unknown target or draft form, a bad noise, or a draft of the structured target whose choice in
    int8 is not its float table's. A target seed is ignored by the structured target.
    """
    name = config if isinstance(config, str) else config.name
    if draft not in DRAFT_FORMS:
        raise StimulusError(f"unknown draft '{draft}': choose one of {', '.join(DRAFT_FORMS)}")
    if not (np.isfinite(noise) and noise >= 0):
        raise StimulusError(f"noise {noise}: expected a finite number of at least 0")
    seed, sizes = 0 if target == "structured" else target_seed, tuple(sorted(set(blocks)))
    return _session(name, target, seed, draft, float(noise), draft_seed, sizes)


@lru_cache(maxsize=64)
def _session(
    config: str, target: str, target_seed: int, draft: str, noise: float, draft_seed: int, sizes: tuple[int, ...]
) -> Session:
    blocks = ((draft, sizes),) if sizes else ()
    model, table_choice = _model(config, target, target_seed, noise, draft_seed, blocks)
    session = Session(model, draft, table_choice)
    if target == "structured":
        check_draft(session)
    return session


@lru_cache(maxsize=64)
def _model(
    config: str, target: str, seed: int, noise: float, draft_seed: int, blocks: tuple[tuple[str, tuple[int, ...]], ...]
) -> tuple[CompiledModel, tuple[int, ...]]:
    """Both draft forms, a chain of guesses and the asked for blocks share one image with the target."""
    numbers = _numbers(target, seed, noise, draft_seed)
    model = compile_model(load_config(config), *numbers.arguments, chain_steps=CHAIN_STEPS, blocks=dict(blocks))
    return model, numbers.table_choice


@dataclass(frozen=True)
class _Numbers:
    """A model before it is compiled: weights, ranges and drafts, as `compile_model` takes them."""

    arguments: tuple[Weights, Ranges, dict[str, Array]]
    table_choice: tuple[int, ...]


def _numbers(target: str, seed: int, noise: float, draft_seed: int) -> _Numbers:
    try:
        weights = make_target(target, seed)
        table = make_table(target, weights, noise, draft_seed)
        lifted = separated(table)
        drafts = {"matmul": fitted_matmul_weight(weights["E"], lifted), "table": lifted}
    except ValueError as error:
        raise StimulusError(str(error)) from None
    ranges = target_ranges(target, weights) | draft_ranges(weights["E"], drafts["matmul"], lifted)
    return _Numbers((weights, ranges, drafts), tuple(table_choices(table)))


def tiny_graphs(
    target: str = "structured", target_seed: int = 1, blocks: Mapping[str, Sequence[int]] | None = None
) -> tuple[list[Graph], Ranges]:
    """The graphs of a target with noise-free drafts, and their ranges: what `build_session` compiles by default.

    blocks: by draft form, the numbers of guesses of the whole blocks behind them.
    """
    seed = 0 if target == "structured" else target_seed
    return model_graphs(*_numbers(target, seed, 0.0, 1).arguments, chain_steps=CHAIN_STEPS, blocks=blocks)


def draft_choices(session: Session) -> list[int]:
    """What the draft's program answers to every token, by the integer meaning of its graph."""

    async def ask() -> list[int]:
        device = GraphDevice(session.model)
        await load(device, session)
        player = ChipPlayer(device, session)
        return [await player.guess(token) for token in range(session.vocabulary)]

    return run_sync(ask())


def check_draft(session: Session) -> None:
    """StimulusError naming the first token whose guess in int8 differs from the float table's choice."""
    for token, (chip, table) in enumerate(zip(draft_choices(session), session.table_choice, strict=True)):
        if chip != table:
            raise StimulusError(
                f"{session.draft.name}: after token {token} the int8 draft guesses {chip}, its float table {table}"
            )


def steps_of(decoded: Decoded) -> list[Step]:
    """The program runs of a decoding, in order: draft guesses and target passes."""
    return [Step(run.entry, run.length, run.ids) for run in decoded.programs_run]


def prefill_steps(session: Session, tokens: Sequence[int]) -> list[Step]:
    """Target passes that fill an empty cache with `tokens`, in blocks of M_MAX rows."""
    size = session.config.m_max
    return [
        Step(session.target.name, at, tuple(tokens[at : at + size])) for at in range(0, len(tokens), size)
    ]


def verifier_steps(session: Session, cache: Sequence[int], blocks: Iterable[Sequence[int]]) -> list[Step]:
    """The cache filled, then every block verified on that same cache (each overwrites the rows of the one before)."""
    target = session.target.name
    return prefill_steps(session, cache) + [Step(target, len(cache), tuple(block)) for block in blocks]


async def run_steps(device: Device, session: Session, steps: Iterable[Step]) -> ChipPlayer:
    """Load the session and run steps on a device; the player's `runs` hold choices, counters and faults."""
    await load(device, session)
    player = ChipPlayer(device, session)
    for step in steps:
        await player.run(session.model.programs[step.entry], step.ids, step.length)
    return player
