# SPDX-License-Identifier: Apache-2.0
"""The predictor: the golden model, fed with each program as the driver loads it."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

import numpy as np
from pyuvm import uvm_analysis_port, uvm_subscriber

from ga2.device.compare import Contents
from ga2.device.hexfile import Bytes
from ga2.device.protocol import FaultReport, RunResult
from ga2.golden.interpreter import Core
from ga2.timing.bursts import split_row
from ga2.timing.model import predict
from verif.core.watched_memory import WatchedMemory
from verif.env.bus_transfer import BusBurst
from verif.env.prediction import Prediction
from verif.env.program_item import ProgramItem
from verif.env.retirement import expected_retirements
from verif.env.settings import GUARD, settings_of
from verif.programs.program import IMAGE_ADDRESS


class Predictor(uvm_subscriber):
    """Turns every loaded `ProgramItem` into a `Prediction` on `ap`, before the core starts it.

    Core and memory live as long as the test, as the real ones do: what a program leaves behind, the next one finds.
    """

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        settings = settings_of(self)
        self.core = Core(settings.config)
        self.memory = WatchedMemory(settings.memory_bytes)
        self.memory.data[:] = GUARD

    def write(self, item: ProgramItem) -> None:
        """The program's meaning, one instruction after another."""
        program, image = item.program, item.program.image
        for address, data in program.memory.items():
            self.memory.write(address, data)
        self.memory.write(IMAGE_ADDRESS, image.memory_bytes())
        self.core.load_image(self.memory, IMAGE_ADDRESS, len(image.instructions), len(image.constants))
        fault = self._bus_fault(item)
        self.memory.accesses.clear()
        entry = image.entries["main"]
        outcome = self.core.run(
            self.memory, program.windows, entry, program.length, program.m, record_writes=True
        )
        result = RunResult(predict(self.core.config, outcome), outcome.fault)
        trace = expected_retirements(outcome)
        loaded = self._bursts(IMAGE_ADDRESS, len(image.memory_bytes()))
        read = (burst for kind, at, size in self.memory.accesses if kind == "read" for burst in self._bursts(at, size))
        writes = [each for retired in outcome.retirements if retired.writes for each in retired.writes.external]
        prediction = Prediction(
            item, trace, result, self._contents(), outcome.retirements, outcome, [*loaded, *read], writes, fault
        )
        self.ap.write(prediction)

    def forget(self, memory: Bytes) -> None:
        """A core on which nothing has run, and external memory with these bytes."""
        self.core = Core(self.core.config)
        self.memory.data[:] = memory

    def _bus_fault(self, item: ProgramItem) -> FaultReport | None:
        """The fault that an error of the memory must cause, from a run on copies."""
        if item.bad is None:
            return None
        core, memory, program = deepcopy(self.core), deepcopy(self.memory), item.program
        memory.bad = item.bad.kind, item.bad.address
        fault = core.run(memory, program.windows, program.image.entries["main"], program.length, program.m).fault
        return fault and replace(fault, name=f"{item.bad.kind}_{item.bad.response}")

    def _bursts(self, address: int, size: int) -> Iterator[BusBurst]:
        """The bursts of one row of whole words."""
        for beats in split_row(self.core.config, address, size // self.core.config.cols):
            yield BusBurst(address, beats)
            address += beats * self.core.config.bus_bytes

    def _contents(self) -> Contents:
        written = np.array(self.core.written_bytes.reshape(-1))
        return Contents(self.memory.data.copy(), self.core.spad.data.reshape(-1).copy(), written)
