# SPDX-License-Identifier: Apache-2.0
"""One failed program in a simulation of its own: carries out what the folder $GA2_LOCATE holds.

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
from verif.core.interference import interfere
from verif.locate import hang
from verif.locate.divergence import divergences
from verif.locate.events import EventLog, ProgramEvents
from verif.locate.failed_program import FailedProgram
from verif.locate.report import cycle_of, located
from verif.locate.texts import instruction_texts


@cocotb.test()
async def replay(dut) -> None:
    """Run it once on a core that has just been reset."""
    logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)
    folder = Path(os.environ["GA2_LOCATE"])
    failed = FailedProgram.load(folder)
    device = await _ready(dut, failed)
    log = EventLog(failed.config.bus_bytes, failed.config.cols)
    if "dump" in cocotb.plusargs:
        write_hex(Path("lanes.hex"), instruction_texts(failed))
        write_hex(Path("label.hex"), [failed.program.name[:40].encode("ascii", "replace").decode()])
        await device.dump_next(last=True)
    outcome = failed.meaning()
    result, stuck = await _run(device, failed)
    cut = not stuck and (result is None or _fault(result) == failed.end.kind)
    hung = bool(stuck) or (not cut and _fault(result) == "watchdog" != (outcome.fault and outcome.fault.name))
    events = log.poll()
    assert events is not None, "the testbench logged nothing"
    events.settle()
    lines = _wrong(failed, outcome, events, unfinished=hung or cut)
    if result is not None and not cut:
        lines = _differences(failed, outcome, result) + lines
    elif stuck:
        lines.insert(0, "the program does not end")
    state = hang.read_state() if hung else None
    if state is not None:
        lines += ["it hangs:", *(f"  {line}" for line in hang.explain(state, failed.program.image))]
    if lines:
        lines += located(failed, outcome, events, unfinished=hung or cut)
    facts = {"lines": lines, "cycle": cycle_of(failed, outcome, events), "different": bool(lines), "stuck": stuck}
    (folder / "located.json").write_text(json.dumps(facts))


async def _ready(dut, failed: FailedProgram) -> RtlDevice:
    """The core with the program loaded, and its events logged."""
    kind = HostileDevice if failed.profile is not None else RtlDevice
    device = kind(dut, failed.config, failed.memory_bytes)
    await device.start()
    if isinstance(device, HostileDevice) and failed.profile is not None:
        await device.behave(failed.profile)
    for address, data in failed.program.memory.items():
        await device.write(address, data)
    await device.set("WATCHDOG", failed.watchdog)
    await device.load_image(failed.program.image, failed.image_address)
    await device.set_windows(failed.program.windows)
    await device.log_events()
    return device


async def _run(device: RtlDevice, failed: FailedProgram) -> tuple[RunResult | None, str]:
    """The program's result, None after a reset; None, and why, if it never ended."""
    program, end = failed.program, failed.end
    try:
        if end.kind == "watchdog":
            await device.set("WATCHDOG", end.cycles)
        await device.begin(failed.entry, program.length, program.m)
        return (await device.finish() if await interfere(device, end.kind, end.cycles) else None), ""
    except (DeviceError, AssertionError) as error:
        await device.log_state()
        return None, str(error)


def _fault(result: RunResult | None) -> str:
    return result.fault.name if result is not None and result.fault is not None else ""


def _wrong(failed: FailedProgram, outcome: Outcome, events: ProgramEvents, *, unfinished: bool) -> list[str]:
    """What instructions wrote; an `unfinished` program need not have written everything."""
    found = divergences(outcome, events, failed.config)
    wrong = [each for each in found if not unfinished or each.first.cycle is not None]
    count = sum(len(each.wrong) for each in wrong)
    return [f"{count} bytes written by {len(wrong)} instructions differ"] if wrong else []


def _differences(failed: FailedProgram, outcome: Outcome, result: RunResult) -> list[str]:
    """How it ended, and after how long."""
    lines = [] if result.fault == outcome.fault else [f"fault: golden {outcome.fault}, RTL {result.fault}"]
    if failed.profile is None or failed.profile.ready:
        found = counter_differences(RunResult(predict(failed.config, outcome)), result)
        lines += [str(each) for each in found[:1]]
    return lines
