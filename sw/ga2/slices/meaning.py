# SPDX-License-Identifier: Apache-2.0
"""What a recipe means in real numbers, step by step, without Capra, whose graphs, shapes and passes are on trial."""

import numpy as np
from numpy.typing import NDArray

from capra import Affine
from ga2.slices.build import Inputs, step_name, step_scale, weights
from ga2.slices.recipe import Recipe, Run, Step

Float = NDArray[np.float64]


def mean(recipe: Recipe, inputs: Inputs, run: Run) -> dict[str, Float]:
    """Every tensor by the name of its node; inputs that the program does not read, and what follows, are left out."""
    found: dict[str, Float] = {}
    names = [step_name(index, step) for index, step in enumerate(recipe.steps)]
    for index, step in enumerate(recipe.steps):
        operands = [names[source] for source in step.inputs]
        known = all(name in found for name in operands)
        if step.op == "weight":
            found[names[index]] = weights(recipe.seed, index, step)
        elif step.op in ("input", "cache", "ids"):
            if names[index] in inputs:
                found[names[index]] = inputs[names[index]]
        elif known and step.op not in ("output", "append"):
            found[names[index]] = _apply(step, [found[name] for name in operands], run)
    return found


def _at(size: Affine, run: Run) -> int:
    return size.imm + size.a * run.length + size.b * run.m


def _apply(step: Step, operands: list[Float], run: Run) -> Float:
    x = operands[0]
    match step.op:
        case "gather":
            return x[operands[1].astype(int).ravel()]
        case "matmul":
            return step_scale(step) * (x @ operands[1])
        case "transposed":
            return step_scale(step) * (x @ operands[1].T)
        case "softmax" | "causal":
            return _softmax(x, step.op == "causal")
        case "add":
            return x + operands[1]
        case "relu":
            return np.maximum(x, 0)
        case "copy":
            return x
        case "concat":
            return np.concatenate(operands)
        case "slice":
            first = _at(step.start, run)
            return x[first : first + _at(step.rows, run)]
        case "argmax":
            return np.argmax(x, axis=1).astype(np.float64)[:, np.newaxis]
    raise ValueError(f"a recipe has no step '{step.op}'")


def _softmax(scores: Float, causal: bool) -> Float:
    """Row by row over what the row sees: everything, or a prefix that ends with the block's own row."""
    rows, columns = scores.shape
    made = np.zeros_like(scores)
    for i, row in enumerate(scores):
        seen = columns - rows + i + 1 if causal else columns
        exps = np.exp(row[:seen] - row[:seen].max())
        made[i, :seen] = exps / exps.sum()
    return made
