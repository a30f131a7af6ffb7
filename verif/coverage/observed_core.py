# SPDX-License-Identifier: Apache-2.0
"""The golden core that also notes which bytes each instruction meets."""

from collections.abc import Sequence

from ga2.device.protocol import FaultReport, Window
from ga2.golden.interpreter import Core, Outcome, Retired
from ga2.golden.memory import Memory
from ga2.golden.resolve import Resolved, State
from ga2.spec import Config
from verif.coverage.context import Bins
from verif.coverage.value_bins import value_bins


class ObservedCore(Core):
    """After `run`: `values`, the bins of each executed instruction's bytes in order; `state`, what the host had set."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.values: list[Bins] = []
        self.state = State(0, 0)

    def run(
        self, memory: Memory, windows: Sequence[Window], entry: int, length: int, m: int, record_writes: bool = False
    ) -> Outcome:
        """As the golden core's."""
        self.values, self.state = [], State(length, m, tuple(windows))
        return super().run(memory, windows, entry, length, m, record_writes)

    def _execute(self, resolved: Resolved, seq: int, record_writes: bool) -> tuple[Retired, FaultReport | None]:
        self.values.append(value_bins(resolved, self))
        return super()._execute(resolved, seq, record_writes)
