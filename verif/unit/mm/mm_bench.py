# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the matrix unit: bytes, cycles, and every access to the memories.

One sample a cycle, in the middle of it. Memory that an operation has no business with is X in Icarus: a byte beyond m,
n or k that reached a result would make it X, and X is no integer.
"""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.types import LogicArray

from ga2.device.clock import start_clock
from ga2.spec import load_config
from ga2.timing.matrix import MatrixUnit
from ga2.timing.ops import MmOp
from verif.unit.mm.cases import Case, Word, random_sequence, tosa_cases
from verif.unit.op_bits import layout, pack

SEED = int(os.environ.get("GA2_SEED", "0"))
EFFORT = int(os.environ.get("GA2_EFFORT", "6"))  # sequences a test
CONFIG = load_config("nano").model_copy(
    update={name: int(os.environ[f"GA2_{name.upper()}"]) for name in ("rows", "cols", "lanes")}
)
HAS_X = "icarus" in cocotb.SIM_NAME.lower()
OP_BITS = sum(width for _, width in layout("mm_op_t"))
READERS = ("left", "right", "aux", "const")


class Bench:
    """The unit under test between its memories; records what happens in which cycle."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut = dut
        self.rng = rng
        self.cycle = 0
        self.forget()

    def forget(self) -> None:
        """Begin a new record."""
        self.starts: list[int] = []
        self.earliest: list[int] = []
        self.dones: list[tuple[int, int]] = []  # (cycle, slot)
        self.writes: list[tuple[int, int, int]] = []  # (cycle, address, value)
        self.reads: dict[str, list[int]] = {name: [] for name in READERS}  # addresses
        self.busy: set[int] = set()
        self.stepping: set[int] = set()

    async def reset(self) -> None:
        """Start the clock and reset."""
        dut = self.dut
        for name in ("kill", "poison", "set_en", "set_addr", "set_data", "set_const_en", "set_const_addr",
                     "set_const_data", "op_valid", "op"):  # fmt: skip
            getattr(dut, f"{name}_i").value = 0
        dut.rst_ni.value = 0
        await start_clock(dut.clk_i)
        for _ in range(3):
            await RisingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        await RisingEdge(dut.clk_i)

    def unknown(self, word: Word) -> LogicArray | int:
        """A word with X (random bits where the simulator has none) for the bytes that must not matter."""
        if HAS_X:
            return LogicArray("".join("X" * 8 if byte is None else f"{byte:08b}" for byte in reversed(word)))
        return int.from_bytes(bytes(self.rng.getrandbits(8) if byte is None else byte for byte in word), "little")

    async def fill(self, cases: list[Case]) -> None:
        """Make all memory unknown, then write what the cases define."""
        dut = self.dut
        dut.poison_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.poison_i.value = 0
        words = [item for case in cases for item in case.words.items()]
        constants = [item for case in cases for item in case.constants.items()]
        for index in range(max(len(words), len(constants))):
            dut.set_en_i.value = int(index < len(words))
            dut.set_const_en_i.value = int(index < len(constants))
            if index < len(words):
                dut.set_addr_i.value, dut.set_data_i.value = words[index][0], self.unknown(words[index][1])
            if index < len(constants):
                address, c = constants[index]
                bits = (c["bias"] & 0xFFFFFFFF) << 53 | c["mult"] << 22 | c["shift"] << 16 | c["rfac"] & 0xFFFF
                dut.set_const_addr_i.value, dut.set_const_data_i.value = address, bits
            await RisingEdge(dut.clk_i)
        dut.set_en_i.value = 0
        dut.set_const_en_i.value = 0
        await RisingEdge(dut.clk_i)

    async def step(self, op: MmOp | None = None, kill: bool = False) -> bool:
        """One cycle, offering `op`; True if it was accepted."""
        dut = self.dut
        dut.op_valid_i.value = int(op is not None)
        dut.op_i.value = self.rng.getrandbits(OP_BITS) if op is None else pack(op)
        dut.kill_i.value = int(kill)
        await FallingEdge(dut.clk_i)
        self.cycle += 1
        accepted = op is not None and bool(dut.op_ready_o.value)
        if dut.busy_o.value:
            self.busy.add(self.cycle)
        if dut.stepping_o.value:
            self.stepping.add(self.cycle)
        for name in READERS:
            if getattr(dut, f"{name}_en_o").value:
                self.reads[name].append(int(getattr(dut, f"{name}_addr_o").value))
        if dut.wr_en_o.value:
            self.writes.append((self.cycle, int(dut.wr_addr_o.value), int(dut.wr_data_o.value)))
        if dut.done_o.value:
            self.dones.append((self.cycle, int(dut.done_slot_o.value)))
        await RisingEdge(dut.clk_i)
        return accepted

    async def issue(self, ops: list[MmOp], gaps: list[int]) -> None:
        """Offer the operations in order, each so many cycles after the former one's start."""
        for op, gap in zip(ops, gaps, strict=True):
            for _ in range(gap):
                await self.step()
            self.earliest.append(self.cycle + 1)
            while not await self.step(op):
                assert self.cycle - self.earliest[-1] < 20_000, "never ready"
            self.starts.append(self.cycle)

    async def finish(self) -> None:
        """Step until the unit is idle, and a little more."""
        for _ in range(20_000):
            await self.step()
            if not self.dut.busy_o.value:
                break
        for _ in range(3 * CONFIG.cols):
            await self.step()

    def check(self, cases: list[Case]) -> None:
        """Everything recorded equals the numpy model and the timing model."""
        unit = MatrixUnit(CONFIG)
        times = [unit.issue(case.op, first) for case, first in zip(cases, self.earliest, strict=True)]
        assert self.starts == [time.start for time in times]
        assert self.dones == [(time.end, case.op.slot) for case, time in zip(cases, times, strict=True)]
        assert self.stepping == {cycle for time in times for cycle in time.stepping}
        assert self.busy == {cycle for time in times for cycle in range(time.start + 1, time.end + 1)}
        writes = [event for case, time in zip(cases, times, strict=True) for event in case.writes(CONFIG, time)]
        assert writes, "nothing was compared"
        for seen, wanted in zip(self.writes, writes, strict=True):
            assert seen == wanted, f"(cycle, word, value) {seen}, expected {wanted}; operations {[c.op for c in cases]}"
        for name in READERS:
            wanted = {address for case in cases for address in getattr(case, f"{name}_reads")}
            assert set(self.reads[name]) == wanted, f"{name}: words read and words of the operand differ"
        for name in ("left", "right"):
            wanted = sum(getattr(case, f"{name}_accesses")(CONFIG) for case in cases)
            assert len(self.reads[name]) == wanted, f"{name}: not every word once a tile"


