# SPDX-License-Identifier: Apache-2.0
"""Files that a command writes: checked before any work is done, written whole or not at all."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ga2.cli.errors import UserError
from ga2.isa.image import write_whole


def check_outputs(outputs: Mapping[str, Path | None]) -> None:
    """UserError unless the files, by option, can be written and are different ones; None is an option not given."""
    options: dict[str, str] = {}
    for option, path in outputs.items():
        if path is None:
            continue
        check_writable(path)
        real = os.path.realpath(path)
        if real in options:
            raise UserError(f"{options[real]} and {option} name the same file: {path}")
        options[real] = option


def check_writable(path: Path) -> None:
    """UserError if a file cannot be written there."""
    try:
        if path.is_dir():
            raise UserError(f"cannot write {path}: it is a directory")
        if path.exists() and not path.is_file():  # a device or a pipe
            if not os.access(path, os.W_OK):
                raise UserError(f"cannot write {path}: permission denied")
        else:
            with tempfile.TemporaryFile(dir=Path(os.path.realpath(path)).parent):
                pass
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None


def check_picture(option: str, path: Path | None, endings: Sequence[str] = (".svg",)) -> None:
    """UserError unless the name of a picture ends as its format wants it."""
    if path is not None and path.suffix not in endings:
        raise UserError(f"{option} {path}: the name of a picture ends in {' or '.join(endings)}")


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all; UserError if it cannot be done."""
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None
