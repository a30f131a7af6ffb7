# SPDX-License-Identifier: Apache-2.0
"""The scoreboard of the graphs on trial: a bit of what it expects is spoilt in every run, and it alone must say so."""

from dataclasses import replace

import pyuvm

from ga2.slices.recipe import Run
from ga2.slices.subject import Subject
from verif.env.base_test import TIMEOUT
from verif.slices.slice_bench import Slices
from verif.slices.slice_item import SliceItem
from verif.slices.slice_sequence import SliceSequence


class SpoiltSequence(SliceSequence):
    """In turn the lowest bit of the first byte of an output, and of a tensor in the scratchpad."""

    spoilt = 0

    def item(self, subject: Subject, run: Run, name: str) -> SliceItem:
        """A run whose expectation is wrong in one bit."""
        item = super().item(subject, run, name)
        kind = bool(self.spoilt % 2)
        index = next(at for at, region in enumerate(item.regions) if region.scratchpad == kind and region.data)
        region = item.regions[index]
        item.regions[index] = replace(region, data=bytes([region.data[0] ^ 1]) + region.data[1:])
        self.spoilt += 1
        return item


@pyuvm.test(**TIMEOUT)
class Spoilt(Slices):
    """Passes if every spoilt bit was seen, and nothing else."""

    def build_phase(self) -> None:
        super().build_phase()
        self.spoilt = SpoiltSequence(self.config, self.recipes(), lambda _: None)

    def sequence(self) -> SpoiltSequence:
        """The recipes of the file, spoilt."""
        return self.spoilt

    def problems(self) -> list[str]:
        """Unless each run has one mismatch, of the scoreboard of the graphs."""
        found = super().problems()
        seen = [problem for problem in found if problem.startswith("slices: ") and "the interpreter has" in problem]
        if self.spoilt.spoilt and len(seen) == len(found) == self.spoilt.spoilt:
            return []
        return [f"{self.spoilt.spoilt} bits spoilt, {len(seen)} seen", *found]
