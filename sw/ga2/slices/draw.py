# SPDX-License-Identifier: Apache-2.0
"""The generator: a seed, and a bin of the cross to hit, give a recipe.

Around the view that the bin asks for lie others of the same source and unrelated work, so that buffers are reused,
sources live long, and parts lie between others.
"""

from itertools import product
from random import Random

from capra import LEN, Affine, GraphError, M
from ga2.slices.cross import LENGTHS, Bin, blocks, draw_run, every_bin
from ga2.slices.facts import POSITIONS
from ga2.slices.recipe import Recipe, Run
from ga2.slices.sizes import row_counts, slices, tall
from ga2.slices.steps import Steps
from ga2.spec import Config

TRIES = 200
MORE_RUNS = 7
TUNED = 0.05  # the share that is compiled with every plan tried


def draw_from(config: Config, rng: Random, target: Bin | None, seed: int) -> Recipe:
    """A recipe from any source of randomness; it hits `target`, or a bin of its own choice, unless fusion removes the
    view. `seed` is that of weights and inputs."""
    goal = target or rng.choice(list(every_bin(config)))
    for _ in range(TRIES):
        run = draw_run(config, rng, goal.block, goal.length)
        fused = rng.random() < 0.6
        drawing = _Drawing(config, rng, run, fused)
        try:
            drawing.graph(goal)
        except (GraphError, _NotThere):
            continue
        others = rng.sample(list(product(blocks(config), LENGTHS)), MORE_RUNS)
        more = [draw_run(config, rng, block, length) for block, length in others]
        return Recipe(seed, tuple(drawing.steps.steps), (run, *more), fused, rng.random() < TUNED)
    raise RuntimeError(f"no graph for {goal} in {TRIES} tries")


class _NotThere(Exception):
    """The tensor drawn has no slice of the position wanted."""


