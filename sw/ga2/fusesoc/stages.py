# SPDX-License-Identifier: Apache-2.0
"""What GA2's flows share: a folder of their own, a build that ends with its caller."""

import fcntl
import signal
from pathlib import Path
from types import FrameType
from typing import IO, Any

from ga2.fusesoc.edam import Edam, environment, move
from ga2.sim.guard import run_guarded

INTERRUPTED = 130


def _exit_interrupted(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(INTERRUPTED)


def exit_on_interrupt() -> None:
    """From now on Ctrl-C ends FuseSoC with the exit code 130; its own handler exits with 0."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit_interrupted)


class Stages:
    """A mixin before one of edalize's flows."""

    work_root: Path
    build_runner: Any

    def claim(self, edam: Edam, work_root: Path, name: str) -> Path:
        """The folder `name` of FuseSoC's work root, for this process alone until it ends.

        FuseSoC has one work root a target, so that two tools or configurations would build over each other.
        """
        exit_on_interrupt()
        folder = work_root.absolute() / name
        folder.mkdir(parents=True, exist_ok=True)
        move(edam, work_root.absolute(), folder)
        self._lock: IO[str] = (folder / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting for another run in {folder}", flush=True)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        return folder

    def build(self) -> None:
        """Build. FuseSoC configures when its own file has changed; a configuration may have changed as well."""
        self.configure()  # type: ignore[attr-defined]  # of the flow that this is mixed into
        command, arguments = self.build_runner.get_build_command()
        self.command([command, *arguments])

    def command(self, command: list[str], env: dict[str, str] | None = None, *, must_succeed: bool = True) -> None:
        """Run a command in the build's folder; RuntimeError if it fails."""
        try:
            code = run_guarded(command, cwd=self.work_root, env=environment(env or {}))
        except SystemExit:  # an interrupt, once everything below has ended
            print("interrupted", flush=True)
            raise
        if code != 0 and must_succeed:
            raise RuntimeError(f"'{' '.join(command)}' ended with {code} in {self.work_root}")
