# SPDX-License-Identifier: Apache-2.0
"""The tracked record of synthesis results, and whether it still belongs to the sources."""

import json
import os
import statistics
import tempfile
from pathlib import Path

from ga2.spec import SPEC_DIR, Strict
from ga2.synth.design import core

MEASURED = SPEC_DIR / "measured" / "synthesis.json"


class CriticalPath(Strict):
    """The slowest path from register to register, by the names of the design. Times in ns."""

    start: str
    start_module: str
    end: str
    end_module: str
    through: tuple[str, ...]  # modules on the way, in order
    delay_ns: float
    logic_ns: float  # cells, with the start's clock-to-output and the end's setup time
    routing_ns: float
    levels: int  # cells passed between the two registers


class Measurement(Strict):
    """One configuration on the FPGA. Cells are those of the core; `used` are the sites of the device."""

    digest: str  # of the sources and parameters, see Design.digest
    device: str
    tools: dict[str, str]
    fmax_mhz: dict[str, float]  # routed, by the seed of placement
    cells: dict[str, int]
    modules: dict[str, dict[str, int]]
    used: dict[str, int]
    path: CriticalPath  # of the best seed

    @property
    def seed(self) -> str:
        """The seed of the fastest result."""
        return max(self.fmax_mhz, key=lambda seed: (self.fmax_mhz[seed], -int(seed)))

    @property
    def best_mhz(self) -> float:
        """The fastest routed clock."""
        return self.fmax_mhz[self.seed]

    @property
    def median_mhz(self) -> float:
        """The median routed clock over the seeds."""
        return statistics.median(self.fmax_mhz.values())


class Record(Strict):
    """All measurements, by configuration."""

    configurations: dict[str, Measurement] = {}


def load(path: Path = MEASURED) -> dict[str, Measurement]:
    """The measurements on record, none if there is no file; ValueError if the file is not one."""
    return Record.model_validate_json(path.read_text()).configurations if path.exists() else {}


def save(config: str, measurement: Measurement, path: Path = MEASURED) -> None:
    """Put a configuration's measurement on record; the file is replaced in one step."""
    entries = load(path) | {config: measurement}
    record = Record(configurations=dict(sorted(entries.items())))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".synthesis-", dir=path.parent)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(json.dumps(record.model_dump(), indent=1) + "\n")
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def outdated(entries: dict[str, Measurement]) -> list[str]:
    """The configurations whose sources or parameters have changed since they were measured."""
    return [config for config, entry in entries.items() if entry.digest != core(config).digest]
