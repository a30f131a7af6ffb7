# SPDX-License-Identifier: Apache-2.0
"""The predictor: the golden model, fed with each program as the driver loads it."""

import numpy as np
from pyuvm import ConfigDB, uvm_analysis_port, uvm_subscriber

from ga2.device.compare import Contents
from ga2.device.protocol import RunResult
from ga2.golden.interpreter import Core
from ga2.golden.memory import Memory
from ga2.timing.model import predict
from verif.env.prediction import Prediction
from verif.env.program_item import ProgramItem
from verif.env.retirement import expected_retirements
from verif.programs.program import IMAGE_ADDRESS


class Predictor(uvm_subscriber):
    """Turns every loaded `ProgramItem` into a `Prediction` on `ap`, before the core starts it.

    Core and memory live as long as the test, as the real ones do: what a program leaves behind, the next one finds.
    """

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)
        self.core = Core(ConfigDB().get(self, "", "CONFIG"))
        self.memory = Memory(ConfigDB().get(self, "", "MEMORY_BYTES"))

    def write(self, item: ProgramItem) -> None:
        """The program's meaning, one instruction after another."""
        program = item.program
        for address, data in program.memory.items():
            self.memory.write(address, data)
        self.memory.write(IMAGE_ADDRESS, program.image.memory_bytes())
        self.core.load_image(
            self.memory, IMAGE_ADDRESS, len(program.image.instructions), len(program.image.constants)
        )
        entry = program.image.entries["main"]
        outcome = self.core.run(
            self.memory, program.windows, entry, program.length, program.m, record_writes=True
        )
        result = RunResult(predict(self.core.config, outcome), outcome.fault)
        trace = expected_retirements(outcome)
        self.ap.write(Prediction(item, trace, result, self._contents(), outcome.retirements))

    def _contents(self) -> Contents:
        written = np.array(self.core.written_bytes.reshape(-1))
        return Contents(self.memory.data.copy(), self.core.spad.data.reshape(-1).copy(), written)
