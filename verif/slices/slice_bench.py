# SPDX-License-Identifier: Apache-2.0
"""The test that plays graphs in the pyuvm environment; what `ga2.slices.on_rtl` starts.

$GA2_CONFIG and $GA2_SLICES (a file of recipes, JSON) say what runs; $GA2_REPORT, if set, names a file that gets a JSON
line as each graph has been judged. $GA2_PROGRAMS is the number of runs, for the time limit.
"""

import json
import os
from pathlib import Path

import pyuvm

from ga2.slices.recipe import Recipe
from verif.env.base_test import TIMEOUT, BaseTest
from verif.slices.slice_scoreboard import SliceScoreboard
from verif.slices.slice_sequence import SliceSequence


@pyuvm.test(**TIMEOUT)
class Slices(BaseTest):
    """All scoreboards of the environment, and one more that holds the core to the graphs' interpreter."""

    def build_phase(self) -> None:
        super().build_phase()
        self.slices = SliceScoreboard("slices", self)
        self.reported = 0  # mismatches

    def connect_phase(self) -> None:
        environment = self.environment
        environment.predictor.ap.connect(self.slices.prediction_export)
        environment.csr_agent.driver.ended_ap.connect(self.slices.run_export)
        environment.scoreboards.append(self.slices)

    def sequence(self) -> SliceSequence:
        """The recipes of the file."""
        return SliceSequence(self.config, self.recipes(), self.report)

    def recipes(self) -> list[Recipe]:
        """What $GA2_SLICES names."""
        recipes = [Recipe.from_json(data) for data in json.loads(Path(os.environ["GA2_SLICES"]).read_text())]
        assert recipes, "no graph to play"
        return recipes

    def report(self, number: int) -> None:
        """One graph has been judged."""
        found = [mismatch for scoreboard in self.environment.scoreboards for mismatch in scoreboard.mismatches]
        new, self.reported = len(found) - self.reported, len(found)
        name = f"graph {number},"
        problems = [mismatch for mismatch in found if mismatch.startswith(name)]
        assert bool(new) == bool(problems), f"{new} mismatches, but {problems} of this graph"
        if path := os.environ.get("GA2_REPORT"):
            with Path(path).open("a") as lines:
                print(json.dumps({"graph": number, "problems": problems}), file=lines)
