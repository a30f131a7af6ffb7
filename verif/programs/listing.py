# SPDX-License-Identifier: Apache-2.0
"""A case as text to read: what it is, where its data lie, then the program with its pcs."""

from collections.abc import Iterator

from verif.programs.case import Case


def listing(case: Case) -> str:
    """Comment lines, constants left out, and one instruction a line; a run of one repeated line is shown once."""
    return "\n".join([*_head(case), *_lines(case)]) + "\n"


def _head(case: Case) -> Iterator[str]:
    yield f"; {case.name}" + (f": {case.about}" if case.about else "")
    end = f"{case.end.kind}{f' ({case.end.about})' if case.end.about else ''}"
    yield f"; {case.config}, LEN = {case.length}, M = {case.m}, entry {case.entry}, {len(case.constants)} constants"
    yield f"; ends with {end}" + (f", {case.end.cycles} cycles" if case.end.cycles else "")
    for index, window in enumerate(case.windows):
        yield f"; window {index}: {window.base:#x}, {window.size:#x} bytes{', writable' if window.writable else ''}"
    for region in case.memory:
        below = f" below {region.below}" if region.below else ""
        yield f"; memory {region.address:#x}, {region.size:#x} bytes: {region.kind}{below}, seed {region.seed}"


def _lines(case: Case) -> Iterator[str]:
    repeated = 0
    for pc, line in enumerate(case.program):
        following = case.program[pc + 1] if pc + 1 < len(case.program) else None
        if pc and line == case.program[pc - 1] and line == following:
            repeated += 1
            continue
        if repeated:
            yield f"  ... {repeated} more of these"
            repeated = 0
        yield f"{pc:4}  {line}"
