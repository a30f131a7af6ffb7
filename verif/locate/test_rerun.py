# SPDX-License-Identifier: Apache-2.0
"""A failed program played again alone: the place, and a waveform that shows it."""

from pathlib import Path

import pytest

from ga2.seeded.breaks import all_breaks
from ga2.spec import load_config
from ga2.waves.dump import TOP, Dump
from verif.core.random_programs import random_program
from verif.locate.failed_program import FailedProgram
from verif.locate.rerun import AROUND, rerun

BREAK = "the feeder gives a row's word to the next row"


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_the_waveform_shows_the_wrong_write(sim: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (broken,) = [each for each in all_breaks() if each.name == BREAK]
    overlay = tmp_path / "overlay"
    overlay.mkdir()
    (overlay / Path(broken.file).name).write_text(broken.broken())
    monkeypatch.setenv("GA2_OVERLAY", str(overlay))
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path / "build"))
    config = load_config("nano")
    FailedProgram(config, random_program(config, broken.seed, 12)).save(tmp_path / "failed")
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
    FailedProgram(config, random_program(config, 3, 4)).save(tmp_path / "failed")
    found = rerun(tmp_path / "failed", sim)
    assert not found.different and found.dump is None and "what ran before it matters" in found.lines[0]
