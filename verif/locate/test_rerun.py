# SPDX-License-Identifier: Apache-2.0
"""A failed program played again alone: the place, and a waveform that shows it."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ga2.seeded.mistake import Mistake
from ga2.seeded.tables import all_breaks
from ga2.spec import load_config
from ga2.waves.dump import TOP, Dump
from verif.core.stall_profile import profile
from verif.locate.failed_program import FailedProgram
from verif.locate.rerun import AROUND, rerun
from verif.programs.case import End
from verif.programs.draw import random_program
from verif.programs.filling import filling_program

BREAK = "the feeder gives a row's word to the next row"
NO_ROOM = "read bursts without room for their records"  # an assertion fails
NO_WAIT = "an address does not wait for ready"  # a rule of the bus is broken


WithSource = Callable[[str, str], None]


def broken_core(name: str, with_source: WithSource) -> Mistake:
    """From now on simulations are of a core with this break."""
    (broken,) = [each for each in all_breaks() if each.name == name]
    with_source(Path(broken.file).name, broken.broken())
    return broken


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_the_waveform_shows_the_wrong_write(sim: str, tmp_path: Path, with_source: WithSource) -> None:
    broken, config = broken_core(BREAK, with_source), load_config("nano")
    FailedProgram(config, random_program(config, broken.seed, "short")).save(tmp_path / "failed")
    found = rerun(tmp_path / "failed", sim)
    assert found.different and "first divergence in program order:" in found.lines
    assert found.dump is not None and found.save_file is not None
    dump = Dump(found.dump)
    assert AROUND < dump.cycles() <= 2 * AROUND + 2
    place = min(AROUND, found.cycle - 1)  # in the dump
    assert dump.at(f"{TOP}.dut.u_backend.u_mm.wr_en_o", place) == 1
    assert str(found.dump) in found.save_file.read_text()


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_a_right_program_is_said_to_be_right(sim: str, tmp_path: Path) -> None:
    config = load_config("nano")
    FailedProgram(config, random_program(config, 3, "short")).save(tmp_path / "failed")
    found = rerun(tmp_path / "failed", sim)
    assert not found.different and found.dump is None and "what ran before it matters" in found.lines[0]


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_the_waveform_ends_where_an_assertion_fails(sim: str, tmp_path: Path, with_source: WithSource) -> None:
    """The push that the queue has no room for is the dump's last cycle."""
    broken_core(NO_ROOM, with_source)
    FailedProgram(load_config("nano"), filling_program("nano")).save(tmp_path / "failed")
    found = rerun(tmp_path / "failed", sim)
    assert found.different and found.lines[0] == "ga2_fifo: push when full"
    text = "\n".join(found.lines)
    assert f"u_load.u_records ended the simulation in cycle {found.cycle}\nnothing has retired" in text
    assert "in flight:\n  pc 0  LD rows=1 words=512" in text and "load unit, taken in in cycle 8, at work" in text
    assert found.dump is not None
    dump, queue = Dump(found.dump), f"{TOP}.dut.u_backend.u_load.u_records"
    last = found.cycle - 1  # the dump's first cycle is 1
    assert dump.cycles() in (last + 1, last + 2)
    assert [dump.at(f"{queue}.{name}", last) for name in ("push_i", "full_o")] == [1, 1]
    assert dump.at(f"{queue}.full_o", last - 1) in (0, 1) and dump.at(f"{queue}.push_i", last - 20) == 0


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_a_rule_of_the_bus_is_broken_again_by_the_same_pauses(
    sim: str, tmp_path: Path, with_source: WithSource
) -> None:
    broken_core(NO_WAIT, with_source)
    pauses = replace(profile("short pauses", random.Random(1)), seed=1912169913)  # none meets the image's bursts
    rule = "AXI: AR changed before ready"
    failed = FailedProgram(load_config("nano"), filling_program("nano"), profile=pauses, rule=rule)
    failed.save(tmp_path / "failed")
    found = rerun(tmp_path / "failed", sim)
    assert found.different and found.lines[0] == rule and "in flight:" in found.lines
    assert found.dump is not None and found.dump.stat().st_size > 10_000 and found.cycle > 0


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_an_abort_is_played_again(sim: str, tmp_path: Path) -> None:
    """What a right program had no time to write is no divergence."""
    config = load_config("nano")
    program = random_program(config, 3, "short")
    FailedProgram(config, program, end=End(kind="abort", cycles=100)).save(tmp_path / "failed")
    found = rerun(tmp_path / "failed", sim)
    assert not found.different, found.lines
    assert 0 < found.cycle < 200
