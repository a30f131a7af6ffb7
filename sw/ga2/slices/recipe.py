# SPDX-License-Identifier: Apache-2.0
"""A recipe: what a graph is built from, as plain data. It can be kept in a file, shrunk and printed."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from capra import Affine


@dataclass(frozen=True)
class Step:
    """One node, or one output. `inputs` are indices of earlier steps.

    op: input, cache, ids, weight, gather, matmul, transposed, softmax, causal, add, relu, copy, concat, slice, argmax,
    output, append. rows: of an input, a weight or a slice. start: first row of a slice. cols: of an input or a weight.
    role: steps of one role share one int8 scale; empty for a role of its own. An `append` stores its first input in
    its second, a cache, at row LEN.
    """

    op: str
    inputs: tuple[int, ...] = ()
    rows: Affine = field(default_factory=Affine)
    start: Affine = field(default_factory=Affine)
    cols: int = 0
    role: str = ""


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
        """The inverse of `to_json`; TypeError or KeyError for anything else."""
        steps = tuple(
            Step(**step | {"inputs": tuple(step["inputs"])} | {key: _size(step[key]) for key in ("rows", "start")})
            for step in data["steps"]
        )
        return cls(data["seed"], steps, tuple(Run(**run) for run in data["runs"]), data["fused"], data["tuned"])


def _size(parts: dict[str, int]) -> Affine:
    return Affine(**parts)


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
