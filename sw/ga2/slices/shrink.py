# SPDX-License-Identifier: Apache-2.0
"""A failing recipe made small: fewer runs, fewer steps, shorter caches and smaller blocks, while it still fails."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from ga2.slices.recipe import Recipe, Run, bypassed, without

Fails = Callable[[Recipe], bool]


def shrink(recipe: Recipe, fails: Fails, tries: int) -> Recipe:
    """The smallest recipe found in at most `tries` questions to `fails`; the recipe itself must fail."""
    left = tries
    better = True
    while better and left > 0:
        better = False
        for candidate in smaller(recipe):
            if left <= 0:
                break
            left -= 1
            if fails(candidate):
                recipe, better = candidate, True
                break
    return recipe


def smaller(recipe: Recipe) -> Iterator[Recipe]:
    """Recipes a little smaller, the boldest first: each run alone, without a step and its readers, with a step's
    readers reading its operand instead, then shorter caches and smaller blocks."""
    if len(recipe.runs) > 1:
        for run in recipe.runs:
            yield replace(recipe, runs=(run,))
    sizes = set()
    for index in reversed(range(len(recipe.steps))):
        steps = without(recipe.steps, {index})
        if steps not in sizes and any(step.op in ("output", "append") for step in steps):
            sizes.add(steps)
            yield replace(recipe, steps=steps)
    for index, step in reversed(list(enumerate(recipe.steps))):
        for operand in dict.fromkeys(step.inputs):
            yield replace(recipe, steps=bypassed(recipe.steps, index, operand))
    for at, run in enumerate(recipe.runs):
        for other in (Run(0, run.m), Run(run.length // 2, run.m), Run(run.length, 1), Run(run.length, run.m // 2)):
            if other != run and other.m > 0:
                yield replace(recipe, runs=(*recipe.runs[:at], other, *recipe.runs[at + 1 :]))
    if recipe.tuned:
        yield replace(recipe, tuned=False)
