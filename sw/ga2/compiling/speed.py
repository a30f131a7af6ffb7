# SPDX-License-Identifier: Apache-2.0
"""How long the compiler and the golden model take: the tiny target, and a model of some 120,000 weights on `base`.

A figure is the best of several repetitions: whatever else a machine does only adds to it. Seconds are those of the
processor; those of the clock stand beside them.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np

from capra import CompiledModel, Graph, calibrate, compile_graphs, evaluate, target_graph
from capra.execute import Machine
from capra.tune import forget
from ga2.isa.image import write_whole
from ga2.sim.build import build_root
from ga2.spec import CONFIG_NAMES, load_config
from ga2.stimulus import tiny_graphs

TINY_LIMIT, LARGE_LIMIT, PASS_LIMIT = 0.3, 3.0, 0.1  # seconds
WIDTH, HIDDEN, VOCABULARY = 96, 384, 96
LARGE_CONFIGURATION = "base"
CACHE, ROWS = 64, 4  # of the golden model's pass


@dataclass(frozen=True)
class Figure:
    """One thing that was timed. seconds: of the processor; wall: of the clock; both the best of `repetitions`."""

    name: str
    seconds: float
    wall: float
    limit: float
    repetitions: int

    @property
    def met(self) -> bool:
        """True if it stays within the limit."""
        return self.seconds <= self.limit


def best(name: str, limit: float, repetitions: int, work: Callable[[], object]) -> Figure:
    """Time `work`, which must do the same every time."""
    seconds, wall = [], []
    for _ in range(repetitions):
        processor, clock = time.process_time(), time.perf_counter()
        work()
        seconds.append(time.process_time() - processor)
        wall.append(time.perf_counter() - clock)
    return Figure(name, min(seconds), min(wall), limit, repetitions)


def large_graph() -> tuple[Graph, dict[str, float]]:
    """A target of random weights, always the same, with ranges from a pass over its vocabulary."""
    rng = np.random.default_rng(1)
    shapes = {"E": (VOCABULARY, WIDTH), "W1": (WIDTH, HIDDEN), "W2": (HIDDEN, WIDTH), "Wout": (WIDTH, VOCABULARY)}
    shapes |= {name: (WIDTH, WIDTH) for name in ("Wq", "Wk", "Wv", "Wo")}
    weights = {name: rng.normal(size=shape) / np.sqrt(shape[0]) for name, shape in shapes.items()}
    graph = target_graph(weights)
    empty = {name: np.zeros((0, WIDTH)) for name in ("k_cache", "v_cache")}
    ids = np.arange(VOCABULARY)[:, np.newaxis]
    return graph, calibrate(graph, [evaluate(graph, {"ids": ids, **empty}, 0, VOCABULARY)])


def streamed_weights(graph: Graph) -> int:
    """Numbers that a pass reads; of the embedding it reads single rows."""
    return sum(array.size for name, array in graph.weights.items() if name != "E")


def compiled(config: str, graph: Graph, ranges: dict[str, float]) -> CompiledModel:
    """Compile, and choose among plans as if the program's structure had never been seen."""
    forget()
    return compile_graphs(load_config(config), [graph], ranges)


def figures(repetitions: int) -> Iterator[Figure]:
    """Every figure, as it is measured."""
    graphs, ranges = tiny_graphs()
    target = next(graph for graph in graphs if graph.name == "target")
    for name in CONFIG_NAMES:
        work = partial(compiled, name, target, dict(ranges))
        yield best(f"compile the tiny target for {name}", TINY_LIMIT, repetitions, work)
    large, limits = large_graph()
    what = f"{streamed_weights(large):,} weights"
    work = partial(compiled, LARGE_CONFIGURATION, large, limits)
    yield best(f"compile {what} for {LARGE_CONFIGURATION}", LARGE_LIMIT, repetitions, work)
    model = work()
    machine, program = Machine(model), model.programs[large.name]
    ids = np.arange(ROWS)[:, np.newaxis]
    caches = {name: np.zeros((CACHE, WIDTH), np.int8) for name in ("k_cache", "v_cache")}
    machine.run(large.name, {"ids": ids, **caches}, CACHE, ROWS)
    run = partial(machine.core.run, machine.memory, model.windows, program.entry, CACHE, ROWS)
    yield best(f"a pass of {what} on the golden model, LEN = {CACHE}, M = {ROWS}", PASS_LIMIT, repetitions, run)


def save(found: list[Figure]) -> Path:
    """`build/compile_speed/summary.json`, whole or not at all."""
    path = build_root() / "compile_speed" / "summary.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = [{**asdict(each), "met": each.met} for each in found]
    write_whole(path, f"{json.dumps({'figures': entries}, indent=1)}\n".encode())
    return path
