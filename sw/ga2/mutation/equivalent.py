# SPDX-License-Identifier: Apache-2.0
"""Mutants that change nothing anybody could see, with the reasons: `verif/mutants/*_equivalent.yaml`."""

from collections.abc import Sequence
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ga2.mutation.mutant import Mutant


class Equivalent(BaseModel):
    """One of them. before, after: the change, as `ga2 mutate` shows it, so that the id cannot come to mean another."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    before: str
    after: str
    reason: str = Field(min_length=10)


def equivalents(mutants: Sequence[Mutant], path: Path) -> dict[str, str]:
    """Reasons by id. ValueError, in one line, for a table that is none, or that names no mutant there is."""
    try:
        found = TypeAdapter(list[Equivalent]).validate_python(yaml.safe_load(path.read_text()) or [])
    except (yaml.YAMLError, ValidationError) as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())}") from None
    known = {each.id: each for each in mutants}
    for each in found:
        mutant = known.get(each.id)
        if mutant is None or (mutant.before, mutant.after) != (each.before, each.after):
            now = f"now '{mutant.before}' -> '{mutant.after}'" if mutant else "no such mutant"
            raise ValueError(f"{path}: '{each.id}': '{each.before}' -> '{each.after}' is gone: {now}")
    if len({each.id for each in found}) < len(found):
        raise ValueError(f"{path}: one is listed twice")
    return {each.id: " ".join(each.reason.split()) for each in found}
