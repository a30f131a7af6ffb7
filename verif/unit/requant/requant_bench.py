# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of one requantising lane: a new operation every cycle, each against `ga2.golden.numerics`."""

import itertools
import os
import random
from collections.abc import Iterable
from dataclasses import dataclass

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.golden.numerics import clamp_byte, rescale, wrap32
from verif.tosa.vectors import vectors

SEED = int(os.environ.get("GA2_SEED", "0"))
LATENCY = 3  # cycles from the sum to the byte; zp, lo and hi go with the byte


@dataclass(frozen=True)
class Item:
    """The inputs of one operation."""

    sum: int
    bias: int = 0
    use_aux: bool = False
    aux: int = 0
    rfac: int = 0
    mult: int = 2**30
    shift: int = 30
    double: bool = False
    zp: int = 0
    lo: int = -128
    hi: int = 127
    given: int | None = None  # the byte that must come out, from elsewhere

    @property
    def byte(self) -> int:
        """The byte that must come out."""
        if self.given is not None:
            return self.given & 0xFF
        acc = wrap32(self.sum + self.bias + (self.aux * self.rfac if self.use_aux else 0))
        value = rescale(acc, self.mult, self.shift, self.double) + self.zp
        return int(clamp_byte(value, self.lo, self.hi)) & 0xFF


async def stream(dut, items: Iterable[Item]) -> int:
    """Feed an item a cycle and check each byte; the number compared."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns", impl="gpi").start())
    dut.en_i.value = 1
    await RisingEdge(dut.clk_i)
    flight: list[Item | None] = [None] * LATENCY
    compared = 0
    for item in itertools.chain(items, [Item(0)] * LATENCY):
        for name, width in (("sum", 32), ("bias", 32), ("aux", 8), ("rfac", 16), ("mult", 31), ("shift", 6)):
            getattr(dut, f"{name}_i").value = getattr(item, name) & ((1 << width) - 1)
        dut.use_aux_i.value, dut.double_i.value = int(item.use_aux), int(item.double)
        due = flight.pop(0)
        for name in ("zp", "lo", "hi"):
            getattr(dut, f"{name}_i").value = 0 if due is None else getattr(due, name) & 0xFF
        await FallingEdge(dut.clk_i)
        if due is not None:
            assert int(dut.byte_o.value) == due.byte, f"{due}: {int(dut.byte_o.value)}, expected {due.byte}"
            compared += 1
        flight.append(item)
        await RisingEdge(dut.clk_i)
    return compared


@cocotb.test()
async def corners(dut) -> None:
    """Every shift with the extremes of sum and multiplier, in both roundings."""
    sums = [-(2**31), -(2**31) + 1, -(2**30), -1, 0, 1, 255, 2**30, 2**31 - 1]
    mults = [0, 1, 2**16 - 1, 2**16, 2**30, 2**31 - 1]
    items = [
        Item(total, mult=mult, shift=shift, double=double)
        for total, mult, shift, double in itertools.product(sums, mults, range(64), (False, True))
    ]
    assert await stream(dut, items) >= len(items) > 6000


@cocotb.test()
async def ties(dut) -> None:
    """Products that lie at a half, just below and just above, for every shift: rounding is half up."""
    items = []
    space = itertools.product(range(1, 32), (-3, -2, -1, 0, 1, 2), (-1, 0, 1), (False, True))
    for shift, target, offset, double in space:
        value = (2 * target + 1) * 2 ** (shift - 1) + offset
        if -(2**31) <= value < 2**31:
            items.append(Item(value, mult=1, shift=shift, double=double))
            items.append(Item(value, mult=2**30, shift=shift + 30, double=double))
    assert await stream(dut, items) >= len(items) > 1000


@cocotb.test()
async def edges_of_ten_bits(dut) -> None:
    """Shifted products around all that ten bits hold, for every shift, with zero points that pull them back."""
    near = [sign * (edge + offset) for sign in (-1, 1) for edge in (128, 256, 512, 1024) for offset in (-1, 0, 1)]
    items = [
        Item(target, mult=1 << shift, shift=shift, double=double, zp=zp)
        for target, shift, double, zp in itertools.product(near, range(31), (False, True), (-128, 127))
    ]
    assert await stream(dut, items) >= len(items) > 2000


@cocotb.test()
async def tosa_vectors(dut) -> None:
    """RESCALE as the TOSA reference model answers it, single and double rounding."""
    items = []
    for v in vectors("rescale"):
        double = v["rounding"] == "double"
        for total, mult, shift, byte in zip(v["sum"], v["mult"], v["shift"], v["byte"], strict=True):
            items.append(Item(total, mult=mult, shift=shift, double=double, zp=v["zp"], given=byte))
    assert {item.double for item in items} == {False, True}
    assert await stream(dut, items) >= len(items) > 2000


@cocotb.test()
async def anything(dut) -> None:
    """Random inputs of which half come out inside the bytes; sums that wrap around; any clamp, also an empty one."""
    rng = random.Random(SEED)
    items = []
    for _ in range(6000):
        bits = rng.randint(1, 31)
        inside = rng.random() < 0.5
        items.append(
            Item(
                sum=rng.randint(-(2**bits), 2**bits - 1),
                bias=rng.choice([0, 0, -(2**31), 2**31 - 1, rng.randint(-(2**31), 2**31 - 1)]),
                use_aux=rng.random() < 0.5,
                aux=rng.choice([-128, 127, rng.randint(-128, 127)]),
                rfac=rng.choice([-(2**15), 2**15 - 1, rng.randint(-(2**15), 2**15 - 1)]),
                mult=rng.randint(2**30, 2**31 - 1) if inside else rng.randint(0, 2**31 - 1),
                shift=min(63, 31 + max(0, bits - 7)) if inside else rng.randint(0, 63),
                double=rng.random() < 0.5,
                zp=rng.randint(-128, 127),
                lo=rng.choice([-128, 0, rng.randint(-128, 127)]),
                hi=rng.choice([127, rng.randint(-128, 127)]),
            )
        )
    assert await stream(dut, items) >= len(items)