async def run(bench: Bench, cases: list[Case], gaps: list[int]) -> None:
    """Fill, issue, finish, check."""
    bench.forget()
    await bench.fill(cases)
    await bench.issue([case.op for case in cases], gaps)
    await bench.finish()
    bench.check(cases)


@cocotb.test()
async def back_to_back(dut) -> None:
    """Sequences without a gap: any mode after any other, drains under the next operation's stream."""
    rng = random.Random(SEED)
    bench = Bench(dut, rng)
    await bench.reset()
    for _ in range(EFFORT):
        cases = random_sequence(rng, CONFIG, 10)
        await run(bench, cases, [0] * len(cases))


@cocotb.test()
async def spread(dut) -> None:
    """Operations some cycles apart, so that drains end, and do not, before the next one starts."""
    rng = random.Random(SEED + 1)
    bench = Bench(dut, rng)
    await bench.reset()
    for _ in range(EFFORT):
        cases = random_sequence(rng, CONFIG, 8)
        await run(bench, cases, [rng.choice([0, 1, rng.randint(0, 12), rng.randint(0, 90)]) for _ in cases])


@cocotb.test()
async def tosa_vectors(dut) -> None:
    """Products that the TOSA reference model computed."""
    bench = Bench(dut, random.Random(SEED + 3))
    await bench.reset()
    for case in tosa_cases(CONFIG):
        await run(bench, [case], [0])


@cocotb.test()
async def killed(dut) -> None:
    """A kill in any cycle drops everything at once; the next operations are right."""
    rng = random.Random(SEED + 2)
    bench = Bench(dut, rng)
    await bench.reset()
    for _ in range(EFFORT):
        cases = random_sequence(rng, CONFIG, 4)
        await bench.fill(cases)
        for case in cases[:2]:
            await bench.issue([case.op], [0])
        for _ in range(rng.randint(0, 60)):
            await bench.step()
        await bench.step(kill=True)
        bench.forget()
        await bench.step(kill=True)
        assert not bench.busy and not bench.stepping and not bench.writes and not bench.dones
        await run(bench, cases[2:], [0] * len(cases[2:]))
