# SPDX-License-Identifier: Apache-2.0
"""Lines of code that are waived (`spec/coverage_code.yaml`), found by their text: edits elsewhere move nothing."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from ga2.coverage.code import RTL, Line
from ga2.spec import SPEC_DIR, Strict


class WaiverError(ValueError):
    """A waiver for a line that does not exist, or was reached."""


class Waiver(Strict):
    """Every line of a file with exactly this text, blanks at its ends aside."""

    file: str
    text: str
    reason: str


class _File(Strict):
    waivers: tuple[Waiver, ...]


def load_waivers(path: Path = SPEC_DIR / "coverage_code.yaml") -> Sequence[Waiver]:
    """All waivers."""
    return _File(**yaml.safe_load(path.read_text())).waivers


def waived_lines(waivers: Sequence[Waiver], counts: dict[Line, int], rtl: Path = RTL) -> dict[Line, str]:
    """The waived lines that were indeed never reached, with reasons; WaiverError for a waiver that is out of date.

    A file of which nothing was counted has not been simulated, and says nothing about its waivers.
    """
    found: dict[Line, str] = {}
    simulated = {file for file, _ in counts}
    for waiver in waivers:
        if waiver.file not in simulated and (rtl / waiver.file).is_file():
            continue
        path = rtl / waiver.file
        source = path.read_text().splitlines() if path.is_file() else []
        lines = [(waiver.file, number) for number, text in enumerate(source, 1) if text.strip() == waiver.text.strip()]
        counted = [line for line in lines if line in counts]
        if not counted:
            raise WaiverError(f"coverage_code.yaml: {waiver.file} has no counted line '{waiver.text}'")
        missed = [line for line in counted if counts[line] == 0]
        if not missed:
            raise WaiverError(f"coverage_code.yaml: {waiver.file} '{waiver.text}' was reached: remove the waiver")
        found |= dict.fromkeys(missed, waiver.reason)
    return found
