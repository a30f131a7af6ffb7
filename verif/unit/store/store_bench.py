# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the store unit: bytes, guard bytes, cycles, bus rules, errors and kills.

One sample a cycle, in the middle of it. The bench plays the scratchpad: a read is answered in the following cycle only
(garbage otherwise). Bytes are compared twice: beats as they pass (every mode), and in test_store.py the reference
memory at the end of the run, guard bytes included, against `expected.json` written here.
"""

import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotbext.axi import AxiSlaveWrite, AxiWriteBus, Region

from ga2.spec import ISA, load_config
from ga2.timing.ops import StOp
from ga2.timing.store import StoreUnit
from verif.unit.axi_rules import AddressRules, WriteDataRules
from verif.unit.mover_bench import MoverBench, Seen
from verif.unit.op_bits import pack

MEMORY_BYTES = 65536
GUARD = 0xAA
SEED = int(os.environ.get("GA2_SEED", "0"))
CONFIG = load_config("nano").model_copy(
    update={"cols": int(os.environ["GA2_COLS"]), "bus_bytes": int(os.environ["GA2_BUS_BYTES"])}
)
COLS = CONFIG.cols


def spad_word(address: int) -> bytes:
    """What the bench's scratchpad holds at a word address."""
    return bytes((address * 73 + (address >> 8) * 11 + lane * 29 + 7) & 0xFF for lane in range(COLS))


class BytesRegion(Region):
    """An AXI target that keeps what is written and fails at the addresses in `bad`."""

    def __init__(self) -> None:
        super().__init__(MEMORY_BYTES)
        self.data = bytearray([GUARD]) * MEMORY_BYTES
        self.bad: set[int] = set()

    async def _write(self, address: int, data: bytes, **kwargs) -> None:
        if any(a in self.bad for a in range(address, address + len(data))):
            raise ValueError("injected")
        self.data[address : address + len(data)] = data


class Bench(MoverBench[StOp]):
    """The unit under test, its clock and its scratchpad."""

    def __init__(self, dut, rng: random.Random) -> None:
        super().__init__(dut, rng, ("awready", "wready", "bvalid", "bresp", "bid"))
        self.aw = AddressRules("AW", CONFIG.bus_bytes)
        self.w = WriteDataRules()
        self.aw_known = False
        self.written: list[int] = []
        self.region = BytesRegion()

    def connect(self) -> tuple[Any, list[Any]]:
        """A slave that keeps what is written."""
        bus = AxiWriteBus.from_prefix(self.dut, "m_axi")
        slave = AxiSlaveWrite(bus, self.dut.clk_i, self.dut.rst_ni, target=self.region, reset_active_level=False)
        return slave, [slave.aw_channel, slave.w_channel, slave.b_channel]

    async def step(self, op: StOp | None = None, kill: bool = False) -> bool:
        """One cycle, offering `op`; True if it was accepted."""
        dut = self.dut
        dut.op_valid_i.value = int(op is not None)
        if op is not None:
            dut.op_i.value = pack(op)
        dut.kill_i.value = int(kill)
        if self.read_request is None:
            dut.rd_data_i.value = self.rng.getrandbits(8 * COLS)
        else:
            dut.rd_data_i.value = int.from_bytes(spad_word(self.read_request), "little")
        await FallingEdge(dut.clk_i)
        accepted = self.sample(op)
        self.sample_bus()
        await RisingEdge(dut.clk_i)
        return accepted

    def sample_bus(self) -> None:
        """Check the rules of AW and W and collect the bytes."""
        dut = self.dut
        valid, ready = bool(dut.aw_valid_o.value), bool(dut.aw_ready_o.value)
        address, length = (int(dut.m_axi_awaddr.value), int(dut.m_axi_awlen.value)) if valid else (0, 0)
        self.aw.check_burst(valid, ready, address, length)
        if valid and not self.aw_known:
            assert int(dut.m_axi_awburst.value) == 1 and 1 << int(dut.m_axi_awsize.value) == CONFIG.bus_bytes
            self.w.bursts.append(length + 1)
        self.aw_known = valid and not ready
        valid, ready = bool(dut.w_valid_o.value), bool(dut.w_ready_o.value)
        assert bool(dut.beat_o.value) == (valid and ready)
        data, last = (int(dut.m_axi_wdata.value), bool(dut.m_axi_wlast.value)) if valid else (0, False)
        if self.w.check_beat(valid, ready, data, last):
            assert int(dut.m_axi_wstrb.value) == (1 << CONFIG.bus_bytes) - 1
            self.written.append(data)
            self.seen.beats += 1

    async def kill(self) -> None:
        """Kill until nothing is outstanding, then check that nothing was done or begun meanwhile."""
        await self.step(kill=True)
        self.seen = Seen()
        held = self.aw_known or bool(self.dut.aw_valid_o.value)
        bursts = len(self.aw.bursts)
        await self.kill_until_quiet()
        assert not self.seen.dones and not self.seen.errors
        assert not self.dut.busy_o.value and not self.dut.aw_valid_o.value and not self.dut.w_valid_o.value
        assert len(self.aw.bursts) - bursts <= held, "a new burst after the kill"
        assert not self.w.bursts, "a burst did not get its beats"
        self.clear()

    def clear(self) -> None:
        """Forget what was seen."""
        self.seen = Seen()
        self.aw.bursts.clear()
        self.written.clear()


