# SPDX-License-Identifier: Apache-2.0
"""Addresses: buffers inside the scratchpad, apart while both are alive, operands of one instruction in other banks."""

from collections.abc import Mapping, Sequence

from capra.allocate import bank_exclusions, lifetimes, lowest_starts
from capra.ops import Op
from capra.place import Buffer
from capra.verify.errors import require
from ga2.spec import Config


def verify_allocation(
    program: Sequence[Op], buffers: Mapping[str, Buffer], addresses: Mapping[str, int], config: Config
) -> None:
    """Inside the scratchpad, no live overlap, bank-disjoint operands, no base below 0."""
    life = lifetimes(program)
    spans = {name: (base, base + buffers[name].words(config.max_len, config.m_max)) for name, base in addresses.items()}
    banks = {name: set(range(lo // config.bank_words, -(-hi // config.bank_words))) for name, (lo, hi) in spans.items()}
    for name, lowest in lowest_starts(program).items():
        require(addresses[name] >= lowest, f"buffer {name}: at {addresses[name]}, an operand's base is below 0")
    for name, (lo, hi) in spans.items():
        require(0 <= lo < hi <= config.spad_words, f"buffer {name}: words {lo} .. {hi} leave the scratchpad")
        for other, (low, high) in spans.items():
            clash = other != name and lo < high and low < hi and life.together(name, other)
            require(not clash, f"buffers {name} and {other} overlap while both are alive")
    for name, others in bank_exclusions(program).items():
        for other in others:
            require(not banks[name] & banks[other], f"buffers {name} and {other} share a bank")
