# SPDX-License-Identifier: Apache-2.0
"""Reading a JSON file that somebody may have written by hand."""

import json
from pathlib import Path
from typing import Any


def read_json(path: Path) -> Any:
    """What the file holds. ValueError, in one line that names the file, if it cannot be read or is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8 text, and so no JSON file") from None
    except ValueError as error:
        raise ValueError(f"{path}: no JSON: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply") from None
