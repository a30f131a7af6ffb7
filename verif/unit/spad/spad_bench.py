# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the scratchpad: every requester at every bank, against a Python dictionary.

The traffic keeps the rule of the claims: no two readers, and no two writers, at one bank in a cycle.
"""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock

COLS = int(os.environ["GA2_COLS"])
WORDS = int(os.environ["GA2_WORDS"])
BANKS = int(os.environ["GA2_BANKS"])
READERS, WRITERS = 8, 4
SEED = int(os.environ.get("GA2_SEED", "0"))


def joined(fields: list[int], width: int) -> int:
    """A packed array of `width` bits an element, element 0 lowest."""
    return sum(value << width * index for index, value in enumerate(fields))


def requests(rng: random.Random, count: int) -> list[int | None]:
    """For each requester a word of a bank of its own, or None."""
    banks = rng.sample(range(BANKS), min(BANKS, rng.randint(0, count)))
    chosen: list[int | None] = [None] * count
    for requester, bank in zip(rng.sample(range(count), count), banks, strict=False):
        row = rng.choice([0, WORDS // BANKS - 1, rng.randrange(8)])
        chosen[requester] = bank * (WORDS // BANKS) + row
    return chosen


async def start(dut) -> None:
    dut.rst_ni.value = dut.rd_en_i.value = dut.wr_en_i.value = 0
    dut.rd_addr_i.value = dut.wr_addr_i.value = dut.wr_data_i.value = 0
    await start_clock(dut.clk_i)
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_requests(dut) -> None:
    """Reads answer in the next cycle; a read sees every write of earlier cycles."""
    rng = random.Random(SEED)
    await start(dut)
    memory: dict[int, int] = {}
    expected: dict[int, int] = {}
    compared = 0
    seen: set[tuple[int, int]] = set()
    for _ in range(3000):
        reads, writes = requests(rng, READERS), requests(rng, WRITERS)
        # A word read and written in one cycle has no defined value: skip such reads.
        reads = [None if word in writes else word for word in reads]
        data = [rng.getrandbits(8 * COLS) for _ in writes]
        dut.rd_en_i.value = joined([word is not None for word in reads], 1)
        dut.rd_addr_i.value = joined([rng.getrandbits(16) if word is None else word for word in reads], 16)
        dut.wr_en_i.value = joined([word is not None for word in writes], 1)
        dut.wr_addr_i.value = joined([rng.getrandbits(16) if word is None else word for word in writes], 16)
        dut.wr_data_i.value = joined(data, 8 * COLS)
        await FallingEdge(dut.clk_i)
        for reader, value in expected.items():
            top, low = 8 * COLS * (reader + 1) - 1, 8 * COLS * reader
            assert dut.rd_data_o.value[top:low].to_unsigned() == value, f"reader {reader}"
            compared += 1
        await RisingEdge(dut.clk_i)
        expected = {reader: memory[word] for reader, word in enumerate(reads) if word in memory}
        seen |= {(reader, word * BANKS // WORDS) for reader, word in enumerate(reads) if word in memory}
        memory |= {word: value for word, value in zip(writes, data, strict=True) if word is not None}
    assert compared > 2000
    assert seen == {(reader, bank) for reader in range(READERS) for bank in range(BANKS)}


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def broken_rule(dut) -> None:
    """Two requesters at one bank, or an address beyond the memory: the simulation must end here."""
    kind = os.environ.get("GA2_BREAK", "")
    await start(dut)
    if kind == "readers":
        dut.rd_en_i.value, dut.rd_addr_i.value = 0b11, joined([3, 5], 16)
    elif kind == "writers":
        dut.wr_en_i.value, dut.wr_addr_i.value = 0b1010, joined([0, 1, 0, 2], 16)
    elif kind == "range":
        dut.rd_en_i.value, dut.rd_addr_i.value = 1, WORDS
    for _ in range(3):
        await RisingEdge(dut.clk_i)
