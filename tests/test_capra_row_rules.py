# SPDX-License-Identifier: Apache-2.0
"""The verdict on rows, rule by rule: which kind an operation gives, and what is said of one that mixes rows.

Each line of a table is one use of an operation on tensors of known kinds; `capra.verify.rows` names the kinds.
"""

from collections.abc import Callable

import numpy as np
import pytest

from capra import LEN, Affine, Graph, M, Node, fuse
from capra.node import Shape
from capra.verify import not_invariant, output_rows, row_dependence

WIDTH = 8
Build = Callable[[Graph, Callable[[str], Node]], Node]


def known() -> Graph:
    """Tensors by the name of their kind. Also: `table`, a square weight; `ids`, an id a row; `wide`, rows of as many
    columns as there are positions; `square`, of as many as the block has rows."""
    graph = Graph("target")
    row = graph.input("row", M, WIDTH)
    graph.input("ids", M, 1, kind="ids")
    graph.input("wide", M, LEN + M)
    graph.input("square", M, M)
    table = graph.weight("table", np.eye(WIDTH))
    cache = graph.input("cache", LEN, WIDTH, kind="cache", role="row")
    graph.output("rows", row, cache=cache)
    history = graph.concat_rows(cache, row, name="history")
    graph.softmax(graph.scores(row, history, name="scores"), causal=True, name="weights")
    graph.matmul(graph.weight("first", np.eye(WIDTH)), table, name="constant")
    return graph


def verdict(build: Build, fused: bool = False) -> str:
    """On the node that `build` adds, called n."""
    graph = known()
    node = build(graph, graph.node)
    assert node.name == "n" or not node.inputs
    graph.output("n", node)
    return str(row_dependence(fuse(graph) if fused else graph)[node.name])


KINDS: dict[str, tuple[str, Build]] = {
    "a weight": ("constant", lambda g, t: t("table")),
    "a product of weights": ("constant", lambda g, t: g.matmul(t("table"), t("constant"), name="n")),
    "some rows of a weight": ("constant", lambda g, t: g.slice_rows(t("table"), 1, 3, name="n")),
    "an input with a row a token": ("row", lambda g, t: t("row")),
    "a cache": ("history", lambda g, t: t("cache")),
    "a cache and the rows that are appended to it": ("history", lambda g, t: g.copy(t("history"), name="n")),
    "rows of a table": ("row", lambda g, t: g.gather(t("table"), t("ids"), name="n")),
    "rows times a weight": ("row", lambda g, t: g.matmul(t("row"), t("table"), name="n")),
    "rows against a weight's rows": ("row", lambda g, t: g.scores(t("row"), t("table"), name="n")),
    "history times a weight": ("history", lambda g, t: g.matmul(t("history"), t("table"), name="n")),
    "rows against history": ("scores", lambda g, t: g.scores(t("row"), t("history"), name="n")),
    "causal weights": ("weights", lambda g, t: g.softmax(t("scores"), causal=True, name="n")),
    "attention": ("row", lambda g, t: g.matmul(t("weights"), t("history"), name="n")),
    "a softmax of each row": ("row", lambda g, t: g.softmax(t("row"), name="n")),
    "rows and rows": ("row", lambda g, t: g.add(t("row"), t("row"), name="n")),
    "history and history": ("history", lambda g, t: g.add(t("history"), t("history"), name="n")),
    "a choice a row": ("row", lambda g, t: g.argmax(t("row"), name="n")),
    "one part alone": ("row", lambda g, t: g.concat_rows(t("row"), name="n")),
    "a cache alone": ("history", lambda g, t: g.concat_rows(t("cache"), name="n")),
    "all rows of a block": ("row", lambda g, t: g.slice_rows(t("row"), 0, M, name="n")),
    "all rows of a history": ("history", lambda g, t: g.slice_rows(t("history"), 0, LEN + M, name="n")),
    "the block's own rows of its history": ("row", lambda g, t: g.slice_rows(t("history"), LEN, M, name="n")),
}


@pytest.mark.parametrize("what", KINDS)
def test_the_kind_of(what: str) -> None:
    kind, build = KINDS[what]
    assert verdict(build) == kind


def test_what_was_there_before_the_block_is_history() -> None:
    """No graph may take these rows, for there are none at LEN = 0; the rule knows them all the same."""
    graph = known()
    whole = graph.node("history")
    graph.nodes.append(Node("n", "slice_rows", (whole,), Shape(LEN, Affine(WIDTH)), whole.role))
    assert str(row_dependence(graph)["n"]) == "history"


