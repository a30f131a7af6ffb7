# SPDX-License-Identifier: Apache-2.0
"""Shrinks a case in one simulation: plays smaller and smaller ones, the core reset before each.

$GA2_SHRINK names a folder with case.json; best.json there is the smallest that failed, trying.json the one under way:
if the simulation does not survive that one, it failed. $GA2_SECONDS is how long to go on; with $GA2_KNOWN case.json is
known to fail and is not played.
"""

import logging
import os
import time
from pathlib import Path

import cocotb

from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.rtl import DeviceError, RtlDevice
from ga2.golden.interpreter import Outcome
from ga2.spec import load_config
from verif.env.retire_monitor import RetireMonitor
from verif.env.retirement import Retirement, expected_retirements
from verif.programs.case import Case, load_case
from verif.programs.golden_run import run_golden
from verif.programs.program import ENTRY, IMAGE_ADDRESS, MEMORY_BYTES
from verif.programs.shrink import Shrinker, Stop

PATIENCE = 2000  # cycles without progress after which the core's watchdog ends a program


class Bench:
    """The core, and how a single case fares on it."""

    def __init__(self, dut, config_name: str, folder: Path) -> None:
        logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)
        self.config, self.folder = load_config(config_name), folder
        self.rtl = RtlDevice(dut, self.config, MEMORY_BYTES)
        self.shown: list[Retirement] = []
        self.until = time.monotonic() + float(os.environ["GA2_SECONDS"])
        self.dut = dut

    async def start(self) -> None:
        """Before the first case."""
        await self.rtl.start()
        dut = self.dut
        self.monitor = RetireMonitor(dut, "trace", dut.clk, reset_n=dut.rst_n, callback=self.shown.append)

    async def fails(self, case: Case) -> bool:
        """Whether bytes, counters, fault or trace differ from the models'; Stop when time is up."""
        if time.monotonic() > self.until:
            raise Stop
        case.save(self.folder / "trying.json")
        wrong = await self.wrong(case)
        (self.folder / "trying.json").unlink()
        if wrong:
            case.save(self.folder / "best.json")
            (self.folder / "problem.txt").write_text(wrong)
        return bool(wrong)

    async def wrong(self, case: Case) -> str:
        """The first difference in words, or nothing."""
        program, golden = case.to_program(), GoldenDevice(self.config, MEMORY_BYTES)
        await self.rtl.reset()
        await self.rtl.set("WATCHDOG", PATIENCE)
        await golden.write(0, (await self.rtl.memory()).tobytes())
        device = CheckedDevice(self.rtl, golden)
        for address, data in program.memory.items():
            await device.write(address, data)
        await device.load_image(program.image, IMAGE_ADDRESS)
        await device.set_windows(program.windows)
        self.shown.clear()
        try:
            await device.run(ENTRY, program.length, program.m)
        except DeviceError as error:
            return str(error)
        if device.difference is not None:
            return str(device.difference.found)
        return self._trace(run_golden(self.config, program).outcome)

    def _trace(self, outcome: Outcome) -> str:
        due = expected_retirements(outcome)
        for expected, seen in zip(due, self.shown, strict=False):
            if not expected.agrees(seen):
                return f"trace: golden {expected}, RTL {seen}"
        return "" if len(due) == len(self.shown) else f"trace: {len(self.shown)} records, golden {len(due)}"


@cocotb.test()
async def shrink(dut) -> None:
    """From case.json to best.json; a case that passes alone leaves no best.json."""
    folder = Path(os.environ["GA2_SHRINK"])
    case = load_case(folder / "case.json")
    bench = Bench(dut, case.config, folder)
    await bench.start()
    shrinker = Shrinker(case, bench.fails)
    if not os.environ.get("GA2_KNOWN") and not await bench.fails(case):
        return
    await shrinker.shrink()
    dut._log.info("%d cases played, %d lines left", shrinker.tried, len(shrinker.best.program))
