# SPDX-License-Identifier: Apache-2.0
"""What is mutated: the compiler or the host loop, and which tests judge it."""

from dataclasses import dataclass
from pathlib import Path

from ga2.sim.sources import ROOT


@dataclass(frozen=True)
class Subject:
    """A package. name: of its report and of its table of equivalents. judges: patterns of test files below tests/.

    listed: the listings of every shipped model judge first. remembers: a file whose choices are kept from test to
    test, and the function that makes them: whatever it does, it does for every test that asks it.
    """

    name: str
    called: str
    package: str
    folder: Path
    judges: tuple[str, ...]
    not_judges: tuple[str, ...] = ()
    listed: bool = False
    remembers: tuple[str, str] = ("", "")

    @property
    def place(self) -> str:
        """The folder's repository path."""
        return self.folder.relative_to(ROOT).as_posix()

    @property
    def equivalents(self) -> Path:
        """Its table of mutants that change nothing."""
        return ROOT / "verif" / "mutants" / f"{self.name}_equivalent.yaml"

    def kept(self, what: str) -> str:
        """The name of a file of results below build/mutants: the compiler's have no prefix."""
        return what if self.listed else f"{self.name}_{what}"


COMPILER = Subject(
    name="capra",
    called="compiler",
    package="capra",
    folder=ROOT / "compiler" / "capra",
    judges=("test_capra_*.py", "test_slices_*.py", "test_compile.py", "test_block_programs.py"),
    # The first breaks the compiler itself; the second takes longer than all others together, for every survivor.
    not_judges=("test_slices_broken.py", "test_slices_battery.py"),
    listed=True,
    remembers=("tune.py", "tune"),
)
SPECULATION = Subject(
    name="speculation",
    called="host loop",
    package="ga2.speculation",
    folder=ROOT / "sw" / "ga2" / "speculation",
    # Not test_broken_versions.py: it breaks the loop itself, and is content with any failure.
    judges=("test_speculation*.py", "test_recorded.py", "test_recorded_checks.py", "test_sessions.py",
            "test_adaptive_*.py", "test_block_programs.py", "test_host_drafts.py",
            "test_corner_cases.py", "test_capra_rows.py"),  # fmt: skip
)
SUBJECTS = {"compiler": COMPILER, "speculation": SPECULATION}
