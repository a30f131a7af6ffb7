# SPDX-License-Identifier: Apache-2.0
"""A case: a configuration, a seed and a bin; its recipe compiled, or drawn again where the scratchpad is too small."""

from dataclasses import dataclass
from random import Random

from capra import AllocationError
from ga2.slices.cross import Bin
from ga2.slices.draw import draw_from
from ga2.slices.recipe import Recipe
from ga2.slices.subject import Subject, compile_recipe
from ga2.spec import Config

REDRAWS = 20


@dataclass(frozen=True)
class Case:
    """Names one graph of a configuration; without `target` the seed chooses its bin."""

    seed: int
    target: Bin | None = None

    def __str__(self) -> str:
        return f"seed {self.seed}" + (f", {self.target}" if self.target else "")


@dataclass(frozen=True)
class Drawn:
    """A case's graph, compiled, and what did not fit before it: AllocationErrors, one line each."""

    case: Case
    subject: Subject
    refused: tuple[str, ...]

    @property
    def recipe(self) -> Recipe:
        """What the graph is built from."""
        return self.subject.recipe


class CompilerFailure(Exception):
    """The compiler fell over a legal graph, or refused it for another reason than its size; `recipe` is the graph's."""

    def __init__(self, recipe: Recipe, cause: Exception) -> None:
        super().__init__(f"the compiler: {type(cause).__name__}: {cause}")
        self.recipe = recipe


def draw_case(config: Config, case: Case) -> Drawn:
    """The graph of a case, a pure function of configuration and case. CompilerFailure; RuntimeError if none fits."""
    rng = Random(f"{config.name} {case.seed} {case.target}")
    refused: list[str] = []
    for _ in range(REDRAWS):
        recipe = draw_from(config, rng, case.target, case.seed)
        try:
            return Drawn(case, compile_recipe(config, recipe), tuple(refused))
        except AllocationError as error:
            refused.append(str(error))
        except Exception as error:
            raise CompilerFailure(recipe, error) from error
    raise RuntimeError(f"{case}: no graph of {REDRAWS} fits {config.name}: {refused[-1]}")