def random_op(rng: random.Random, slot: int) -> StOp:
    """A store; one in two begins close below a page boundary."""
    page = 4096 // COLS
    words = min(400, rng.choice([1, 1, 2, 3, rng.randint(1, 20), rng.randint(1, page // 4), rng.randint(1, 600)]))
    rows = rng.randint(1, max(1, min(9, 400 // words)))
    pitch = words + rng.choice([0, 1, rng.randint(0, 40)])
    space = MEMORY_BYTES // COLS - (rows - 1) * pitch - words
    start = rng.randint(0, space)
    if rng.random() < 0.5:
        start = min(space, max(0, rng.randint(1, 15) * page - rng.randint(0, 5)))
    return StOp(
        slot=slot,
        src=rng.randint(0, 0x4000),
        src_pitch=rng.randint(words, words + 5),
        rows=rows,
        words=words,
        ext_addr=start * COLS,
        ext_pitch_bytes=pitch * COLS,
    )


def rows_of(op: StOp) -> list[tuple[int, bytes]]:
    """The byte address and bytes of each row."""
    return [
        (
            op.ext_addr + row * op.ext_pitch_bytes,
            b"".join(spad_word(op.src + row * op.src_pitch + word) for word in range(op.words)),
        )
        for row in range(op.rows)
    ]


def check_bytes(bench: Bench, ops: list[StOp]) -> None:
    """Every beat, in order, at its address; one done an operation, in order; no error."""
    rows = [row for op in ops for row in rows_of(op)]
    data = b"".join(data for _, data in rows)
    seen = b"".join(beat.to_bytes(CONFIG.bus_bytes, "little") for beat in bench.written)
    assert data and seen == data
    step = CONFIG.bus_bytes
    wanted = [a for address, row in rows for a in range(address, address + len(row), step)]
    assert wanted == [a for address, beats in bench.aw.bursts for a in range(address, address + beats * step, step)]
    assert [slot for _, slot in bench.seen.dones] == [op.slot for op in ops]
    assert not bench.seen.errors


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def bytes_survive_backpressure(dut) -> None:
    """Random pauses on AW, W and B: same bytes, same order, guard bytes untouched."""
    rng = random.Random(SEED + 1)
    bench = Bench(dut, rng)
    await bench.reset(external=True)
    memory = bytearray([GUARD]) * MEMORY_BYTES
    for probability in (0.0, 0.5):
        bench.pause(probability)
        bench.clear()
        ops = [random_op(rng, index % 8) for index in range(6)]
        await bench.issue(ops, [0] * len(ops))
        await bench.drain()
        check_bytes(bench, ops)
        for op in ops:
            for address, data in rows_of(op):
                memory[address : address + len(data)] = data
        assert bench.region.data == memory


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_bad_burst_is_reported(dut) -> None:
    """SLVERR on each beat of an operation in turn: code, its burst's address, slot; older operations are done."""
    rng = random.Random(SEED + 2)
    bench = Bench(dut, rng)
    await bench.reset(external=True)
    good = StOp(slot=1, src=5, src_pitch=3, rows=2, words=3, ext_addr=0, ext_pitch_bytes=64)
    bad = replace(good, slot=2, src=100, ext_addr=4096 - 2 * COLS, ext_pitch_bytes=3 * COLS)
    after = replace(good, slot=3, src=200, ext_addr=16384)
    bursts = [4096 - 2 * COLS] * 2 + [4096] + [4096 + COLS] * 3  # by word: 2 words, page, 1 word, then the second row
    for beat in range(6 * CONFIG.beats_per_word):
        bench.pause(rng.choice([0.0, 0.5]))
        bench.region.bad = {bad.ext_addr + beat * CONFIG.bus_bytes}
        await bench.issue([good, bad, after], [0, rng.randint(0, 4), rng.randint(0, 4)])
        await bench.until_error()
        for _ in range(rng.randint(0, 60)):
            await bench.step()
        assert bench.seen.errors == [(ISA.faults["write_slverr"].code, bursts[beat // CONFIG.beats_per_word], 2)]
        assert [slot for _, slot in bench.seen.dones] == [1]
        await bench.kill()
    bench.region.bad = set()
    await bench.issue([after], [0])
    await bench.drain()
    check_bytes(bench, [after])


async def killed_at_random(dut, external: bool) -> None:
    rng = random.Random(SEED + 5 + external)
    bench = Bench(dut, rng)
    await bench.reset(external)
    for _ in range(8):
        if external:
            bench.pause(rng.choice([0.0, 0.3, 0.6]))
        ops = [random_op(rng, slot) for slot in range(4)]
        for _ in range(rng.randint(1, 200)):
            if await bench.step(ops[0] if ops else None):
                ops.pop(0)
        await bench.kill()
        op = random_op(rng, 7)
        await bench.issue([op], [0])
        await bench.drain()
        check_bytes(bench, [op])
        bench.clear()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_killed_unit_ends_its_bursts(dut) -> None:
    """A kill at any cycle on the reference memory, then a clean operation."""
    await killed_at_random(dut, external=False)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_killed_unit_ends_its_bursts_under_backpressure(dut) -> None:
    """The same with pauses, where an address may wait for ready when the kill comes."""
    await killed_at_random(dut, external=True)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def beats_beyond_the_memory_are_decode_errors(dut) -> None:
    """DECERR from the reference memory: the address of the burst that reaches beyond it."""
    bench = Bench(dut, random.Random(SEED + 3))
    await bench.reset()
    op = StOp(slot=5, rows=1, words=4, ext_addr=MEMORY_BYTES)
    await bench.issue([op], [0])
    await bench.until_error()
    assert bench.seen.errors == [(ISA.faults["write_decerr"].code, MEMORY_BYTES, 5)]
    assert not bench.seen.dones
    await bench.kill()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def cycles_equal_the_closed_form(dut) -> None:
    """Back to back and spread random operations on the reference memory: start, done and busy in every cycle.

    Run alone, it leaves in `expected.json` what the dump of the memory must show, and nothing else beside guard bytes.
    """
    rng = random.Random(SEED)
    bench = Bench(dut, rng)
    await bench.reset()
    ops = [random_op(rng, index % 8) for index in range(30)]
    gaps = [rng.choice([0, 0, 0, rng.randint(1, 30), rng.randint(0, 400)]) for _ in ops]
    earliest = await bench.issue(ops, gaps)
    await bench.drain()
    check_bytes(bench, ops)
    model = StoreUnit(CONFIG)
    times = [model.issue(op, first) for op, first in zip(ops, earliest, strict=True)]
    bench.check_times(ops, times)
    Path("expected.json").write_text(json.dumps([[address, data.hex()] for op in ops for address, data in rows_of(op)]))
