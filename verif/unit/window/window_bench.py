# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the dispatch window: instructions with operands from few places, played in as dispatch does it.

The bench gives each instruction's operands one a cycle, collects the answers and allocates with them; it plays the
units, which finish in any order whatever is clear. Every cycle's outputs are compared with a model that knows the
instructions, and the rules of docs/developer/microarchitecture.md, but no slots' comparisons.
"""

import os
import random
from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock
from ga2.spec import ISA

ADDR_BITS = int(os.environ["GA2_ADDR_BITS"])
BANKS = int(os.environ["GA2_BANKS"])
SEED = int(os.environ.get("GA2_SEED", "0"))
SLOTS = 8
BANK_WORDS = (1 << ADDR_BITS - 1) // BANKS
MATRIX = ISA.units["matrix"]
UNITS = sorted(set(ISA.units.values()))
DST, FIRST, SECOND, AUX = range(4)
Range = tuple[int, int]


@dataclass
class Instruction:
    """What one instruction touches. `operands`: index -> (lo, hi, written), words of the scratchpad."""

    unit: int
    pc: int
    opcode: int
    operands: dict[int, tuple[int, int, bool]]
    ext: tuple[int, int, bool] | None
    is_noop: bool
    slot: int = -1
    seq: int = -1
    finished: bool = False
    waits_for: set[int] = field(default_factory=set)  # sequence numbers

    def banks(self, index: int) -> int:
        lo, hi, _ = self.operands[index]
        return sum(1 << bank for bank in range(lo // BANK_WORDS, (hi - 1) // BANK_WORDS + 1)) if hi > lo else 0


def meet(a: Range, b: Range) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def must_wait(new: Instruction, old: Instruction) -> bool:
    """The contract's dependency rules."""
    other_unit = new.unit != old.unit
    for i, (lo, hi, writes) in new.operands.items():
        for j, (old_lo, old_hi, old_writes) in old.operands.items():
            if meet((lo, hi), (old_lo, old_hi)) and (other_unit if writes else old_writes):
                return True
            if new.banks(i) & old.banks(j):
                if other_unit and writes == old_writes:
                    return True
                if new.unit == old.unit == MATRIX and j == AUX and i in (FIRST, SECOND) and not old_writes:
                    return True
    if new.ext and old.ext and meet(new.ext[:2], old.ext[:2]):
        return other_unit if new.ext[2] else old.ext[2]
    return False


def random_range(rng: random.Random) -> Range:
    """Words from a few places, so that ranges touch, meet and miss by one."""
    lo = rng.choice([0, 5, BANK_WORDS - 2, BANK_WORDS, 3 * BANK_WORDS, 7 * BANK_WORDS + 1]) + rng.randint(0, 4)
    return lo, min(lo + rng.choice([0, 1, 2, 5, BANK_WORDS]), BANKS * BANK_WORDS)


def random_instruction(rng: random.Random, pc: int) -> Instruction:
    """Operands as a unit may have them: a matrix product streams from its first two and drains its third."""
    unit = rng.choice([*UNITS, MATRIX])
    operands = {}
    for index in range(4):
        if rng.random() < 0.7:
            lo, hi = random_range(rng)
            writes = index == DST or (index == AUX and unit != MATRIX and rng.random() < 0.5)
            operands[index] = (lo, hi, writes)
    lo = rng.choice([0, 64, 2**32 - 64]) + rng.randint(0, 3)
    ext = (lo, lo + rng.choice([0, 1, 4, 60]), rng.random() < 0.5) if rng.random() < 0.4 else None
    return Instruction(unit, pc, rng.getrandbits(8), operands, ext, is_noop=rng.random() < 0.08)


def joined(fields: list[int], width: int) -> int:
    return sum(value << width * index for index, value in enumerate(fields))


