# SPDX-License-Identifier: Apache-2.0
"""Reading a JSON file that somebody may have written by hand."""

import json
from pathlib import Path
from typing import Any


def read_json(path: Path) -> Any:
    """What the file holds. ValueError, in one line that names the file, if it cannot be read or is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_once)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8 text, and so no JSON file") from None
    except ValueError as error:
        raise ValueError(f"{path}: no JSON: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which a key may occur once: the last of several would win unsaid."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"'{name}' occurs twice")
        found[name] = value
    return found
