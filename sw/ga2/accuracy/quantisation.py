# SPDX-License-Identifier: Apache-2.0
"""What int8 costs the shipped models: every tensor of a program on the golden core beside the graph in floating point.

A model is compiled twice, with a scale a column of each weight and with one scale a weight; the instructions carry a
constant a column either way. A prompt's cache holds the keys and values that the program itself made of its tokens.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from capra import CompiledModel, Graph, compile_graphs, evaluate
from capra.constants import softmax_factors
from capra.execute import Machine
from capra.node import Node
from capra.quantise import INT8_MAX
from ga2.accuracy.softmax import SCALE_ONE, UNIT
from ga2.golden import numerics
from ga2.spec import load_config
from ga2.stimulus import tiny_graphs

CONFIGURATION = "nano"  # the bytes are the same on every one
PROMPTS = 48
SEED = 1
BLOCK = 4
LONGEST_CACHE = 60
PROGRAMS = ("target", "draft_matmul", "draft_table")
LOGITS = {"target": "logits", "draft_matmul": "guess_logits", "draft_table": "row"}
TENSORS = ("x", "q", "k", "v", "scores", "probabilities", "attention", "h", "f", "y", "logits")
STATED_RELATIVE = 0.04
"""What the targets' logits may be off with a scale a column: root mean square over that of the logits."""
STATED_AGREEMENT = 0.95
"""The share of their rows that keep the choice."""
PROBABILITY_STEP = 1 / 256
SIGNED_ENDS, UNSIGNED_ENDS = 128.5, 256.5

Floats = NDArray[np.float64]
Values = Mapping[str, NDArray]


@dataclass
class Error:
    """The differences of a tensor, summed up. step: the real value of one int8 step. beyond: elements that no byte has.

    Ranges come from calibration, so a prompt that it never saw may lead beyond them.
    """

    step: float
    ends: float = SIGNED_ENDS
    largest: float = 0.0
    squares: float = 0.0
    of_squares: float = 0.0
    beyond: int = 0
    count: int = 0

    def add(self, found: Floats, exact: Floats) -> None:
        """Take in some elements and what they should be."""
        difference = found - exact
        self.largest = max(self.largest, float(np.abs(difference).max(initial=0.0)))
        self.squares += float((difference**2).sum())
        self.of_squares += float((exact**2).sum())
        self.beyond += int((np.abs(exact) > self.ends * self.step).sum())
        self.count += difference.size

    @property
    def worst(self) -> float:
        """The largest difference, in steps."""
        return self.largest / self.step

    @property
    def rms(self) -> float:
        """The root of the mean square, in steps."""
        return float(np.sqrt(self.squares / self.count)) / self.step

    @property
    def saturated(self) -> float:
        """The share of elements beyond the bytes."""
        return self.beyond / self.count

    @property
    def relative(self) -> float:
        """The root mean square of the differences over that of the exact numbers."""
        return float(np.sqrt(self.squares / self.of_squares)) if self.of_squares else 0.0


@dataclass
class Measured:
    """One program with one kind of weight scales: errors by tensor, and rows whose choice is the float one's."""

    errors: dict[str, Error]
    rows: int = 0
    agreeing: int = 0

    @property
    def agreement(self) -> float:
        """The share of rows with the float choice."""
        return self.agreeing / self.rows


@dataclass(frozen=True)
class Prompt:
    """Tokens in the cache, and the block after them."""

    cache: tuple[int, ...]
    block: tuple[int, ...]


def prompts(vocabulary: int, count: int = PROMPTS, seed: int = SEED) -> Iterator[Prompt]:
    """Tokens at random behind caches of 0 .. `LONGEST_CACHE` rows; always the same."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        length = int(rng.integers(LONGEST_CACHE + 1))
        tokens = rng.integers(vocabulary, size=length + BLOCK).tolist()
        yield Prompt(tuple(tokens[:length]), tuple(tokens[length:]))


@cache
def compiled(kind: str, per_column: bool) -> CompiledModel:
    """A shipped model with its drafts."""
    graphs, ranges = tiny_graphs(kind)
    return compile_graphs(load_config(CONFIGURATION), graphs, ranges, tuned=False, per_column=per_column)


def _ids(tokens: tuple[int, ...]) -> NDArray[np.int64]:
    return np.array(tokens, np.int64).reshape(-1, 1)


def _real(graph: Graph, model: CompiledModel, node: Node, tensors: Values) -> Floats:
    """What the bytes of a tensor stand for."""
    if node.op != "softmax":
        return tensors[node.name].astype(np.float64) * model.spec.scale(node.role)
    scores = tensors[node.inputs[0].name]
    lengths = scores.shape[1] - len(scores) + 1 + np.arange(len(scores))
    emul = softmax_factors(node, graph.consumers(node), model.spec).emul
    _, multipliers = numerics.softmax_rows(scores, lengths, emul, SCALE_ONE)
    return tensors[node.name] * 256.0 * multipliers[:, np.newaxis] / UNIT


def _seen(node: Node, values: Floats) -> Floats:
    """The elements that the model looks at: of causal scores and probabilities those up to the row's own position."""
    if node.name not in ("scores", "probabilities"):
        return values.ravel()
    rows, columns = np.indices(values.shape)
    return values[columns <= values.shape[1] - values.shape[0] + rows]


