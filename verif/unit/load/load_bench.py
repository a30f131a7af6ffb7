# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the load unit: bytes, order, cycles, bus rules, errors and kills.

One sample a cycle, in the middle of it. The bench plays the scratchpad: it answers an id's read in the following
cycle only (garbage otherwise) and records every word written.
"""

import os
import random
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotbext.axi import AxiReadBus, AxiSlaveRead, Region

from ga2.spec import ISA, load_config
from ga2.timing.load import LoadUnit
from ga2.timing.ops import LdOp, Times
from verif.unit.axi_rules import AddressRules
from verif.unit.mover_bench import MoverBench, Seen
from verif.unit.op_bits import pack

MEMORY_BYTES = 65536
IDS = 0xC000  # ids live above every destination of the bench
SEED = int(os.environ.get("GA2_SEED", "0"))
CONFIG = load_config("nano").model_copy(
    update={"cols": int(os.environ["GA2_COLS"]), "bus_bytes": int(os.environ["GA2_BUS_BYTES"])}
)


def pattern(address: int, size: int) -> bytes:
    """What the memory holds (ga2_load_tb.sv fills it alike)."""
    return bytes((a * 167 + (a >> 8) * 59 + 17) & 0xFF for a in range(address, address + size))


class PatternRegion(Region):
    """An AXI target that holds the pattern and fails at the addresses in `bad`."""

    def __init__(self) -> None:
        super().__init__(MEMORY_BYTES)
        self.bad: set[int] = set()

    async def _read(self, address: int, length: int, **kwargs) -> bytes:
        if any(a in self.bad for a in range(address, address + length)):
            raise ValueError("injected")
        return pattern(address, length)


class Bench(MoverBench[LdOp]):
    """The unit under test, its clock and its scratchpad."""

    def __init__(self, dut, rng: random.Random) -> None:
        super().__init__(dut, rng, ("arready", "rvalid", "rlast", "rresp", "rdata", "rid"))
        self.ids: dict[int, int] = {}
        self.ar = AddressRules("AR", CONFIG.bus_bytes)
        self.region = PatternRegion()

    def connect(self) -> tuple[Any, list[Any]]:
        """A slave that holds the pattern."""
        bus = AxiReadBus.from_prefix(self.dut, "m_axi")
        slave = AxiSlaveRead(bus, self.dut.clk_i, self.dut.rst_ni, target=self.region, reset_active_level=False)
        return slave, [slave.ar_channel, slave.r_channel]

    async def step(self, op: LdOp | None = None, kill: bool = False) -> bool:
        """One cycle, offering `op`; True if it was accepted."""
        dut, seen = self.dut, self.seen
        dut.op_valid_i.value = int(op is not None)
        if op is not None:
            dut.op_i.value = pack(op)
        dut.kill_i.value = int(kill)
        word = self.rng.getrandbits(8 * CONFIG.cols)
        if self.read_request is not None:
            word = word >> 32 << 32 | self.ids.get(self.read_request, 0)
        dut.rd_data_i.value = word
        await FallingEdge(dut.clk_i)
        accepted = self.sample(op)
        if dut.wr_en_o.value:
            seen.writes.append((int(dut.wr_addr_o.value), int(dut.wr_data_o.value)))
        seen.beats += bool(dut.beat_o.value)
        if dut.ar_valid_o.value:
            address, length = int(dut.m_axi_araddr.value), int(dut.m_axi_arlen.value)
            assert int(dut.m_axi_arburst.value) == 1 and 1 << int(dut.m_axi_arsize.value) == CONFIG.bus_bytes
            self.ar.check_burst(True, bool(dut.ar_ready_o.value), address, length)
        else:
            self.ar.check_burst(False, False, 0, 0)
        await RisingEdge(dut.clk_i)
        return accepted

    async def kill(self) -> None:
        """Kill until nothing is outstanding, then check that nothing was done or begun meanwhile."""
        await self.step(kill=True)
        seen, self.seen = self.seen, Seen()
        held = bool(self.dut.ar_valid_o.value)
        bursts = len(self.ar.bursts)
        await self.kill_until_quiet()
        assert not self.seen.dones and not self.seen.errors and not self.seen.writes
        assert not self.dut.busy_o.value and not self.dut.ar_valid_o.value
        assert len(self.ar.bursts) - bursts <= held, "a new burst after the kill"
        assert seen.beats + self.seen.beats == sum(beats for _, beats in self.ar.bursts), "a burst did not finish"
        self.ar.bursts.clear()
        self.seen = Seen()


def random_words(rng: random.Random) -> int:
    page = 4096 // CONFIG.cols
    return min(rng.choice([1, 1, 2, 3, rng.randint(1, 20), rng.randint(1, page // 4), rng.randint(1, 600)]), 600)


def random_linear(rng: random.Random, slot: int) -> LdOp:
    """A linear load; one in two begins close below a page boundary."""
    words = random_words(rng)
    rows = rng.randint(1, max(1, min(9, 600 // words)))
    pitch = words + rng.choice([0, 1, rng.randint(0, 40)])
    space = MEMORY_BYTES // CONFIG.cols - (rows - 1) * pitch - words
    start = rng.randint(0, space)
    if rng.random() < 0.5:
        start = min(space, max(0, rng.randint(1, 15) * (4096 // CONFIG.cols) - rng.randint(0, 5)))
    return LdOp(
        slot=slot,
        dst=rng.randint(0, 0x4000),
        dst_pitch=rng.randint(words, words + 5),
        rows=rows,
        words=words,
        ext_addr=start * CONFIG.cols,
        ext_pitch_bytes=pitch * CONFIG.cols,
    )


def random_gather(rng: random.Random, slot: int, ids: dict[int, int]) -> LdOp:
    """A gather with its ids put into `ids`; the table fills part of the memory."""
    words = min(random_words(rng), 4096 // CONFIG.cols)
    pitch = 1 << (words * CONFIG.cols - 1).bit_length()
    pitch = min(4096, pitch << rng.randint(0, 2))
    table = rng.randrange(MEMORY_BYTES // pitch) * pitch
    limit = rng.randint(1, (MEMORY_BYTES - table) // pitch)
    rows = rng.randint(1, max(1, min(9, 600 // words)))
    op = LdOp(
        slot=slot,
        gather=True,
        dst=rng.randint(0, 0x4000),
        dst_pitch=rng.randint(words, words + 5),
        rows=rows,
        words=words,
        ext_addr=table,
        ext_pitch_bytes=pitch,
        ids=IDS + rng.randint(0, 0x1000) + 0x400 * slot,
        ids_pitch=rng.randint(1, 3),
        limit=limit,
    )
    for row in range(rows):
        ids[op.ids + row * op.ids_pitch] = rng.choice([0, limit - 1, rng.randrange(limit)])
    return op


def random_ops(rng: random.Random, count: int, ids: dict[int, int]) -> list[LdOp]:
    """Operations whose ids do not collide while they may be in flight (gathers are few and their ids apart)."""
    ops = []
    for index in range(count):
        if rng.random() < 0.35:
            fresh: dict[int, int] = {}
            op = random_gather(rng, index % 8, fresh)
            shift = index * 0x40 + IDS - op.ids
            op = replace(op, ids=op.ids + shift)
            ids |= {address + shift: value for address, value in fresh.items()}
        else:
            op = random_linear(rng, index % 8)
        ops.append(op)
    return ops


def expected_writes(op: LdOp, ids: dict[int, int]) -> list[tuple[int, int]]:
    """Scratchpad words in the order in which they must be written."""
    writes = []
    for row in range(op.rows):
        index = ids[op.ids + row * op.ids_pitch] if op.gather else row
        data = pattern(op.ext_addr + index * op.ext_pitch_bytes, op.words * CONFIG.cols)
        for word in range(op.words):
            value = int.from_bytes(data[word * CONFIG.cols : (word + 1) * CONFIG.cols], "little")
            writes.append((op.dst + row * op.dst_pitch + word, value))
    return writes


def check_bytes(bench: Bench, ops: list[LdOp]) -> None:
    """Every word, in order, once; one done an operation, in order; no beat but the needed ones; no error."""
    writes = [write for op in ops for write in expected_writes(op, bench.ids)]
    assert writes, "nothing was compared"
    assert bench.seen.writes == writes
    assert [slot for _, slot in bench.seen.dones] == [op.slot for op in ops]
    assert bench.seen.beats == len(writes) * CONFIG.beats_per_word
    assert not bench.seen.errors


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def cycles_equal_the_closed_form(dut) -> None:
    """Back to back and spread random operations on the reference memory: start, done and busy in every cycle."""
    rng = random.Random(SEED)
    bench = Bench(dut, rng)
    await bench.reset()
    ops = random_ops(rng, 30, bench.ids)
    gaps = [rng.choice([0, 0, 0, rng.randint(1, 30), rng.randint(0, 400)]) for _ in ops]
    earliest = await bench.issue(ops, gaps)
    await bench.drain()
    check_bytes(bench, ops)
    model = LoadUnit(CONFIG)
    times: list[Times] = [model.issue(op, first) for op, first in zip(ops, earliest, strict=True)]
    bench.check_times(ops, times)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def bytes_survive_backpressure(dut) -> None:
    """Random pauses on AR and R: same words, same order."""
    rng = random.Random(SEED + 1)
    bench = Bench(dut, rng)
    await bench.reset(external=True)
    for probability in (0.0, 0.5):
        bench.pause(probability)
        bench.seen = Seen()
        ops = random_ops(rng, 6, bench.ids)
        await bench.issue(ops, [0] * len(ops))
        await bench.drain()
        check_bytes(bench, ops)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_bad_beat_is_reported(dut) -> None:
    """SLVERR on each beat of an operation in turn: code, exact address and slot; older operations are done."""
    rng = random.Random(SEED + 2)
    bench = Bench(dut, rng)
    await bench.reset(external=True)
    beats = CONFIG.beats_per_word
    good = LdOp(slot=1, dst=0, dst_pitch=3, rows=2, words=3, ext_addr=0, ext_pitch_bytes=64)
    page = 4096
    bad = replace(good, slot=2, dst=100, ext_addr=page - 2 * CONFIG.cols, ext_pitch_bytes=3 * CONFIG.cols)
    after = replace(good, slot=3, dst=200)
    for beat in range(6 * beats):
        bench.pause(rng.choice([0.0, 0.5]))
        address = bad.ext_addr + beat * CONFIG.bus_bytes
        bench.region.bad = {address}
        await bench.issue([good, bad, after], [0, rng.randint(0, 4), rng.randint(0, 4)])
        await bench.until_error()
        for _ in range(rng.randint(0, 60)):
            await bench.step()
        assert bench.seen.errors == [(ISA.faults["read_slverr"].code, address, 2)]
        assert [slot for _, slot in bench.seen.dones] == [1]
        assert bench.seen.writes[:6] == expected_writes(good, {})
        await bench.kill()
    bench.region.bad = set()
    await bench.issue([after], [0])
    await bench.drain()
    check_bytes(bench, [after])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def beats_beyond_the_memory_are_decode_errors(dut) -> None:
    """DECERR from the reference memory, at the first beat beyond it."""
    bench = Bench(dut, random.Random(SEED + 3))
    await bench.reset()
    for inside in range(3):
        op = LdOp(slot=5, rows=1, words=4, ext_addr=MEMORY_BYTES - inside * CONFIG.cols)
        await bench.issue([op], [0])
        await bench.until_error()
        assert bench.seen.errors == [(ISA.faults["read_decerr"].code, MEMORY_BYTES, 5)]
        assert not bench.seen.dones
        await bench.kill()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_bad_id_is_reported(dut) -> None:
    """Ids at and far above the limit, in each row: code, the id, the slot; no burst for that row."""
    bench = Bench(dut, random.Random(SEED + 4))
    await bench.reset()
    pitch = 4 * CONFIG.cols
    op = LdOp(slot=6, gather=True, rows=3, words=3, dst_pitch=3, ext_pitch_bytes=pitch, ids=IDS, ids_pitch=1, limit=9)
    for row in range(3):
        for bad in (9, 10, 0x10000, 0x80000001, 0xFFFFFFFF):
            bench.ids = {IDS + i: bad if i == row else 8 - i for i in range(3)}
            await bench.issue([op], [0])
            await bench.until_error()
            await bench.step()
            assert bench.seen.errors == [(ISA.faults["gather_id"].code, bad, 6)]
            assert not bench.seen.dones and not bench.dut.op_ready_o.value
            await bench.kill()
    bench.ids = {IDS: 8, IDS + 1: 0, IDS + 2: 3}
    await bench.issue([op], [0])
    await bench.drain()
    check_bytes(bench, [op])


async def killed_at_random(dut, external: bool) -> None:
    rng = random.Random(SEED + 5 + external)
    bench = Bench(dut, rng)
    await bench.reset(external)
    for _ in range(8):
        if external:
            bench.pause(rng.choice([0.0, 0.3, 0.6]))
        ops = random_ops(rng, 4, bench.ids)
        for _ in range(rng.randint(1, 250)):
            if await bench.step(ops[0] if ops else None):
                ops.pop(0)
        await bench.kill()
        op = random_linear(rng, 7)
        await bench.issue([op], [0])
        await bench.drain()
        check_bytes(bench, [op])
        bench.seen = Seen()
        bench.ar.bursts.clear()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_killed_unit_ends_its_bursts(dut) -> None:
    """A kill at any cycle on the reference memory, then a clean operation."""
    await killed_at_random(dut, external=False)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_killed_unit_ends_its_bursts_under_backpressure(dut) -> None:
    """The same with pauses, where an address may wait for ready when the kill comes."""
    await killed_at_random(dut, external=True)
