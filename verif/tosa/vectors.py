# SPDX-License-Identifier: Apache-2.0
"""The kept vectors of the TOSA reference model; `make tosa-vectors` makes them anew."""

import json
from functools import cache
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).with_name("vectors.json")


@cache
def vectors(kind: str) -> list[dict[str, Any]]:
    """The vectors of one kind, as `make_vectors.py` describes them: "rescale", "matmul" or "argmax"."""
    found = json.loads(VECTORS.read_text())[kind]
    assert found, f"{VECTORS}: no vector of {kind}"
    return found
