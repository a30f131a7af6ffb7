# SPDX-License-Identifier: Apache-2.0
"""A draft as a file: a next-token table with its vocabulary, in JSON or YAML.

    vocabulary: 4
    order: 1             # tokens that an entry looks at: 1 or 2
    next: [2, 3, 1, 0]   # vocabulary ** order tokens; of order 2: entry a * vocabulary + b follows a, b
"""

from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import Field, StrictInt, ValidationError, model_validator

from ga2.jsonfile import read_json
from ga2.models.host_drafts import TableDraft
from ga2.spec import Strict

LARGEST = 1024  # tokens: a table of order 2 has a million entries
LARGEST_FILE = 1 << 24  # bytes: such a table, in any layout


class _OnceLoader(yaml.SafeLoader):
    """Safe YAML in which a key may occur once: the last of several would win unsaid."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping; YAMLError for a key that repeats."""
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.MarkedYAMLError(problem=f"'{key.value}' occurs twice", problem_mark=key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep)


class DraftFile(Strict):
    """What the file holds."""

    vocabulary: Annotated[StrictInt, Field(ge=1, le=LARGEST)]
    order: Annotated[StrictInt, Field(ge=1, le=2)]
    next: tuple[StrictInt, ...]

    @model_validator(mode="after")
    def _whole(self) -> "DraftFile":
        entries = self.vocabulary**self.order
        if len(self.next) != entries:
            expected = f"{self.vocabulary} ** {self.order} = {entries}"
            raise ValueError(f"next has {len(self.next)} entries: expected {expected}")
        for index, token in enumerate(self.next):
            if not 0 <= token < self.vocabulary:
                raise ValueError(f"next[{index}] is {token}: expected 0 to {self.vocabulary - 1}")
        return self


def read_draft(path: Path, vocabulary: int) -> TableDraft:
    """The draft in a file. ValueError, in one line that names the file, unless it fits a target of `vocabulary`."""
    content = _content(path)
    if not isinstance(content, dict):
        raise ValueError(f"{path}: not a draft: expected a mapping with vocabulary, order and next")
    try:
        found = DraftFile.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        text = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{path}: {place + ': ' if place else ''}{text}") from None
    if found.vocabulary != vocabulary:
        raise ValueError(f"{path}: a draft of {found.vocabulary} tokens, but the target's vocabulary has {vocabulary}")
    return TableDraft(found.order, found.vocabulary, found.next)


def _content(path: Path) -> Any:
    """The file's JSON or YAML; ValueError names the file.

    A run reads it more than once, in more than one process: a pipe would be empty the second time.
    """
    if path.exists() and not path.is_dir() and not path.is_file():
        raise ValueError(f"{path}: a pipe or a device: expected a file")
    if path.is_file() and path.stat().st_size > LARGEST_FILE:
        raise ValueError(f"{path}: {path.stat().st_size:,} bytes: no draft has more than {LARGEST_FILE:,}")
    if path.suffix == ".json":
        return read_json(path)
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _OnceLoader)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8 text, and so no YAML file") from None
    except (yaml.YAMLError, ValueError) as error:
        raise ValueError(f"{path}: no YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply") from None