class _Drawing:
    """One graph. `run` is the run in which the view must lie as the bin says."""

    def __init__(self, config: Config, rng: Random, run: Run, fused: bool) -> None:
        self.rng, self.run = rng, run
        self.steps = Steps(config, rng, fused)

    def graph(self, goal: Bin) -> None:
        """The view of the bin and its use, among others."""
        source = self.source(goal.source, goal.consumer)
        if self.rng.random() < 0.4:
            self.pressure()
        view = self.view(source, goal.position)
        self.use(view, goal.consumer)
        for _ in range(self.rng.randint(0, 2)):
            self.another(source, view)
        if self.rng.random() < 0.2:
            count = self.rng.randint(1, 5)
            odd = self.rng.choice([None, self.rng.randrange(count)])
            self.steps.store(self.steps.sliced_attention(count, odd))
        if self.rng.random() < 0.4:
            self.pressure()

    def source(self, kind: str, consumer: str) -> int:
        """A tensor of a kind."""
        steps, rng = self.steps, self.rng
        if kind == "slice":
            inner = self.source(rng.choice(["product", "concatenation", "input", "weight", "slice"]), consumer)
            return self.inner(inner)
        rows = row_counts(rng)
        if kind == "weight":
            count = Affine(rng.randint(2, 24))
            return steps.add("weight", rows=count, cols=steps.width(count))
        if kind == "input":
            return steps.input(rows, steps.width(rows))
        if kind == "concatenation":
            return steps.concatenation(steps.width(LEN))
        if consumer in ("softmax", "argmax", "left") and rng.random() < 0.3:
            queries = rng.choice([M, M + rng.randint(1, 3), Affine(rng.randint(2, 9))])
            return steps.scores(queries, LEN + M + rng.randint(0, 2))
        return steps.product(rows, steps.width(rows))

    def inner(self, source: int) -> int:
        """Any slice that leaves something to slice again."""
        total = self.steps.rows(source)
        found = [pair for position in POSITIONS for pair in slices(total, position, self.run)]
        return self.slice(source, [pair for pair in found if pair[1].at(self.run.length, self.run.m) > 1])

    def view(self, source: int, position: str) -> int:
        """A slice that lies as wanted in this drawing's run."""
        return self.slice(source, slices(self.steps.rows(source), position, self.run))

    def slice(self, source: int, found: list[tuple[Affine, Affine]]) -> int:
        if not found:
            raise _NotThere
        start, count = self.rng.choice(found)
        return self.steps.add("slice", source, start=start, rows=count)

    def use(self, view: int, consumer: str) -> None:
        """One use of a view, and an output of what it makes."""
        steps = self.steps
        match consumer:
            case "left":
                steps.store(self.left(view))
            case "values":
                steps.store(self.values(view))
            case "right":
                steps.store(self.narrowed(steps.add("transposed", self.beside(view), view)))
            case "scores":
                self.attend(self.scores(view))
            case "softmax":
                self.attend(view)
            case "argmax":
                steps.store(steps.add("argmax", view))
            case "vector":
                steps.store(self.vector(view))
            case _:
                steps.store(view)

    def left(self, view: int) -> int:
        """A product of the view: with a weight, with rows, or with rows transposed."""
        steps, cols = self.steps, self.steps.cols(view)
        form = self.rng.choice(["weight", "weight", "rows", "transposed"])
        if form == "weight" and cols.constant:
            return steps.times_weight(view, steps.width(steps.rows(view)))
        if form == "transposed" and cols.constant:
            return steps.add("transposed", view, steps.input(Affine(self.rng.randint(1, 9)), cols.imm))
        return steps.add("matmul", view, steps.input(cols, steps.width(cols)))

    def values(self, view: int) -> int:
        """A product with the view as its right operand by rows: attention's values, or any matrix."""
        steps, rows = self.steps, self.steps.rows(view)
        if rows.constant and self.rng.random() < 0.4:
            weight = self.rng.random() < 0.5
            left = steps.add("weight", rows=Affine(3), cols=rows.imm) if weight else steps.input(self.few(), rows.imm)
            return steps.add("matmul", left, view)
        scores = steps.scores(self.few(), rows)
        return steps.add("matmul", steps.add("softmax", scores), view)

    def beside(self, view: int) -> int:
        """A few rows as wide as the view."""
        width = self.steps.cols(view).imm
        return self.steps.product(self.few(), width) if self.rng.random() < 0.5 else self.steps.input(self.few(), width)

    def narrowed(self, product: int) -> int:
        """A product as wide as the cache, multiplied down to a constant width."""
        cols = self.steps.cols(product)
        return product if cols.constant else self.steps.add("matmul", product, self.steps.input(cols, 5))

    def scores(self, view: int) -> int:
        """Scores of two computed tensors, the view as queries (unless it is as tall as the cache) or as keys."""
        steps, rows = self.steps, self.steps.rows(view)
        other = steps.product(self.few(), steps.cols(view).imm)
        return steps.add("transposed", *((other, view) if tall(rows) or self.rng.random() < 0.6 else (view, other)))

    def attend(self, scores: int) -> None:
        """Softmax, and its weights stored or applied to values, or both."""
        steps, shape = self.steps, self.steps.node(scores).shape
        causal = (shape.cols - shape.rows).never_negative() and self.rng.random() < 0.4
        weights = steps.add("causal" if causal else "softmax", scores)
        form = self.rng.choice(["values", "stored", "both"])
        if shape.cols.constant and form != "values":
            steps.store(weights)
        if not shape.cols.constant or form != "stored":
            steps.store(steps.add("matmul", weights, steps.input(shape.cols, steps.width(shape.cols))))

    def vector(self, view: int) -> int:
        """A sum with the view, or a copy of it."""
        shape = self.steps.node(view).shape
        if self.rng.random() < 0.5 or not shape.cols.constant:
            return self.steps.add("copy", view)
        return self.steps.add("add", self.steps.product(shape.rows, shape.cols.imm), view)

    def few(self) -> Affine:
        """Rows that do not grow with the cache."""
        return self.rng.choice([M, M, Affine(self.rng.randint(1, 6))])

    def another(self, source: int, view: int) -> None:
        """One more view, of the source or of the view, and one more use; or a late use of the view itself."""
        base = self.rng.choice([source, source, view])
        consumer = self.rng.choice(["left", "values", "right", "scores", "softmax", "argmax", "vector", "output"])
        try:
            seen = self.inner(base) if self.rng.random() < 0.8 else view
            self.use(seen, consumer)
        except (GraphError, _NotThere):
            pass  # what the graph refuses is not drawn; steps that nothing reads stay out of the program

    def pressure(self) -> None:
        """Work that has nothing to do with the views and wants buffers."""
        steps, rows = self.steps, self.few()
        hidden = steps.times_weight(steps.gathered(rows, 8), steps.width(rows))
        steps.store(steps.times_weight(steps.add("relu", hidden), steps.width(rows)))
