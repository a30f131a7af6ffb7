# SPDX-License-Identifier: Apache-2.0
"""What can go wrong around a simulation. The text of each is complete: callers print it and stop."""

from pathlib import Path


class ToolMissing(RuntimeError):
    """A simulator or compiler is not installed; one line says which and how to get it."""


class BuildError(RuntimeError):
    """The simulator's compiler refused the sources; the log's tail and its path."""


class SimulationError(RuntimeError):
    """A simulation failed, ran no test or left no results; the log's tail and its path.

    directory: the run's, which is kept. report: the locator's, if a `$fatal` ended a program that a bench announced.
    """

    def __init__(self, text: str, directory: Path | None = None, report: str = "") -> None:
        super().__init__(text)
        self.directory, self.report = directory, report


def tail(text: str, lines: int = 30) -> str:
    """The last lines of a log."""
    return "\n".join(text.rstrip().splitlines()[-lines:])
