# SPDX-License-Identifier: Apache-2.0
"""The bins that no stored run has hit, as the report leaves them for who generates stimuli."""

import json
from pathlib import Path

from ga2.sim.build import build_root


def holes_path() -> Path:
    """Where the report writes them."""
    return build_root() / "coverage" / "holes.json"


def load_holes(path: Path | None = None) -> frozenset[str]:
    """The names (`group/point/bin`) in the file; empty if no report was made yet. ValueError if it is no such list."""
    path = path or holes_path()
    if not path.is_file():
        return frozenset()
    try:
        names = json.loads(path.read_text())
    except (ValueError, RecursionError):  # no text, no JSON
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{path}: must be a list of names group/point/bin, as `ga2 coverage --report` writes it")
    return frozenset(names)
