# SPDX-License-Identifier: Apache-2.0
"""Steps in the making: each is tried on a graph as it is added, so that shapes are known and legality is Capra's."""

from random import Random

from capra import LEN, Affine, M, Node
from ga2.slices.build import Builder
from ga2.slices.recipe import Step
from ga2.slices.sizes import tall, widths
from ga2.spec import Config


class Steps:
    """Appends steps, each method one idiom; all return the index of the tensor that they make."""

    def __init__(self, config: Config, rng: Random, fused: bool) -> None:
        self.config, self.rng, self.fused = config, rng, fused
        self.steps: list[Step] = []
        self._builder = Builder(0)

    def add(self, op: str, *inputs: int, rows: Affine = Affine(), start: Affine = Affine(), cols: int = 0,
            role: str = "") -> int:  # fmt: skip
        """One step; GraphError if the graph refuses it."""
        step = Step(op, inputs, rows, start, cols, role)
        self._builder.add(step)
        self.steps.append(step)
        return len(self.steps) - 1

    def node(self, index: int) -> Node:
        """The graph's node of a step."""
        return self._builder.operand(index)

    def rows(self, index: int) -> Affine:
        """Rows of a tensor."""
        return self.node(index).shape.rows

    def cols(self, index: int) -> Affine:
        """Columns of a tensor."""
        return self.node(index).shape.cols

    def width(self, rows: Affine) -> int:
        """Columns for a tensor of `rows` rows."""
        return widths(self.config, self.rng, tall(rows))

    def input(self, rows: Affine, cols: int, role: str = "") -> int:
        """Rows from outside."""
        return self.add("input", rows=rows, cols=cols, role=role)

    def times_weight(self, left: int, cols: int, role: str = "") -> int:
        """A product with a weight of its own."""
        return self.add("matmul", left, self.add("weight", rows=self.cols(left), cols=cols), role=role)

    def product(self, rows: Affine, cols: int, role: str = "") -> int:
        """A computed tensor: a plain product, one that takes a relu or a residual in, or attention's last product."""
        merged = ["relu", "residual"] if self.fused else []  # else what comes out is a sum's or a relu's
        form = self.rng.choice(["plain", "plain", "plain", "attention", *merged])
        inner = self.input(rows, self.width(rows))
        if form == "attention":
            return self.add("matmul", self.add("softmax", inner), self.input(self.cols(inner), cols), role=role)
        if form == "residual":
            return self.add("add", self.input(rows, cols), self.times_weight(inner, cols), role=role)
        if form == "relu":
            return self.add("relu", self.times_weight(inner, cols), role=role)
        return self.times_weight(inner, cols, role)

    def scores(self, rows: Affine, keys: Affine) -> int:
        """A computed tensor with a column a key."""
        width = self.width(keys)
        return self.add("transposed", self.input(rows, width), self.input(keys, width))

    def gathered(self, rows: Affine, cols: int) -> int:
        """Rows of a table."""
        return self.add("gather", self.add("weight", rows=Affine(7), cols=cols), self.add("ids", rows=rows))

    def concatenation(self, cols: int) -> int:
        """Parts of one role below one another: a cache and a block, or tensors of other sizes, in any order.

        A block may be appended to its cache, as keys and values are.
        """
        role = f"whole_{len(self.steps)}"
        few = self.rng.randint(1, 4)
        kinds = self.rng.choice([["cache", "block"], ["cache", "block"], ["few", "block"], ["few", "cache", "block"],
                                 ["block", "cache"], ["few", "inputs"], ["cache", "inputs", "few"]])  # fmt: skip
        make = {
            "cache": lambda: self.add("cache", cols=cols, role=role),
            "block": lambda: self.product(M, cols, role),
            "few": lambda: self.product(Affine(few), cols, role),
            "inputs": lambda: self.input(M + 1, cols, role),
        }
        parts = {kind: make[kind]() for kind in kinds}
        whole = self.add("concat", *parts.values())
        if {"cache", "block"} <= parts.keys() and self.rng.random() < 0.4:
            self.add("append", parts["block"], parts["cache"])
        return whole

    def sliced_attention(self, count: int, odd: int | None) -> int:
        """Attention row by row over prefix slices of a cache and `count` rows; row `odd` sees one row too few."""
        role, key_role = f"attention_{len(self.steps)}", f"keys_{len(self.steps)}"
        rows, width = Affine(count), self.width(LEN)
        queries = self.product(rows, width)
        whole = [self.add("concat", self.add("cache", cols=width, role=key), self.product(rows, width, key))
                 for key in (key_role, f"{key_role}_v")]  # fmt: skip
        parts = []
        for i in range(count):
            seen = LEN + i + 1 - (i == odd and i > 0)
            keys, values = (self.add("slice", tensor, rows=seen) for tensor in whole)
            query = self.add("slice", queries, start=Affine(i), rows=Affine(1))
            weights = self.add("softmax", self.add("transposed", query, keys, role=f"{role}_scores"))
            parts.append(self.add("matmul", weights, values, role=role))
        return self.add("concat", *parts)

    def store(self, index: int) -> None:
        """An output; of a tensor as wide as the cache its choices, since outputs have constant rows of bytes."""
        self.add("output", index if self.cols(index).constant else self.add("argmax", index))

