# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the life of a program: every command and every end, in any cycle and together.

The model follows docs/developer/microarchitecture.md: an imprecise fault stops at once and kills until CLEAR; among the
ends of one cycle a unit's error goes before an abort, that before the watchdog, all before a precise fault, and that
before a good end.
"""

import os
import random
from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock
from ga2.spec import ISA

SEED = int(os.environ.get("GA2_SEED", "0"))
PULSES = ("start", "load", "clear", "abort", "progress", "finish", "load_finish", "precise", "error")
WIDTHS = {
    "watchdog": 32, "precise_code": 8, "precise_pc": 16, "precise_addr": 32,
    "error_code": 8, "error_pc": 16, "error_addr": 32, "oldest_pc": 16,
}  # fmt: skip
STATE = ("busy", "loading", "done", "fault", "kill")
FAULT = ("fault_code", "fault_pc", "fault_addr")
NO_FAULT = (ISA.faults["none"].code, 0, 0)


@dataclass
class Life:
    """The outputs, and for how many cycles nothing has moved."""

    busy: bool = False
    loading: bool = False
    done: bool = False
    fault: bool = False
    kill: bool = False
    why: tuple[int, int, int] = NO_FAULT
    quiet: int = 0
    ends: set[str] = field(default_factory=set)

    def _stop(self, end: str, fault: tuple[int, int, int] | None) -> None:
        self.ends.add(end)
        self.busy = self.loading = False
        if fault is None:
            self.done = True
        else:
            self.fault, self.why = True, fault

    def cycle(self, now: dict[str, int]) -> None:
        """Go to the next cycle under these inputs."""
        busy = self.busy
        expired = busy and now["watchdog"] and self.quiet >= now["watchdog"]
        self.quiet = 0 if not busy or now["progress"] else self.quiet + 1
        if now["clear"]:
            self.done = self.fault = self.kill = False
            self.why = NO_FAULT
        if now["start"] or now["load"]:
            self.busy, self.loading, self.done = True, bool(now["load"]), False
        if not busy:
            return
        if now["error"]:
            self._stop("error", (now["error_code"], now["error_pc"], now["error_addr"]))
            self.kill = True
        elif now["abort"] or expired:
            end = "abort" if now["abort"] else "watchdog"
            self._stop(end, (ISA.faults[end].code, now["oldest_pc"], 0))
            self.kill = True
        elif now["precise"]:
            self._stop("precise", (now["precise_code"], now["precise_pc"], now["precise_addr"]))
        elif now["finish"] or now["load_finish"]:
            self._stop("finish", None)


def inputs(rng: random.Random, life: Life, watchdog: int) -> dict[str, int]:
    """The inputs of one cycle: START, LOAD and CLEAR only where the registers let them through."""
    likely = {"start": 0.2, "load": 0.05, "clear": 0.1, "abort": 0.06, "progress": 0.5, "finish": 0.03, "precise": 0.03,
              "error": 0.06, "load_finish": 0.0}  # fmt: skip
    now = {name: int(rng.random() < likely[name]) for name in PULSES}
    now |= {name: rng.getrandbits(width) for name, width in WIDTHS.items()} | {"watchdog": watchdog}
    if life.busy or life.fault:
        now["start"] = now["load"] = 0
    if life.busy:
        now["clear"] = 0
    if now["start"]:
        now["load"] = 0
    if life.loading:  # no program runs then
        now |= {"finish": 0, "precise": 0, "load_finish": int(rng.random() < 0.1)}
    return now


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def random_lives(dut) -> None:
    """Every output in every cycle; ends that fall into one cycle; a watchdog of few cycles, of many, and none."""
    rng = random.Random(SEED)
    for name in (*PULSES, *WIDTHS):
        getattr(dut, f"{name}_i").value = 0
    dut.rst_ni.value = 0
    await start_clock(dut.clk_i)
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    life = Life()
    for cycle in range(12_000):
        if cycle % 500 == 0:
            watchdog = rng.choice([0, 1, 2, 3, 7, 2**32 - 1])
        now = inputs(rng, life, watchdog)
        if cycle % 2000 > 1500 and watchdog in (1, 2, 3, 7):  # quiet enough for the watchdog alone to end it
            now |= dict.fromkeys(("abort", "finish", "load_finish", "precise", "error"), 0)
        for name, value in now.items():
            getattr(dut, f"{name}_i").value = value
        await FallingEdge(dut.clk_i)
        seen = {name: bool(getattr(dut, f"{name}_o").value) for name in STATE}
        assert seen == {name: getattr(life, name) for name in STATE}, f"cycle {cycle}"
        assert tuple(int(getattr(dut, f"{name}_o").value) for name in FAULT) == life.why, f"cycle {cycle}"
        await RisingEdge(dut.clk_i)
        life.cycle(now)
    assert life.ends == {"error", "abort", "watchdog", "precise", "finish"}