MIXED: dict[str, Build] = {
    "x (input) has 4 rows; one a token would be M": lambda g, t: g.relu(g.input("x", 4, WIDTH), name="n"),
    "c (input) is a cache of LEN+1 rows; a history has LEN": lambda g, t: g.relu(
        g.input("c", LEN + 1, WIDTH, kind="cache"), name="n"),
    "n (gather) gathers by ids that are no row a token": lambda g, t: g.gather(
        t("table"), g.argmax(t("history"), name="chosen"), name="n"),
    "n (add) takes together, row by row, what is row and scores": lambda g, t: g.add(t("scores"), t("wide"), name="n"),
    "n (relu) takes together, row by row, what is scores": lambda g, t: g.relu(t("scores"), name="n"),
    "n (matmul) sets every row against the rows of row, which is not the history up to its own": lambda g, t: g.scores(
        t("row"), t("row"), name="n"),
    "n (matmul) sets every row against the rows of cache, which is not the history up to its own": lambda g, t: (
        g.scores(t("row"), t("cache"), name="n")),
    "n (matmul) sets every row against the rows of history, which is not the history up to its own": lambda g, t: (
        g.scores(t("history"), t("history"), name="n")),
    "n (matmul) sets every row against the rows of wide, which is not the history up to its own": lambda g, t: (
        g.scores(t("scores"), t("wide"), name="n")),
    "n (matmul) sums over all positions of scores, those behind a row's own too": lambda g, t: g.matmul(
        t("scores"), t("history"), name="n"),
    "n (matmul) sums over the rows of row, the block's own among them": lambda g, t: g.matmul(
        t("square"), t("row"), name="n"),
    "n (matmul) sums over the rows of history, the block's own among them": lambda g, t: g.matmul(
        t("wide"), t("history"), name="n"),
    "n (softmax) is not causal: a row sees the positions behind its own": lambda g, t: g.softmax(t("scores"), name="n"),
    "n (softmax) is causal over what is row, whose columns are no positions": lambda g, t: g.softmax(
        t("wide"), causal=True, name="n"),
    "n (softmax) normalises what is history": lambda g, t: g.softmax(t("history"), name="n"),
    "n (concat_rows) puts row and row below one another; expected a cache and the rows that are appended to it":
        lambda g, t: g.concat_rows(t("row"), g.copy(t("row")), name="n"),
    "n (concat_rows) puts history and row below one another; expected a cache and the rows that are appended to it":
        lambda g, t: g.concat_rows(g.copy(t("cache")), t("row"), name="n"),
    "n (slice_rows) takes rows 0 .. 0 of row, which are other rows than a row's own": lambda g, t: g.slice_rows(
        t("row"), 0, 1, name="n"),
    "n (slice_rows) takes rows M-1 .. M-1 of history, which are other rows than a row's own": lambda g, t: g.slice_rows(
        t("history"), M - 1, 1, name="n"),
}  # fmt: skip


@pytest.mark.parametrize("why", MIXED)
def test_what_mixes_rows(why: str) -> None:
    assert verdict(MIXED[why]) == f"not row-invariant: {why}"


SUMS: dict[str, Build] = {
    "row": lambda g, t: g.add(t("row"), g.matmul(t("row"), t("table")), name="n"),
    "not row-invariant: n (matmul) takes together, row by row, what is row and scores": lambda g, t: g.add(
        t("wide"), g.scores(t("row"), t("history")), name="n"),
    "not row-invariant: n (matmul) sums over the rows of row, the block's own among them": lambda g, t: g.add(
        t("row"), g.matmul(t("square"), t("row")), name="n"),
}  # fmt: skip


@pytest.mark.parametrize("says", SUMS)
def test_a_sum_inside_a_product_is_judged_as_both(says: str) -> None:
    assert verdict(SUMS[says], fused=True) == says


@pytest.mark.parametrize("appended", ["nothing", "other rows", "these rows to another cache"])
def test_a_history_needs_its_own_rows_appended(appended: str) -> None:
    """The rows are stored, and something is appended to the cache, but they are not appended to it."""
    graph = Graph("target")
    row, cache = graph.input("row", M, WIDTH), graph.input("cache", LEN, WIDTH, kind="cache", role="row")
    graph.output("shown", row)
    if appended != "nothing":
        graph.output("kept", graph.copy(row), cache=cache)
    if appended == "these rows to another cache":
        graph.output("there", row, cache=graph.input("other", LEN, WIDTH, kind="cache", role="row"))
    whole = graph.concat_rows(cache, row, name="n")
    why = "n (concat_rows) puts row behind cache, to which other rows are appended, or none"
    assert row_dependence(graph)[whole.name].why == why


@pytest.mark.parametrize("kind", ["scores", "weights"])
def test_positions_are_no_row_that_an_output_may_show(kind: str) -> None:
    graph = known()
    node = graph.node(kind)
    graph.output("shown", node)
    why = f"{kind} ({node.op}) has as many columns as the block has seen positions"
    assert not_invariant(graph)["shown"].why == why


def test_what_is_appended_to_a_cache_is_a_row_a_token() -> None:
    """History and constants are row-invariant, and no rows of the block; what is mixed keeps its reason."""
    graph = known()
    other = graph.input("other", LEN, WIDTH, kind="cache", role="row")
    row = graph.node("row")
    two = graph.concat_rows(row, graph.copy(row), name="two")
    for kind, node in (("history", graph.node("history")), ("constant", graph.node("constant")), ("mixed", two)):
        graph.nodes.append(Node(f"{kind} rows", "copy", (node,), node.shape, "row"))
        graph.output(kind, graph.nodes[-1], cache=other)
    found = output_rows(graph)
    assert found["rows"].kind == "row"
    for kind in ("history", "constant"):
        assert str(found[kind]) == f"not row-invariant: {kind} rows (copy) is appended to a cache and is no row a token"
    assert found["mixed"].why.startswith("two (concat_rows) puts row and row below one another")


def test_an_operation_without_a_rule_is_not_trusted() -> None:
    graph = known()
    graph.nodes.append(Node("n", "rotate", (graph.node("row"),), graph.node("row").shape, "row"))
    assert row_dependence(graph)["n"].why == "n (rotate) is an operation that no rule speaks of"