class _Beside:
    """A program on the golden core, and its graph in floating point."""

    def __init__(self, kind: str, program: str, per_column: bool) -> None:
        self.model = compiled(kind, per_column)
        self.machine = Machine(self.model)
        self.program = self.model.programs[program]
        self.float_graph = next(graph for graph in tiny_graphs(kind)[0] if graph.name == program)
        named = {node.name: node for node in self.program.graph.nodes}
        wanted = (*TENSORS[:-1], LOGITS[program])
        self.nodes = [named[name] for name in dict.fromkeys(wanted) if name in named]
        self.measured = Measured({node.name: self.error(node) for node in self.nodes})

    def error(self, node: Node) -> Error:
        if node.op == "softmax":
            return Error(PROBABILITY_STEP, UNSIGNED_ENDS)
        return Error(self.model.spec.scale(node.role))

    @cached_property
    def of_tokens(self) -> tuple[Values, Values]:
        """Keys and values of every token, as int8 and in floating point: in one layer they depend on it alone."""
        size = self.float_graph.weights["E"].shape[0]
        ids = _ids(tuple(range(size)))
        empty = {name: np.zeros((0, self.float_graph.node("k").shape.cols.imm)) for name in ("k_cache", "v_cache")}
        found = self.machine.run("target", {"ids": ids}, 0, size).outputs
        return found, evaluate(self.float_graph, {"ids": ids, **empty}, 0, size)

    def take(self, prompt: Prompt) -> None:
        """Run the block of a prompt, and add its differences to what is measured."""
        ids, length, m = _ids(prompt.block), 0, len(prompt.block)
        held: dict[str, NDArray] = {}
        exact_held: dict[str, Floats] = {}
        if "k_cache" in self.program.inputs:
            length = len(prompt.cache)
            rows, (bytes_of, exact_of) = list(prompt.cache), self.of_tokens
            held = {f"{name}_cache": bytes_of[name][rows] for name in "kv"}
            exact_held = {f"{name}_cache": exact_of[name][rows] for name in "kv"}
        tensors = self.machine.run(self.program.name, {"ids": ids, **held}, length, m).tensors
        exact = evaluate(self.float_graph, {"ids": ids, **exact_held}, length, m)
        for node in self.nodes:
            found = _seen(node, _real(self.program.graph, self.model, node, tensors))
            self.measured.errors[node.name].add(found, _seen(node, exact[node.name]))
        logits = LOGITS[self.program.name]
        self.measured.rows += m
        self.measured.agreeing += int((tensors[logits].argmax(axis=1) == exact[logits].argmax(axis=1)).sum())


def measure(kind: str, program: str, per_column: bool, count: int = PROMPTS, seed: int = SEED) -> Measured:
    """A program over seeded prompts; a draft, which sees one token, over each token of the vocabulary."""
    beside = _Beside(kind, program, per_column)
    vocabulary = len(beside.float_graph.weights["L" if program == "draft_table" else "E"])
    if program == "target":
        for prompt in prompts(vocabulary, count, seed):
            beside.take(prompt)
    else:
        beside.take(Prompt((), tuple(range(vocabulary))))
    return beside.measured


@cache
def measured(kind: str, program: str, per_column: bool) -> Measured:
    """`measure` as the page shows it."""
    return measure(kind, program, per_column)


@cache
def weight_errors(kind: str, per_column: bool) -> dict[str, Error]:
    """The weights that stream as panels, beside the numbers that they stand for. The step is one scale's for all."""
    model = compiled(kind, per_column)
    found: dict[str, Error] = {}
    for graph in tiny_graphs(kind)[0]:
        for name, array in graph.weights.items():
            if name in model.spec.columns and name not in found:
                column = model.spec.columns[name]
                found[name] = Error(float(np.abs(array).max()) / INT8_MAX)
                found[name].add(column.values * column.scales, array)
    return found
