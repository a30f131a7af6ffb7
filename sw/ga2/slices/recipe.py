# SPDX-License-Identifier: Apache-2.0
"""A recipe: what a graph is built from, as plain data. It can be kept in a file, shrunk and printed."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from capra import Affine
from ga2.spec import Config


@dataclass(frozen=True)
class Step:
    """One node, or one output. `inputs` are indices of earlier steps.

    op: input, cache, ids, weight, gather, matmul, transposed, softmax, causal, add, relu, copy, concat, slice, argmax,
    output, append. rows: of an input, a weight or a slice. start: first row of a slice. cols: of an input or a weight.
    role: steps of one role share one int8 scale; empty for a role of its own. An `append` stores its first input in
    its second, a cache, at row LEN. name: of the node or output; empty for one made of op and number. scale: of a
    product; 1, or of a transposed one 0.25, if there is none.
    """

    op: str
    inputs: tuple[int, ...] = ()
    rows: Affine = field(default_factory=Affine)
    start: Affine = field(default_factory=Affine)
    cols: int = 0
    role: str = ""
    name: str = ""
    scale: float | None = None


@dataclass(frozen=True)
class Run:
    """One run of the compiled program."""

    length: int
    m: int


@dataclass(frozen=True)
class Recipe:
    """A graph, the runs of its program, and the seed of its weights and inputs.

    fused: whether prefix slices may become a causal block, and relu and residual part of a product. tuned: whether
    the compiler chooses the fastest of several plans.
    """

    seed: int
    steps: tuple[Step, ...]
    runs: tuple[Run, ...]
    fused: bool = True
    tuned: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain lists, numbers and strings."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Recipe":
        """The inverse of `to_json`; ValueError, in one line, for anything else.

        What people write may be shorter: a size as a number or a text (`LEN+M-1`), an input by its step's name.
        """
        try:
            recipe = _RECIPE.validate_json(json.dumps(_spelt_out(data)), strict=True)
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"{'.'.join(map(str, first['loc'])) or 'recipe'}: {first['msg']}") from None
        for index, step in enumerate(recipe.steps):
            if any(not 0 <= source < index for source in step.inputs):
                raise ValueError(f"steps.{index}.inputs: {list(step.inputs)} must be numbers of earlier steps")
        if recipe.seed < 0:
            raise ValueError(f"seed: must be 0 or more, not {recipe.seed}")
        if not any(step.op == "output" for step in recipe.steps):
            raise ValueError("steps: none is an output, so nothing would be compared")
        return recipe

    def check(self, config: Config) -> None:
        """ValueError for runs that a configuration cannot play, or none."""
        if not self.runs:
            raise ValueError("runs: there must be one or more")
        for run in self.runs:
            if not (1 <= run.m <= config.m_max and 0 <= run.length <= config.max_len - run.m):
                limits = f"M from 1 to {config.m_max}, LEN + M to {config.max_len}"
                raise ValueError(f"runs: LEN={run.length} M={run.m} does not fit {config.name}: {limits}")


_RECIPE = TypeAdapter(Recipe)


def _spelt_out(data: dict[str, Any]) -> dict[str, Any]:
    """The data with sizes as objects and inputs as numbers; what is not understood is left to the validation."""
    steps = data.get("steps") if isinstance(data, dict) else None
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        return data
    numbers: dict[str, int] = {}
    made: list[dict[str, Any]] = []
    for index, step in enumerate(steps):
        inputs = step.get("inputs", [])
        if isinstance(inputs, list):
            for at, name in enumerate(inputs):
                if isinstance(name, str) and name not in numbers:
                    raise ValueError(f"steps.{index}.inputs.{at}: no earlier step is called '{name}'")
            inputs = [numbers[name] if isinstance(name, str) else name for name in inputs]
        sizes = {key: _size(step[key], f"steps.{index}.{key}") for key in ("rows", "start") if key in step}
        made.append({**step, **sizes, "inputs": inputs})
        if isinstance(step.get("name"), str) and step["name"]:
            numbers.setdefault(step["name"], index)
    return {**data, "steps": made}


def _size(value: Any, where: str) -> Any:
    if isinstance(value, str):
        try:
            return asdict(Affine.parse(value))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    return asdict(Affine(value)) if type(value) is int else value


def bypassed(steps: Sequence[Step], index: int, operand: int) -> tuple[Step, ...]:
    """The steps in which whoever read step `index` reads step `operand`, an earlier one, and `index` is gone."""
    redirected = [replace(step, inputs=tuple(operand if source == index else source for source in step.inputs))
                  for step in steps]  # fmt: skip
    return without(redirected, {index})


def without(steps: Sequence[Step], dropped: set[int]) -> tuple[Step, ...]:
    """The steps without the `dropped` ones and all that read them, renumbered."""
    kept: dict[int, int] = {}
    result: list[Step] = []
    for index, step in enumerate(steps):
        if index in dropped or any(source not in kept for source in step.inputs):
            continue
        kept[index] = len(result)
        result.append(replace(step, inputs=tuple(kept[source] for source in step.inputs)))
    return tuple(result)
