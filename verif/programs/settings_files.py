# SPDX-License-Identifier: Apache-2.0
"""Finds, reads and merges the settings files."""

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from verif.programs.generator_settings import Settings

FOLDER = Path(__file__).with_name("settings")
EXTENDS = "extends"


class SettingsError(ValueError):
    """Settings that do not exist or a file that is wrong: file, key, and what would be right, in one line."""


def settings_names(folder: Path = FOLDER) -> Sequence[str]:
    """The settings that exist."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load_settings(name: str, folder: Path = FOLDER) -> Settings:
    """The named settings with all that they inherit; SettingsError if there are none, or a file is wrong."""
    values = _merged(name, folder, ())
    try:
        return Settings(**values)
    except ValidationError as error:
        raise SettingsError(f"{folder / name}.yaml: {'; '.join(map(_complaint, error.errors()))}") from None


def _merged(name: str, folder: Path, users: tuple[str, ...]) -> dict[str, Any]:
    """The keys of a file over those of the one that it extends; a list of shares replaces the former one."""
    path = folder / f"{name}.yaml"
    if name not in settings_names(folder):
        where = f"{folder / users[-1]}.yaml: {EXTENDS}: " if users else ""
        raise SettingsError(f"{where}unknown settings '{name}': choose one of {', '.join(settings_names(folder))}")
    if name in users:
        raise SettingsError(f"{path}: {EXTENDS}: {' -> '.join((*users, name))} goes round in a circle")
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise SettingsError(f"{path}: expected `key: value` lines, such as `{EXTENDS}: base`")
    parent = values.pop(EXTENDS, None)
    if parent is None:
        return values
    if not isinstance(parent, str):
        raise SettingsError(f"{path}: {EXTENDS}: expected the name of other settings, not {parent!r}")
    return _merged(parent, folder, (*users, name)) | values


def _complaint(error: ErrorDetails) -> str:
    """One wrong key: where, what, and what would be right."""
    parts = [str(part) for part in error["loc"] if part != "[key]"]
    key = ".".join(parts)
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(parts[-1], Settings.model_fields, 1)
        return f"unknown key '{key}': " + (
            f"do you mean {near[0]}?" if near else f"it is one of {', '.join(Settings.model_fields)}"
        )
    if error["type"] == "missing":
        meaning = Settings.model_fields[parts[0]].description
        return f"'{key}' is missing, here and in what the file extends" + (f": {meaning}" if meaning else "")
    given = f", not {error['input']!r}" if not isinstance(error["input"], dict) else ""
    text = error["msg"].removeprefix("Value error, ")
    return f"{key + ': ' if key else ''}{text[0].lower()}{text[1:]}{given}"
