# SPDX-License-Identifier: Apache-2.0
"""One case of the locator in a simulation of its own: carries out what the folder $GA2_CASE holds.

located.json receives the lines of the report, the cycle to look at, and whether anything differed. With +dump the
program is dumped as the testbench's plusargs say (`verif/tb/ga2_wave_probe.sv`).
"""

import json
import logging
import os
from pathlib import Path

import cocotb

from ga2.device.compare import counter_differences
from ga2.device.protocol import RunResult
from ga2.device.rtl import DeviceError, RtlDevice
from ga2.golden.interpreter import Outcome
from ga2.timing.model import predict
from ga2.waves.texts import write_hex
from verif.core.hostile_device import HostileDevice
from verif.locate import hang
from verif.locate.case import Case
from verif.locate.divergence import divergences
from verif.locate.events import EventLog, ProgramEvents
from verif.locate.report import cycle_of, located
from verif.locate.texts import instruction_texts


@cocotb.test()
async def replay(dut) -> None:
    """Run the case once on a core that has just been reset."""
    logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)
    folder = Path(os.environ["GA2_CASE"])
    case = Case.load(folder)
    device = await _ready(dut, case)
    log = EventLog(case.config.bus_bytes, case.config.cols)
    if "dump" in cocotb.plusargs:
        write_hex(Path("lanes.hex"), instruction_texts(case))
        write_hex(Path("label.hex"), [case.program.name[:40].encode("ascii", "replace").decode()])
        await device.dump_next(last=True)
    outcome = case.meaning()
    result, stuck = await _run(device, case)
    events = log.poll()
    assert events is not None, "the testbench logged nothing"
    lines = _differences(case, outcome, result, events)
    state = hang.read_state() if _hung(outcome, result) else None
    if state is not None:
        lines += ["it hangs:", *(f"  {line}" for line in hang.explain(state, case.program.image))]
    if lines:
        lines += located(case, outcome, events)
    facts = {"lines": lines, "cycle": cycle_of(case, outcome, events), "different": bool(lines), "stuck": stuck}
    (folder / "located.json").write_text(json.dumps(facts))


async def _ready(dut, case: Case) -> RtlDevice:
    """The core with the case's program loaded, and its events logged."""
    kind = HostileDevice if case.profile is not None else RtlDevice
    device = kind(dut, case.config, case.memory_bytes)
    await device.start()
    if isinstance(device, HostileDevice) and case.profile is not None:
        await device.behave(case.profile)
    for address, data in case.program.memory.items():
        await device.write(address, data)
    await device.set("WATCHDOG", case.watchdog)
    await device.load_image(case.program.image, case.image_address)
    await device.set_windows(case.program.windows)
    await device.log_events()
    return device


async def _run(device: RtlDevice, case: Case) -> tuple[RunResult | None, str]:
    """The program's result; None, and why, if it never ended."""
    try:
        result = await device.run(case.entry, case.program.length, case.program.m)
    except (DeviceError, AssertionError) as error:
        await device.log_state()
        return None, str(error)
    return result, ""


def _hung(outcome: Outcome, result: RunResult | None) -> bool:
    if result is None or result.fault is None:
        return result is None
    return result.fault.name == "watchdog" and result.fault != outcome.fault


def _differences(case: Case, outcome: Outcome, result: RunResult | None, events: ProgramEvents) -> list[str]:
    if result is None:
        return ["the program does not end"]
    lines = [] if result.fault == outcome.fault else [f"fault: golden {outcome.fault}, RTL {result.fault}"]
    events.settle()
    wrong = divergences(outcome, events, case.config)
    if wrong:
        lines.append(f"{sum(len(each.wrong) for each in wrong)} bytes written by {len(wrong)} instructions differ")
    if case.profile is None or case.profile.ready:
        found = counter_differences(RunResult(predict(case.config, outcome)), result)
        lines += [str(each) for each in found[:1]]
    return lines
