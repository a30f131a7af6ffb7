# SPDX-License-Identifier: Apache-2.0
"""Run a failed program again, in a simulation of its own, and dump the cycles around the place.

First without a dump, in the testbench that is built anyway: its events say where to look. Then, on the reference
memory, in the build that dumps, `AROUND` cycles on each side, with a save file for GTKWave. A program on a memory that
pauses is repeated on the memory that never waits if it fails there too; else its waveform holds the whole run. A
`$fatal` ends the run and with it the waveform; the rules of the bus are watched on the memory that pauses alone, so a
program that broke one is played there unless it breaks the same one here.
"""

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ga2.isa.image import write_whole
from ga2.sim.build import Build, build_core, build_hostile
from ga2.sim.errors import SimulationError
from ga2.sim.fatal import fatal_in
from ga2.sim.run import run
from ga2.waves.dump import Dump
from ga2.waves.savefile import save_file
from verif.locate.ended import cycle_of_end, ended, events_of
from verif.locate.failed_program import FailedProgram

BENCH = "verif.locate.replay_bench"
AROUND = 200  # cycles on each side


@dataclass(frozen=True)
class Located:
    """What a re-run says, in lines, and whether it differed from the golden model at all."""

    lines: list[str]
    cycle: int
    different: bool
    dump: Path | None = None
    save_file: Path | None = None


def rerun(folder: Path, sim: str, *, waves: bool = True) -> Located:
    """Locate the failed program in a folder, which receives report, dump and save file.

    ValueError for a folder without one; ToolMissing, BuildError or SimulationError.
    """
    failed = FailedProgram.load(folder)
    calm = replace(failed, profile=None)
    found = _play(_build(calm, sim), calm, folder)
    if failed.profile is not None and not (found.different and failed.rule in "\n".join(found.lines)):
        paused = _play(_build(failed, sim), failed, folder)
        if paused.different:
            return _with_whole_dump(paused, failed, folder, sim) if waves else paused
    failed.save(folder)
    if not found.different:
        return replace(found, lines=["alone, on a core just reset, this program is right: what ran before it matters"])
    return _with_dump(found, calm, folder, sim) if waves and found.cycle > 0 else found


def _build(failed: FailedProgram, sim: str) -> Build:
    if failed.profile is not None:
        return build_hostile(failed.config.name, sim, memory_bytes=failed.memory_bytes)
    return build_core(failed.config.name, sim, memory_bytes=failed.memory_bytes)


def _play(build: Build, failed: FailedProgram, folder: Path, plusargs: Iterable[str] = ()) -> Located:
    found, _ = _kept(build, failed, folder, plusargs)
    return found


def _kept(build: Build, failed: FailedProgram, folder: Path, plusargs: Iterable[str] = ()) -> tuple[Located, Path]:
    """One run; what it says, and its folder."""
    failed.save(folder)
    (folder / "located.json").unlink(missing_ok=True)
    try:
        directory = run(build, BENCH, env={"GA2_LOCATE": str(folder)}, plusargs=list(plusargs), keep=True).directory
        facts = json.loads((folder / "located.json").read_text())
        found = Located(facts["lines"], facts["cycle"], facts["different"])
    except SimulationError as error:
        directory, found = error.directory, _ended(error, failed)
    assert directory is not None
    for name in ("events.txt", "state.txt"):
        if (directory / name).is_file():
            shutil.copyfile(directory / name, folder / name)
    if not plusargs and not build.waves:
        shutil.rmtree(directory)
    return found, directory


def _ended(error: SimulationError, failed: FailedProgram) -> Located:
    """What a simulation says that a `$fatal` ended; the error for any other end."""
    directory = error.directory
    fatal = fatal_in((directory / "test.log").read_text(errors="replace")) if directory is not None else None
    if directory is None or fatal is None:
        raise error
    events = events_of(directory, failed)
    cycle = cycle_of_end(fatal, events) if events is not None else 0
    return Located([fatal.message, *ended(failed, fatal, events)], cycle, True)


def _with_dump(found: Located, failed: FailedProgram, folder: Path, sim: str) -> Located:
    """The same with a waveform of the cycles around the place."""
    build = build_core(failed.config.name, sim, memory_bytes=failed.memory_bytes, probe=True)
    first = max(found.cycle - AROUND, 1)
    _, ran = _kept(build, failed, folder, ["+dump", f"+wave_from={first}", f"+wave_to={found.cycle + AROUND}"])
    shutil.move(ran / "block.fst", folder / "divergence.fst")
    shutil.rmtree(ran)
    dump = Dump(folder / "divergence.fst")
    text = save_file(dump, dump.path, [failed.title, *found.lines], focus=found.cycle - first)
    write_whole(folder / "divergence.gtkw", text.encode())
    return replace(found, dump=dump.path, save_file=folder / "divergence.gtkw")


def _with_whole_dump(found: Located, failed: FailedProgram, folder: Path, sim: str) -> Located:
    build = build_hostile(failed.config.name, sim, memory_bytes=failed.memory_bytes, waves=True)
    _, ran = _kept(build, failed, folder)
    dump = next(path for path in ran.glob("dump.*"))
    target = folder / f"divergence{dump.suffix}"
    shutil.move(dump, target)
    shutil.rmtree(ran)
    return replace(found, dump=target)
