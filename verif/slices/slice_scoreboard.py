# SPDX-License-Identifier: Apache-2.0
"""The scoreboard of the graphs: what the core holds in the end beside what the interpreter says."""

import numpy as np

from verif.env.checker import Checker
from verif.env.prediction import Prediction
from verif.env.program_run import ProgramRun
from verif.slices.slice_item import Region, SliceItem


class SliceScoreboard(Checker):
    """Every output, and every tensor still in the scratchpad, byte by byte; the golden model is not asked."""

    def check_run(self, prediction: Prediction, run: ProgramRun) -> None:
        """Compare an item's regions with the core's memories."""
        item = run.item
        assert isinstance(item, SliceItem)
        for region in item.regions:
            held = run.contents.scratchpad if region.scratchpad else run.contents.memory
            seen = held[region.address : region.address + len(region.data)]
            unknown = region.scratchpad and not run.contents.known[region.address :][: len(region.data)].all()
            good = not unknown and seen.tobytes() == region.data
            self.check(good, f"{item.get_name()}: {region.what}: {_difference(region, seen, unknown)}")


def _difference(region: Region, seen: np.ndarray, unknown: bool) -> str:
    if unknown:
        return "holds x"
    wrong = np.flatnonzero(seen != np.frombuffer(region.data, np.uint8)[: len(seen)])
    if not wrong.size:
        return "as it must be" if len(seen) == len(region.data) else "reaches beyond the memory"
    at = int(wrong[0])
    return f"byte {region.address + at:#x} is {seen[at]}, the interpreter has {region.data[at]}"
