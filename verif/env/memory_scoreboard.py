# SPDX-License-Identifier: Apache-2.0
"""The scoreboard of the memories: everything, byte by byte, at the end of each program."""

from ga2.device.compare import EXTERNAL, Found, content_differences, untouchable_differences
from ga2.device.hexfile import Bytes
from ga2.golden.interpreter import Retired
from verif.env.checker import Checker
from verif.env.prediction import Prediction
from verif.env.program_run import ProgramRun
from verif.env.settings import settings_of


class MemoryScoreboard(Checker):
    """All of external memory and of the scratchpad equals golden's, and bytes that nothing wrote keep their values.

    Of a program that the host cut short only the memory outside its writable windows is defined. A mismatch names the
    instruction that should have written the byte last.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.cols = settings_of(self).config.cols
        self.scratchpad: Bytes | None = None  # the core's at the end of the former program

    def check_run(self, prediction: Prediction, run: ProgramRun) -> None:
        """Compare what the core holds."""
        if run.cut_short:
            found = untouchable_differences(prediction.contents, run.contents, run.item.program.windows)
        else:
            found = content_differences(prediction.contents, run.contents, self.scratchpad)
        self.scratchpad = run.contents.scratchpad
        texts = [f"{each}, should be by {self._last_writer(prediction, each)}" for each in found]
        self.check(not found, f"{run.item.get_name()}: {'; '.join(texts)}")

    def forget(self) -> None:
        super().forget()
        self.scratchpad = None

    def _last_writer(self, prediction: Prediction, found: Found) -> str:
        writers = [retired for retired in prediction.retired if self._wrote(retired, found)]
        return f"pc {writers[-1].pc} {writers[-1].op}" if writers else "no instruction"

    def _wrote(self, retired: Retired, found: Found) -> bool:
        if retired.writes is None or found.address is None:
            return False
        if found.what.startswith(EXTERNAL):
            return any(at <= found.address < at + len(data) for at, data in retired.writes.external)
        return found.address // self.cols in retired.writes.words
