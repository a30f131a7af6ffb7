# SPDX-License-Identifier: Apache-2.0
"""Shrinking over several simulations: deaths are failures, and no case that passes alone is reported."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ga2.generated import shrinking
from ga2.generated.campaign import Plan
from ga2.sim.errors import SimulationError

PLAN = Plan("nano", "icarus", "default", stalls=True)


class FakeSimulations:
    """A case is a number; the bench tries smaller ones by one. `fails` and `kills` say what becomes of one."""

    def __init__(self, fails: Callable[[int, bool], bool], kills: Callable[[int], bool] = lambda _: False) -> None:
        self.fails, self.kills, self.started = fails, kills, list[Mapping[str, str]]()

    def run(self, _build: object, _module: str, *, env: Mapping[str, str], watch: Any) -> None:
        """What the bench does in one simulation."""
        self.started.append(env)
        folder = Path(env["GA2_SHRINK"])
        number, fresh = int(json.loads((folder / "case.json").read_text())), True
        if env["GA2_KNOWN"] or self._play(folder, number, fresh):
            while float(env["GA2_SECONDS"]) > 0 and number > 0 and self._play(folder, number - 1, False):
                number -= 1
        watch(None)

    def _play(self, folder: Path, number: int, fresh: bool) -> bool:
        (folder / "trying.json").write_text(json.dumps(number))
        if self.kills(number):
            raise SimulationError("failed: x; log: y", folder, f"case {number}: AXI: W without a burst\nin flight")
        if not self.fails(number, fresh):
            (folder / "trying.json").unlink()
            return False
        at = len([*folder.glob("*.txt")])
        (folder / f"{at:06}.txt").write_text(f"byte {number}")
        (folder / "trying.json").replace(folder / f"{at:06}.json")
        return True


@pytest.fixture
def shrink(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def perform(fake: FakeSimulations) -> tuple[int, str] | None:
        monkeypatch.setattr(shrinking, "run", fake.run)
        monkeypatch.setattr(shrinking, "build_of", lambda _: None)
        monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
        case = tmp_path / "9.json"
        case.write_text("9")
        found = shrinking.shrink(PLAN, case, 60, lambda _: None)
        return None if found is None else (json.loads(found.path.read_text()), found.problem)

    return perform


def test_the_smallest_is_played_alone_before_it_is_reported(shrink) -> None:
    fake = FakeSimulations(lambda number, _: number >= 4)
    assert shrink(fake) == (4, "byte 4")
    assert len(fake.started) == 2 and fake.started[1]["GA2_SECONDS"] == "0"
    assert all(env["GA2_MEMORY"] == "hostile" for env in fake.started)


def test_a_case_that_needs_what_ran_before_it_is_not_reported(shrink) -> None:
    """Alone only the numbers from 7 on fail: of 9, 8, ... 3 an earlier one is taken."""
    fake = FakeSimulations(lambda number, fresh: number >= (7 if fresh else 3))
    assert shrink(fake) == (8, "byte 8")


def test_a_case_that_passes_alone_is_not_shrunk(shrink) -> None:
    assert shrink(FakeSimulations(lambda _number, fresh: not fresh)) is None


def test_a_simulation_that_dies_is_followed_by_another(shrink) -> None:
    fake = FakeSimulations(lambda number, _: number >= 5, lambda number: 5 <= number <= 7)
    assert shrink(fake) == (5, "ends the simulation: case 5: AXI: W without a burst")
    assert [env["GA2_KNOWN"] for env in fake.started] == ["", "1", "1", "1", ""]


def test_an_error_between_two_cases_is_an_error(shrink, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object, **__: object) -> None:
        raise SimulationError("the simulation ended without results")

    fake = FakeSimulations(lambda *_: True)
    monkeypatch.setattr(fake, "run", run)
    with pytest.raises(SimulationError, match="without results"):
        shrink(fake)
