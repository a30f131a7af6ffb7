# SPDX-License-Identifier: Apache-2.0
"""Stored runs (cocotb-coverage's XML, one file a simulation) and their sum."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from cocotb_coverage.coverage import merge_coverage

LEVELS = 5  # top, ga2, group, point, bin
Counts = dict[str, dict[str, int]]
"""Programs that hit each bin: by point (`group/point`), then by bin."""


class StoredRunError(ValueError):
    """A file that is no stored run."""


def read_counts(path: Path) -> Counts:
    """The counts in a stored run; StoredRunError if the file is none."""
    counts: Counts = {}
    try:
        for element in ElementTree.parse(path).getroot().iter():
            parts = element.attrib["abs_name"].split(".")
            if len(parts) == LEVELS:
                counts.setdefault("/".join(parts[2:4]), {})[element.attrib["bin"]] = int(element.attrib["hits"])
    except (ElementTree.ParseError, OSError, LookupError, ValueError) as error:
        raise StoredRunError(f"{path}: no stored coverage run ({error}); remove it") from None
    if not counts:
        raise StoredRunError(f"{path}: no stored coverage run (it holds no bins); remove it")
    return counts


def bins_of(counts: Counts) -> dict[str, tuple[str, ...]]:
    """The bins of each point, in order."""
    return {point: tuple(bins) for point, bins in counts.items()}


@dataclass(frozen=True)
class Merged:
    """The sum of the runs that have the same bins; `outdated` have others, from before the bins were changed."""

    counts: Counts
    runs: int
    outdated: tuple[Path, ...]


def merge(files: Iterable[Path]) -> Merged:
    """Add stored runs up. The newest file says which bins there are; StoredRunError without any file."""
    newest_first = sorted(files, key=lambda path: (-path.stat().st_mtime, path.name))
    if not newest_first:
        raise StoredRunError("no stored run: `ga2 coverage` makes some, and so does a bench with GA2_COVERAGE=FOLDER")
    wanted = bins_of(read_counts(newest_first[0]))
    fitting = [path for path in newest_first if bins_of(read_counts(path)) == wanted]
    outdated = tuple(path for path in newest_first if path not in fitting)
    return Merged(_sum(fitting), len(fitting), outdated)


def _sum(files: Sequence[Path]) -> Counts:
    """The library's own merging, file by file."""
    handle, name = tempfile.mkstemp(suffix=".xml")
    os.close(handle)
    try:
        merge_coverage(lambda _text: None, name, *map(str, files))
        return read_counts(Path(name))
    finally:
        Path(name).unlink()
