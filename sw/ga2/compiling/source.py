# SPDX-License-Identifier: Apache-2.0
"""The graph to compile: a program of the tiny model by its name, or a file.

A file is what `ga2 slices` keeps, {"configuration": name, "recipe": {...}}, and may say more:

    weights  an .npz file beside it; an array there is the weight of that name, any other weight is drawn
    ranges   role -> largest magnitude, in place of what the recipe's runs on drawn inputs show
"""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capra import Affine, FusionOptions, Graph, calibrate, evaluate
from capra.library import block_of_name
from capra.rewrite import prune
from ga2.jsonfile import read_json
from ga2.slices.build import build, real_inputs, step_name
from ga2.slices.recipe import Recipe
from ga2.slices.subject import UNFUSED
from ga2.spec import CONFIG_NAMES, Config, load_config
from ga2.stimulus import StimulusError, tiny_graphs

WHOLE = "model"
KEYS = ("configuration", "recipe", "weights", "ranges")


class SourceError(ValueError):
    """A graph that cannot be had; one line says why."""


@dataclass(frozen=True)
class Source:
    """Graphs with what the compiler must know beside them."""

    config: Config
    graphs: list[Graph]
    ranges: Mapping[str, float]
    options: FusionOptions = FusionOptions()


def source(name: str, config: str | None, target: str) -> Source:
    """The graphs that `name` stands for. config: None for a file's own, or nano. target: of the tiny model."""
    if config is not None and config not in CONFIG_NAMES:
        raise SourceError(f"unknown configuration '{config}': choose one of {', '.join(CONFIG_NAMES)}")
    path = Path(name)
    if path.is_file():
        return _from_file(path, config)
    if path.suffix or path.name != name:
        raise SourceError(f"{path}: no such file")
    return _by_name(name, config or "nano", target)


def _by_name(name: str, config: str, target: str) -> Source:
    """One program of the tiny model, or all of them together."""
    try:
        block = block_of_name(name)
        graphs, ranges = tiny_graphs(target, blocks={block[0]: (block[1],)} if block else None)
    except StimulusError as error:
        raise SourceError(str(error)) from None
    chosen = [graph for graph in graphs if name in (WHOLE, graph.name)]
    if not chosen:
        names = ", ".join(graph.name for graph in graphs)
        raise SourceError(f"no program '{name}': there are {names}, and {WHOLE} for all of them; or name a file")
    return Source(load_config(config), chosen, ranges)


def _from_file(path: Path, config: str | None) -> Source:
    try:
        data = read_json(path)
    except ValueError as error:
        raise SourceError(str(error)) from None
    try:
        if not isinstance(data, dict) or "recipe" not in data:
            raise ValueError("must be an object with a recipe")
        if unknown := set(data) - set(KEYS):
            raise ValueError(f"unknown key '{min(unknown)}': there are {', '.join(KEYS)}")
        core = load_config(config or data.get("configuration") or "nano")
        arrays = _arrays(path, data.get("weights"))
        recipe = _with_sizes(Recipe.from_json(data["recipe"]), arrays)
        recipe.check(core)
        if unread := set(arrays) - {name for name, _ in _weights_of(recipe)}:
            raise ValueError(f"weights: no step that is a weight is called '{min(unread)}'")
        graph = prune(build(recipe, arrays))
    except OSError as error:
        raise SourceError(f"{error.filename or path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise SourceError(f"{path}: {error}") from None
    ranges = _calibrated(recipe, graph) | _ranges(path, graph, data.get("ranges", {}))
    graph.name = "main" if not path.stem.isidentifier() else path.stem
    return Source(core, [graph], ranges, FusionOptions() if recipe.fused else UNFUSED)


def _weights_of(recipe: Recipe) -> Iterator[tuple[str, int]]:
    """Names and places of the steps that are weights."""
    for index, step in enumerate(recipe.steps):
        if step.op == "weight":
            yield step_name(index, step), index


def _arrays(path: Path, name: Any) -> dict[str, NDArray[np.float64]]:
    """The arrays of the file of weights; none if there is no such file."""
    if name is None:
        return {}
    if not isinstance(name, str):
        raise ValueError(f"weights: expected the name of an .npz file, not {name!r}")
    try:
        with np.load(path.parent / name, allow_pickle=False) as found:
            return {key: np.asarray(found[key], np.float64) for key in found.files}
    except (ValueError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f"weights: {name} is no .npz file of numbers ({error})") from None


def _with_sizes(recipe: Recipe, arrays: Mapping[str, NDArray]) -> Recipe:
    """The recipe in which a given weight has its array's size; a step may leave it out, or must agree."""
    steps = list(recipe.steps)
    for name, index in _weights_of(recipe):
        shape = arrays[name].shape if name in arrays else None
        if shape is None or len(shape) != 2:
            continue
        step = steps[index]
        if (step.rows, step.cols) not in ((Affine(), 0), (Affine(shape[0]), shape[1])):
            raise ValueError(f"{name}: its array is {shape[0]} x {shape[1]}, its step {step.rows} x {step.cols}")
        steps[index] = replace(step, rows=Affine(shape[0]), cols=shape[1])
    return replace(recipe, steps=tuple(steps))


def _calibrated(recipe: Recipe, graph: Graph) -> dict[str, float]:
    traces = [evaluate(graph, real_inputs(graph, recipe.seed, run), run.length, run.m) for run in recipe.runs]
    return calibrate(graph, traces)


def _ranges(path: Path, graph: Graph, given: Any) -> dict[str, float]:
    """The ranges of the file, all of roles that the graph has."""
    roles = {node.role for node in graph.nodes}
    if not isinstance(given, dict):
        raise SourceError(f"{path}: ranges: expected an object, role: largest magnitude")
    for role, limit in given.items():
        if role not in roles:
            raise SourceError(f"{path}: ranges: no tensor has the role '{role}': there are {', '.join(sorted(roles))}")
        if isinstance(limit, bool) or not isinstance(limit, int | float):
            raise SourceError(f"{path}: ranges: {role}: expected a number, not {limit!r}")
    return {role: float(limit) for role, limit in given.items()}
