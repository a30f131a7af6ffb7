# SPDX-License-Identifier: Apache-2.0
"""Campaigns go on behind a bad case, name it, and never pass for one that did not run."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ga2.cli import main
from ga2.sim import campaign
from ga2.sim.errors import SimulationError

BAD = 7


class FakeSimulation:
    """Plays the numbers it is asked for; case 7 fails, in the bench or (`silent`) by ending the simulator."""

    def __init__(self, silent: bool, dead: bool = False) -> None:
        self.silent, self.dead, self.asked = silent, dead, list[list[int]]()

    def run(self, _build: object, _module: str, *, env: Mapping[str, str], watch: Any) -> None:
        """What `ga2.sim.run` would do."""
        numbers = [int(number) for number in env["GA2_CASES"].split()]
        self.asked.append(numbers)
        if self.dead:
            raise SimulationError("the simulation ended without results")
        with Path(env["GA2_REPORT"]).open("a") as report:
            for number in numbers:
                print(json.dumps({"case": number, "name": f"kind {number}"}), file=report, flush=True)
                if number == BAD:
                    if not self.silent:
                        print(json.dumps({"case": BAD, "name": "kind 7", "problem": "a byte"}), file=report, flush=True)
                    raise SimulationError("failed: cases\nsome log\n[0] %Fatal: ga2_fifo.sv:55: push when full")
                print(json.dumps({"case": number, "name": f"kind {number}", "passed": True, "total": 5}), file=report)
        watch(None)


@pytest.fixture
def simulate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def install(silent: bool = False, dead: bool = False) -> FakeSimulation:
        fake = FakeSimulation(silent, dead)
        monkeypatch.setattr(campaign, "run", fake.run)
        monkeypatch.setattr(campaign, "build_hostile", lambda *_, **__: None)
        monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
        return fake

    return install


@pytest.mark.parametrize(
    ("silent", "problem"), [(False, "a byte"), (True, "[0] %Fatal: ga2_fifo.sv:55: push when full")]
)
def test_a_bad_case_is_named_and_passed_over(simulate, silent: bool, problem: str) -> None:
    fake, done = simulate(silent), list[int]()
    cases = campaign.play("bench", "nano", "icarus", 1, range(5, 10), done.append)
    assert [(case.number, case.passed) for case in cases] == [(5, True), (6, True), (7, False), (8, True), (9, True)]
    assert cases[2].problem == problem and cases[3].measured == {"total": 5}
    assert fake.asked == [[5, 6, 7, 8, 9], [8, 9]]
    assert done[-1] == 5


def test_a_simulation_that_plays_nothing_is_an_error(simulate) -> None:
    simulate(dead=True)
    with pytest.raises(SimulationError):
        campaign.play("bench", "nano", "icarus", 1, [1], lambda _: None)


@pytest.mark.parametrize(
    "arguments", [["--config", "huge"], ["--sim", "vcs"], ["--cases", "0"], ["--first", "-1"], ["--cases", "many"]]
)
def test_bad_use(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    monkeypatch.setattr("sys.argv", ["ga2", "faults", *arguments])
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_failed_campaign_says_how_to_repeat_it(
    simulate, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    simulate()
    monkeypatch.setattr("sys.argv", ["ga2", "faults", "--cases", "9", "--config", "wide", "--seed", "3"])
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 1
    assert "make faults SIM=verilator CONFIG=wide SEED=3 FIRST=7 CASES=1" in capsys.readouterr().err