class Bench:
    """The window, its model, and the signals of the cycle."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut = dut
        self.rng = rng
        self.flight: list[Instruction] = []  # in program order, retired ones gone
        self.head = self.tail = self.seq = 0
        self.clear_slots = 0
        self.waited = self.retired = 0
        self.pc = 0
        self.eager = 0.5

    async def reset(self) -> None:
        dut = self.dut
        for handle in dut:
            if handle._name.endswith("_i") and handle._name != "clk_i":
                handle.value = 0
        dut.rst_ni.value = 0
        await start_clock(dut.clk_i)
        for _ in range(3):
            await RisingEdge(dut.clk_i)
        dut.rst_ni.value = 1

    def forget(self) -> None:
        """What a kill does."""
        self.flight.clear()
        self.head = self.tail = self.clear_slots = 0

    def alive(self, seq: int) -> bool:
        return any(one.seq == seq and not one.finished for one in self.flight)

    def check(self) -> None:
        """Every output, in the middle of a cycle."""
        dut, slots = self.dut, {one.slot: one for one in self.flight}
        assert bool(dut.full_o.value) == (len(self.flight) == SLOTS)
        assert bool(dut.empty_o.value) == (not self.flight)
        assert int(dut.tail_o.value) == self.tail
        clear = int(dut.clear_o.value)
        for slot, one in slots.items():
            held = any(self.alive(seq) for seq in one.waits_for)
            assert bool(clear >> slot & 1) == (not held), f"slot {slot} {one}: clear is {not held}"
        assert bool(dut.waiting_o.value) == any(not clear >> slot & 1 for slot in slots)
        self.clear_slots = clear
        head = self.flight[0] if self.flight else None
        assert bool(dut.retire_valid_o.value) == bool(head and head.finished)
        assert int(dut.oldest_pc_o.value) == (head.pc if head else self.pc)
        asked = int(dut.pc_slot_i.value)
        if asked in slots:
            assert int(dut.pc_o.value) == slots[asked].pc
        if head and head.finished:
            lo, hi, _ = head.operands.get(DST, (0, 0, True))
            if head.ext and head.ext[2]:
                lo, hi = head.ext[0] & 0xFFFFFFFF, head.ext[1] & 0xFFFFFFFF
            shown = ("seq", "pc", "opcode", "unit", "dst_lo", "dst_hi")
            seen = tuple(int(getattr(dut, f"retire_{name}_o").value) for name in shown)
            expected = (self.seq, head.pc, head.opcode, head.unit, lo, hi)
            assert seen == expected, f"{head}: retired as {seen}, not {expected}"

    async def step(self, kill: bool = False, start: bool = False, alloc: Instruction | None = None) -> tuple[int, int]:
        """One cycle with random completions: (hits, slots done in it)."""
        dut, rng = self.dut, self.rng
        done = 0
        for one in self.flight:
            if not one.finished and self.clear_slots >> one.slot & 1 and rng.random() < self.eager:
                done |= 1 << one.slot
        dut.done_i.value, dut.kill_i.value, dut.start_i.value = done, int(kill), int(start)
        dut.alloc_i.value, dut.pc_slot_i.value = int(alloc is not None), rng.randrange(SLOTS)
        await FallingEdge(dut.clk_i)
        self.check()
        hits = int(dut.hits_o.value)
        await RisingEdge(dut.clk_i)
        if self.flight and self.flight[0].finished and not kill:
            self.flight.pop(0)
            self.head = (self.head + 1) % SLOTS
            self.seq += 1
            self.retired += 1
        if start:
            self.seq = 0
        for one in self.flight:
            one.finished |= bool(done >> one.slot & 1)
        if alloc is not None:
            alloc.slot = self.tail
            self.tail = (self.tail + 1) % SLOTS
            self.flight.append(alloc)
        self.clear_slots &= sum(1 << one.slot for one in self.flight if one is not alloc)
        if kill:
            self.forget()
        return hits, done

    def put_kind(self, one: Instruction, index: int | None) -> None:
        """The signals that come a cycle after an operand's words."""
        dut = self.dut
        external = index == 4 and one.ext is not None
        dut.probe_inner_i.value = int(index is not None and index < 4)
        dut.probe_ext_i.value = int(external)
        writes = one.ext[2] if external else index is not None and index < 4 and one.operands[index][2]
        dut.probe_write_i.value = int(bool(writes))
        dut.probe_stream_i.value = int(one.unit == MATRIX and index in (FIRST, SECOND))
        lo, hi = one.ext[:2] if external else (self.rng.getrandbits(33), self.rng.getrandbits(33))
        dut.probe_ext_lo_i.value, dut.probe_ext_hi_i.value = lo, hi

    def put_words(self, one: Instruction, index: int | None) -> None:
        """An operand's words, or none."""
        dut = self.dut
        inner = index is not None and index < 4
        noise = (self.rng.getrandbits(ADDR_BITS), self.rng.getrandbits(ADDR_BITS))
        lo, hi = one.operands[index][:2] if inner else noise
        dut.probe_spad_i.value = int(inner)
        dut.probe_lo_i.value, dut.probe_hi_i.value = lo, hi
        dut.probe_banks_i.value = one.banks(index) if inner else self.rng.getrandbits(BANKS)

    def put_allocation(self, one: Instruction, deps: int) -> None:
        dut = self.dut
        every = [one.operands.get(index, (0, 0, False)) for index in range(4)]
        valid = joined([int(index in one.operands) for index in range(4)], 1)
        dut.alloc_done_i.value, dut.alloc_deps_i.value = int(one.is_noop), deps
        dut.alloc_unit_i.value, dut.alloc_pc_i.value, dut.alloc_opcode_i.value = one.unit, one.pc, one.opcode
        dut.alloc_valid_i.value = 0 if one.is_noop else valid
        dut.alloc_write_i.value = joined([int(writes) for _, _, writes in every], 1)
        dut.alloc_lo_i.value = joined([lo for lo, _, _ in every], ADDR_BITS)
        dut.alloc_hi_i.value = joined([hi for _, hi, _ in every], ADDR_BITS)
        banks = [one.banks(index) if index in one.operands else 0 for index in range(4)]
        dut.alloc_banks_i.value = joined(banks, BANKS)
        lo, hi, writes = one.ext or (0, 0, False)
        dut.alloc_ext_valid_i.value, dut.alloc_ext_write_i.value = int(one.ext is not None), int(writes)
        dut.alloc_ext_lo_i.value, dut.alloc_ext_hi_i.value = lo, hi

    async def dispatch(self, one: Instruction) -> None:
        """Probe the operands, one a cycle, then allocate as soon as there is a place."""
        dut = self.dut
        dut.alloc_pc_i.value = self.pc = one.pc
        dut.probe_unit_i.value = one.unit
        order = [] if one.is_noop else [*sorted(one.operands), *([4] if one.ext else [])]
        deps, asked = 0, [*order, None]
        self.put_kind(one, None)
        for now, before in zip(asked, [None, *order], strict=True):
            self.put_words(one, now)
            self.put_kind(one, before)
            hits, done = await self.step()
            assert before is not None or hits == 0, "a hit without an operand"
            deps = (deps | hits) & ~done
        self.put_kind(one, None)
        while len(self.flight) == SLOTS:
            deps &= ~(await self.step())[1]
        # What the bench knows of the instructions, beside what the window said.
        one.waits_for = {old.seq for old in self.flight
                         if not one.is_noop and not old.finished and must_wait(one, old)}  # fmt: skip
        wanted = sum(1 << old.slot for old in self.flight if old.seq in one.waits_for)
        assert deps == wanted, f"{one} waits for slots {deps:#x}, not {wanted:#x}, of {self.flight}"
        self.waited += bool(deps)
        one.seq = self.seq + len(self.flight)
        one.finished = one.is_noop
        self.put_allocation(one, deps)
        await self.step(alloc=one)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def random_programs(dut) -> None:
    """Programs of any speed of their units, some killed: each instruction waits for just those that it must."""
    rng = random.Random(SEED)
    bench = Bench(dut, rng)
    await bench.reset()
    for program in range(24):
        bench.eager = rng.choice([0.02, 0.1, 0.5, 1.0])
        await bench.step(start=True)
        for number in range(rng.randint(33, 40)):  # a kill, or an end, finds the tail in any slot
            await bench.dispatch(random_instruction(rng, (program << 8) + number))
        if program % 3 == 2:
            await bench.step(kill=True)
            assert not bench.flight
        bench.eager = 0.5
        for _ in range(400):
            if not bench.flight:
                break
            await bench.step()
        assert not bench.flight, f"never retired: {bench.flight}"
    assert bench.retired > 600 and bench.waited > 300
