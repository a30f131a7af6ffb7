# SPDX-License-Identifier: Apache-2.0
"""Weights that stay in the scratchpad: the same tokens and caches as with weights that stream, and no weight read."""

import numpy as np
import pytest

from capra.allocate import AllocationError
from capra.resident import LOADER, compile_resident
from ga2.bench.models import RESIDENT_LEN, resident_session
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.spec import CONFIG_NAMES, load_config
from ga2.speculation.chip import ChipPlayer
from ga2.speculation.session import Session, load
from ga2.stimulus import build_session, tiny_graphs

TOKENS = 24


async def decoded(session: Session, *, loader: bool, spoil: bool = False) -> tuple[list, bytes]:
    """Tokens from a plain decoding and the key cache after it; `spoil` overwrites the scratchpad before every pass."""
    config = load_config(session.config.name)
    device = GoldenDevice(config, 1 << 16)
    await load(device, session)
    if loader:
        assert (await device.run(LOADER, 0, 1)).fault is None
    player, tokens = ChipPlayer(device, session), [0]
    for length in range(TOKENS):
        if spoil:
            device.core.spad.data[:] = 0x55
        tokens += await player.verify(tokens[-1:], length)
    block = await player.verify([1, 2, 3, 4], TOKENS)
    keys = session.model.caches["k_cache"]
    return tokens + block, await device.read(keys.address, (TOKENS + 4) * keys.pitch)


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_resident_weights_give_the_same_tokens_and_keys(config: str) -> None:
    assert run_sync(decoded(resident_session(config), loader=True)) == run_sync(
        decoded(build_session(config), loader=False)
    )


def test_the_weights_are_really_the_ones_in_the_scratchpad() -> None:
    """Without the loader, or with the scratchpad overwritten in between, the tokens are others."""
    right = run_sync(decoded(build_session("nano"), loader=False))
    assert run_sync(decoded(resident_session("nano"), loader=True, spoil=True)) != right
    assert run_sync(decoded(build_session("nano"), loader=False, spoil=True)) == right


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_each_weight_is_loaded_once_and_by_the_loader_alone(config: str) -> None:
    model = resident_session(config).model
    loads = [op.weight for op in model.programs[LOADER].ops]
    assert sorted(loads) == sorted({"Wq", "Wk", "Wv", "Wo", "W1", "W2", "Wout"})
    assert not any(op.weight for op in model.programs["target"].ops)
    assert {op.opcode for op in model.programs["target"].ops} >= {"LD", "LDG", "MM", "ST"}


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_nothing_is_written_where_a_weight_lies(config: str) -> None:
    model = resident_session(config).model
    target, loader = model.programs["target"], model.programs[LOADER]
    held = np.zeros(load_config(config).spad_words, bool)
    for op in loader.ops:
        at = target.addresses[op.operands["dst"].buffer]
        held[at : at + op.dims["words"].imm] = True
    weights = {op.operands["dst"].buffer for op in loader.ops}
    for name, at in target.addresses.items():
        if name not in weights:
            words = target.buffers[name].words(RESIDENT_LEN, load_config(config).m_max)
            assert not held[at : at + words].any(), name


def test_what_does_not_fit_is_refused_by_name() -> None:
    (target, *_), ranges = tiny_graphs()
    with pytest.raises(AllocationError, match="program target with its weights in the scratchpad: .* find no place"):
        compile_resident(load_config("nano"), target, ranges)
