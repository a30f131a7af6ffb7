# SPDX-License-Identifier: Apache-2.0
"""All cover points, in the database of cocotb-coverage.

A bin's count is the number of programs that hit it: a point is sampled once a program, with the set of its bins that
the program hit. Sampling every instruction would compare each of its values with every bin, many times as slow.
"""

import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from cocotb_coverage.coverage import CoverPoint, coverage_db

from verif.coverage import (
    burst_bins,
    dimension_bins,
    field_bins,
    operand_bins,
    pair_bins,
    run_bins,
    slice_bins,
    time_bins,
    value_bins,
)

TOP = "ga2"
MODULES = (dimension_bins, field_bins, operand_bins, burst_bins, pair_bins, time_bins, value_bins, run_bins, slice_bins)
POINTS: dict[str, tuple[str, ...]] = {name: bins for module in MODULES for name, bins in module.POINTS.items()}
NAMES = run_bins.known(POINTS)
"""Every bin: `group/point/bin`."""


def _is_hit(hits: frozenset[str], name: str) -> bool:
    return name in hits


def _nothing(_hits: frozenset[str]) -> None:
    """What the library wraps in order to sample."""


def path_of(point: str) -> str:
    """A point's name in the database, whose levels end in dots and become XML elements."""
    return f"{TOP}." + point.replace("/", ".")


class Database:
    """The counts of one run, empty at first. The library keeps one database a process: the latest one is it."""

    def __init__(self) -> None:
        coverage_db.clear()
        self._sample: dict[str, Callable[[frozenset[str]], None]] = {
            point: CoverPoint(path_of(point), xf=lambda hits: hits, rel=_is_hit, bins=list(bins), inj=False)(_nothing)
            for point, bins in POINTS.items()
        }

    def program(self, names: Iterable[str]) -> None:
        """Count the bins that one program hit; ValueError for a name that is no bin, with nothing counted."""
        names = set(names)
        if names - NAMES:
            raise ValueError(f"no such bins: {', '.join(sorted(names - NAMES)[:5])}")
        hits: dict[str, set[str]] = defaultdict(set)
        for name in names:
            point, _, label = name.rpartition("/")
            hits[point].add(label)
        for point, labels in hits.items():
            self._sample[point](frozenset(labels))

    def counts(self) -> dict[str, int]:
        """Programs by bin."""
        return {
            f"{point}/{label}": count
            for point in POINTS
            for label, count in coverage_db[path_of(point)].detailed_coverage.items()
        }

    def save(self, path: Path) -> None:
        """Write the counts as the library's XML; a reader sees the whole file or none."""
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".saving-", dir=path.parent)
        os.close(handle)
        try:
            coverage_db.export_to_xml(name)
            os.chmod(name, 0o644)
            os.replace(name, path)
        finally:
            Path(name).unlink(missing_ok=True)
