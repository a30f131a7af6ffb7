# SPDX-License-Identifier: Apache-2.0
"""Compiled graphs back to back, without a reset between them."""

from collections.abc import Callable, Sequence

from pyuvm import uvm_sequence

from ga2.slices.recipe import Recipe, Run
from ga2.slices.subject import Subject, compile_recipe
from ga2.spec import Config
from verif.slices.slice_item import SliceItem, program_of

Report = Callable[[int], None]


class SliceSequence(uvm_sequence):
    """Every run of every recipe; `report` is called with a recipe's number when its last run has been judged."""

    def __init__(self, config: Config, recipes: Sequence[Recipe], report: Report) -> None:
        super().__init__("SliceSequence")
        self.config, self.recipes, self.report = config, recipes, report

    async def body(self) -> None:
        """Compile, run, report."""
        for number, recipe in enumerate(self.recipes):
            subject = compile_recipe(self.config, recipe)
            for run in recipe.runs:
                item = self.item(subject, run, f"graph {number}, seed {recipe.seed}")
                await self.start_item(item)
                await self.finish_item(item)
            self.report(number)

    def item(self, subject: Subject, run: Run, name: str) -> SliceItem:
        """One run as a transaction."""
        return SliceItem(program_of(subject, run, name), subject, run)
