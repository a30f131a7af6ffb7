# SPDX-License-Identifier: Apache-2.0
"""A program in which a `$fatal` ended the simulation: an assertion of the RTL, or a rule of its testbench.

Behind a `$fatal` nothing runs in the simulation any more. So a bench announces each program before it loads it, and
the process that ran the simulation reports (`ga2.sim.run`), from that and from the events up to the end:

    announce(failed)                  # in the simulation
    report_ended(directory, fatal)    # behind it
"""

import pickle
from dataclasses import replace
from pathlib import Path

from cocotb.utils import get_sim_time

from ga2.device.clock import CLOCK_NS
from ga2.golden.resolve import Resolved
from ga2.sim.fatal import Fatal
from ga2.sim.follow_up import UNDER_WAY
from verif.locate.events import EVENTS, EventLog, ProgramEvents
from verif.locate.failed_program import FailedProgram
from verif.locate.report import instruction_of, keep, located


def announce(failed: FailedProgram) -> None:
    """This program is loaded and run next. Costs a millisecond."""
    UNDER_WAY.write_bytes(pickle.dumps((failed, int(get_sim_time("ns")))))


def report_ended(directory: Path, fatal: Fatal) -> str:
    """Keep the program that the failed simulation in a folder had under way, and say where it was."""
    failed, announced = pickle.loads((directory / UNDER_WAY).read_bytes())
    failed = replace(failed, rule=fatal.message)
    events = events_of(directory, failed, announced)
    return keep(failed, [f"{failed.title}: {fatal.message}", *ended(failed, fatal, events)], directory)


def events_of(directory: Path, failed: FailedProgram, since: int = 0) -> ProgramEvents | None:
    """The events of the last program of a simulation; None if none are logged since a time (ns)."""
    events = EventLog(failed.config.bus_bytes, failed.config.cols, directory / EVENTS).poll()
    return events if events is not None and events.time_ns >= since else None


def cycle_of_end(fatal: Fatal, events: ProgramEvents) -> int:
    """The cycle whose values broke the rule, counted as events are."""
    return (fatal.time_ns - events.time_ns) // CLOCK_NS


def ended(failed: FailedProgram, fatal: Fatal, events: ProgramEvents | None) -> list[str]:
    """Where the program was: last retired, in flight, and what had gone wrong by then."""
    if events is None:
        return [f"{fatal.scope} ended the simulation at {fatal.time_ns} ns; no event of the program is logged"]
    outcome = failed.meaning()
    resolved = {each.pc: each for each in outcome.resolved}
    lines = [f"{fatal.scope} ended the simulation in cycle {cycle_of_end(fatal, events)}"]
    if events.trace:
        last = events.trace[-1]
        text = instruction_of(last.pc, resolved.get(last.pc), failed)
        lines += [f"last retired, in cycle {last.cycle}:", f"  {text}"]
    else:
        lines.append("nothing has retired")
    flying = _in_flight(failed, events, resolved)
    lines += ["in flight:", *flying] if flying else ["nothing is in flight in any unit"]
    return lines + located(failed, outcome, events, unfinished=True)


def _in_flight(failed: FailedProgram, events: ProgramEvents, resolved: dict[int, Resolved]) -> list[str]:
    """Everything that a unit has taken in and that has not retired, the oldest first."""
    retired = {record.pc for record in events.trace}
    lines = []
    for pc, activity in sorted(events.activities.items()):
        if activity.taken is not None and pc not in retired:
            state = "at work" if activity.done is None else f"done in cycle {activity.done}"
            unit = f"{resolved[pc].unit} unit, " if pc in resolved else ""
            lines.append(f"  {instruction_of(pc, resolved.get(pc), failed)}")
            lines.append(f"    {unit}taken in in cycle {activity.taken}, {state}")
    return lines
