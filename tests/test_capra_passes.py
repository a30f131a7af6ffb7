# SPDX-License-Identifier: Apache-2.0
"""The compiler's passes one by one: graph errors, fusion, scales, placement, allocation, and what checks catch."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from capra import (
    LEN,
    Affine,
    AllocationError,
    Graph,
    GraphError,
    M,
    Node,
    QuantError,
    calibrate,
    compile_graphs,
    draft_graph,
    evaluate,
    fuse,
    interpret,
    quantise,
    target_graph,
)
from capra.constants import fit_ratio, product_constants, softmax_factors
from capra.execute import Machine
from capra.fuse import FusionOptions
from capra.layout import panels
from capra.verify import VerifyError, verify_allocation
from ga2.spec import load_config

RANGES = dict.fromkeys(("x", "q", "k", "v", "scores", "attention", "h", "f", "y", "logits"), 2.0)


def tiny_weights(width: int = 16, hidden: int = 32, vocabulary: int = 16, seed: int = 3) -> dict:
    rng = np.random.default_rng(seed)
    shapes = {"E": (vocabulary, width), "W1": (width, hidden), "W2": (hidden, width), "Wout": (width, vocabulary)}
    shapes |= {name: (width, width) for name in ("Wq", "Wk", "Wv", "Wo")}
    return {name: rng.normal(0, 0.3, shape) for name, shape in shapes.items()}


def test_affine_sizes() -> None:
    size = LEN + M + 3
    assert size == Affine(3, 1, 1) and str(size) == "LEN+M+3" and str(Affine()) == "0"
    assert size.at(10, 4) == 17
    assert size.largest(max_len=320, m_max=16) == 323
    assert str(LEN + M - 1) == "LEN+M-1" and str(Affine(-2)) == "-2"
    assert (LEN + M - 1).never_negative() and not (LEN - 1).never_negative()


def test_shape_errors_name_the_node_the_shapes_and_what_would_be_right() -> None:
    graph = Graph("g")
    x = graph.input("x", M, 16)
    with pytest.raises(GraphError, match=r"p: matmul of x \(M, 16\), w \(8, 4\).*expected w with 16 rows"):
        graph.matmul(x, graph.weight("w", np.ones((8, 4))), name="p")
    with pytest.raises(GraphError, match="expected equal ones"):
        graph.add(x, graph.input("y", M, 8))
    with pytest.raises(GraphError, match="expected a weight"):
        graph.gather(x, graph.input("ids", M, 1, kind="ids"))
    with pytest.raises(GraphError, match="holds ids"):
        graph.relu(graph.argmax(x))
    with pytest.raises(GraphError, match="the name is taken"):
        graph.input("x", 1, 1)
    with pytest.raises(GraphError, match="finite"):
        graph.weight("nan", np.array([[np.nan]]))
    with pytest.raises(GraphError, match="left operand"):
        graph.matmul(graph.input("z", 4, M), graph.softmax(x))


REFUSED: dict[str, Callable[[Graph, Node], object]] = {
    "p: matmul of s (M, LEN+1), c (LEN, 16): inner sizes": lambda g, x: g.matmul(
        g.softmax(g.scores(x, g.input("k", LEN + 1, 16)), name="s"), g.input("c", LEN, 16), name="p"),
    "p: matmul of z (M, LEN), c (LEN, 16): inner size LEN may be 0; expected at least 1": lambda g, x: g.matmul(
        g.scores(x, g.input("c", LEN, 16), name="z"), g.node("c"), name="p"),
    "s: softmax of z (M, LEN): LEN scores a row may be none; expected at least 1": lambda g, x: g.softmax(
        g.scores(x, g.input("c", LEN, 16), name="z"), name="s"),
    "p: matmul of x (M, 16), x (M, 16): scale 0.0; expected a finite number above 0": lambda g, x: g.scores(
        x, x, 0.0, name="p"),
    "scale nan; expected": lambda g, x: g.scores(x, x, float("nan")),
    "i: input of : 2 columns of ids; expected 1": lambda g, x: g.input("i", M, 2, kind="ids"),
    "i: input of : shape (M, 0) may have no column": lambda g, x: g.input("i", M, 0),
    "r: relu of y, which is of another graph than g": lambda g, x: g.relu(Graph("h").input("y", M, 16), name="r"),
    "output o: y is of another graph than g": lambda g, x: g.output("o", Graph("h").input("y", M, 16)),
    "output o: x has role 'x', c 'c': a cache has one scale; expected one role": lambda g, x: g.output(
        "o", x, cache=g.input("c", LEN, 16, kind="cache")),
    "that needs a cache of equal width": lambda g, x: g.output("o", x, cache=g.input("c", LEN, 8, kind="cache")),
}  # fmt: skip


@pytest.mark.parametrize("says", REFUSED)
def test_what_would_mean_nothing_or_fault_is_refused_at_once(says: str) -> None:
    graph = Graph("g")
    x = graph.input("x", M, 16)
    with pytest.raises(GraphError) as caught:
        REFUSED[says](graph, x)
    assert says in str(caught.value)


def test_scores_are_a_transposed_product() -> None:
    graph = Graph("g")
    x, y = graph.input("x", M, 16), graph.input("y", LEN + M, 16)
    found, plain = graph.scores(x, y, 0.25, name="a"), graph.matmul(x, y, transpose_b=True, scale=0.25, name="b")
    assert (found.shape, found.scale, found.transpose_b) == (plain.shape, plain.scale, plain.transpose_b)
    assert str(found.shape) == "(M, LEN+M)"


def test_a_weight_of_two_meanings_is_refused() -> None:
    """Columns of equal scales: nothing else would tell the two apart."""
    graphs = []
    for name, sign in (("one", 1.0), ("two", -1.0)):
        graph = Graph(name)
        graph.output("o", graph.matmul(graph.input("x", M, 16), graph.weight("w", sign * np.eye(16)), name="o"))
        graphs.append(graph)
    with pytest.raises(QuantError, match="weight w: programs one and two give it different numbers"):
        compile_graphs(load_config("nano"), graphs, {"x": 1.0, "o": 1.0})


def test_a_tensor_lies_in_one_concatenation_only() -> None:
    graph = Graph("g")
    part = graph.relu(graph.input("x", 2, 16), role="rows")
    graph.output("a", graph.concat_rows(part, graph.input("y", 2, 16, role="rows")))
    graph.output("b", graph.concat_rows(part, graph.input("z", 2, 16, role="rows"), name="late"))
    with pytest.raises(GraphError, match=r"late: .* already lies in .*copy\(\)"):
        compile_graphs(load_config("nano"), [graph], {"x": 1, "rows": 1})


def test_parts_of_a_concatenation_share_one_scale() -> None:
    graph = Graph("g")
    product = graph.matmul(graph.input("x", 2, 16), graph.weight("w", np.eye(16)), name="p", role="k")
    with pytest.raises(GraphError, match=r"c: concat_rows of .*: y has role 'y'; expected 'k'"):
        graph.concat_rows(product, graph.input("y", 2, 16), name="c")
    graph.concat_rows(product, graph.input("z", 2, 16, role="k"), name="d")


@pytest.mark.parametrize("use", ["add", "relu", "copy", "softmax"])
def test_exponentials_are_no_signed_bytes(use: str) -> None:
    graph = Graph("g")
    x = graph.input("x", 4, 16)
    weights = graph.softmax(x, name="s")
    operands = (weights, x) if use == "add" else (weights,)
    with pytest.raises(GraphError, match=rf"u: {use} of s .*: s is a softmax; only a product's left operand"):
        getattr(graph, use)(*operands, name="u")


@pytest.mark.parametrize("stored", [False, True])
def test_exponentials_times_a_weight(stored: bool) -> None:
    """The weight is read by rows then: a scale a column has no place beside the row multipliers."""
    rng = np.random.default_rng(0)
    graph = Graph("g")
    weights = graph.softmax(graph.input("x", 4, 8), name="s")
    graph.output("o", graph.matmul(weights, graph.weight("w", rng.normal(0, 1, (8, 6)) * np.arange(1, 7)), name="o"))
    if stored:
        graph.output("s", weights)
    inputs = {"x": rng.normal(0, 1, (4, 8))}
    trace = evaluate(graph, inputs)
    model = compile_graphs(load_config("nano"), [graph], calibrate(graph, [trace]))
    assert model.programs["g"].graph.node("s").norm == stored
    data = {"x": model.spec.quantise("x", inputs["x"])}
    outputs = Machine(model).run("g", data).outputs
    assert np.array_equal(outputs["o"], interpret(model.programs["g"].graph, model.spec, data)["o"])
    assert np.abs(outputs["o"] * model.spec.scale("o") - trace["o"]).max() < 0.03 * np.abs(trace["o"]).max()


def test_fusion_leaves_nothing_but_products_around_attention() -> None:
    fused = fuse(target_graph(tiny_weights()))
    operations = [node.op for node in fused.nodes]
    assert not {"add", "relu"} & set(operations)
    assert fused.node("h").residual and fused.node("y").residual and fused.node("f").relu
    kept = fuse(target_graph(tiny_weights()), FusionOptions(residual=False, relu=False))
    assert [node.op for node in kept.nodes].count("add") == 2


def test_sliced_attention_fuses_only_if_every_row_sees_its_own_prefix() -> None:
    weights = tiny_weights()
    assert [n.op for n in fuse(target_graph(weights, rows=3)).nodes].count("softmax") == 1
    graph = target_graph(weights, rows=3)
    made = {}
    for node in graph.nodes:
        start = Affine(1) if node.name == "keys_1" else node.start
        made[node] = replace(node, start=start, inputs=tuple(made[operand] for operand in node.inputs))
    outputs = [replace(output, node=made[output.node]) for output in graph.outputs]
    other = Graph("other", list(made.values()), graph.weights, outputs)
    assert [n.op for n in fuse(other).nodes].count("softmax") == 3


@pytest.mark.parametrize("ratio", [1e-9, 3e-5, 0.0039, 0.5, 1.0, 0.999999999999, 7.3, 2.0**28])
def test_ratios_fit_to_31_bits(ratio: float) -> None:
    mult, shift = fit_ratio("p", ratio)
    assert 2**30 <= mult < 2**31 and 2 <= shift <= 62
    assert abs(mult / 2**shift / ratio - 1) <= 2**-30


def test_ratios_out_of_reach() -> None:
    assert fit_ratio("p", 1e-30) == (0, 62)
    with pytest.raises(QuantError, match="p: requantisation ratio"):
        fit_ratio("p", 2.0**30)


def test_residual_columns_make_the_factor_exact() -> None:
    weights = tiny_weights()
    fused = fuse(target_graph(weights))
    spec = quantise([fused], RANGES)
    product = fused.node("h")
    scales = spec.columns["Wo"].scales * spec.scale("attention")
    for constant, scale in zip(product_constants(product, spec), scales, strict=True):
        assert abs(constant.rfac - spec.scale("x") / scale) < 1e-9
    softmax = fused.node("probabilities")
    factors = softmax_factors(softmax, fused.consumers(softmax), spec)
    assert 2**29 <= factors.scale < 2**30


def test_missing_and_impossible_ranges_are_named() -> None:
    config = load_config("nano")
    missing = {role: limit for role, limit in RANGES.items() if role != "scores"}
    with pytest.raises(QuantError, match="role 'scores' has no calibrated range"):
        compile_graphs(config, [target_graph(tiny_weights())], missing)
    with pytest.raises(QuantError, match="finite"):
        compile_graphs(config, [target_graph(tiny_weights())], RANGES | {"v": float("nan")})
    with pytest.raises(QuantError, match="probabilities"):
        compile_graphs(config, [target_graph(tiny_weights())], RANGES | {"scores": 1e6})


def test_panels() -> None:
    values = np.arange(15).reshape(3, 5).astype(np.int8)
    assert panels(values, 4).tolist() == [
        [0, 1, 2, 3], [5, 6, 7, 8], [10, 11, 12, 13], [4, 0, 0, 0], [9, 0, 0, 0], [14, 0, 0, 0]
    ]  # fmt: skip


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(AllocationError, match=r"program target: (keys|values|scores): its 2560 words find no place"):
        compile_graphs(load_config("nano"), [target_graph(tiny_weights(width=32))], RANGES)


def test_two_operands_of_one_buffer_need_a_copy() -> None:
    graph = Graph("g")
    x = graph.relu(graph.input("x", 4, 16), name="r")
    graph.output("scores", graph.matmul(x, x, transpose_b=True, name="scores"))
    with pytest.raises(AllocationError, match=r"scores: MM reads buffer r twice.*copy\(\)"):
        compile_graphs(load_config("nano"), [graph], {"x": 1, "r": 1, "scores": 16})


def test_the_allocation_check_catches_overlap_and_shared_banks() -> None:
    config = load_config("nano")
    program = compile_graphs(config, [target_graph(tiny_weights())], RANGES).programs["target"]
    verify_allocation(program.ops, program.buffers, program.addresses, config)
    for name in ("keys", "values", "scores"):
        for moved in (program.addresses["x"], program.addresses["q"]):
            with pytest.raises(VerifyError):
                verify_allocation(program.ops, program.buffers, {**program.addresses, name: moved}, config)


def test_compilation_is_deterministic() -> None:
    weights = tiny_weights()
    graphs = [target_graph(weights), draft_graph(weights["E"], "table", np.eye(16))]
    first, second = (compile_graphs(load_config("wide"), graphs, RANGES) for _ in range(2))
    assert first.image == second.image and first.windows == second.windows
    assert dict(first.memory) == dict(second.memory)


@pytest.mark.parametrize(("config", "width"), [("small", 12), ("base", 24)])
def test_other_sizes_equal_the_interpreter(config: str, width: int) -> None:
    """Ragged columns, and a hidden layer whose weights stream through in several chunks."""
    weights = tiny_weights(width=width, hidden=72, vocabulary=20)
    model = compile_graphs(load_config(config), [target_graph(weights)], RANGES)
    rng = np.random.default_rng(0)
    caches = {name: rng.integers(-128, 128, (9, width)).astype(np.int8) for name in ("k_cache", "v_cache")}
    inputs = {"ids": np.array([[19], [0], [7]]), **caches}
    expected = interpret(model.programs["target"].graph, model.spec, inputs, 9, 3)
    for name, found in Machine(model).run("target", inputs, 9, 3).tensors.items():
        assert np.array_equal(found, expected[name]), name
