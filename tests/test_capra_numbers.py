# SPDX-License-Identifier: Apache-2.0
"""The ends of Capra's ranges: multipliers and shifts, factors of residuals and vectors, saturation."""

import numpy as np
import pytest

from capra import Graph, M, QuantError, QuantSpec, compile_graphs, fuse, interpret, quantise
from capra.constants import fit_ratio, product_constants, vec_factors
from capra.execute import Machine
from ga2.spec import load_config


@pytest.mark.parametrize(
    ("ratio", "fitted"),
    [
        (1.0, (2**30, 30)),
        (0.75, (3 * 2**29, 31)),
        (2.0**28, (2**30, 2)),  # the smallest shift
        (2.0**29 - 1, (2**31 - 4, 2)),
        (2.0**-32, (2**30, 62)),  # the largest
        (2.0**-33, (0, 62)),
        (0.0, (0, 62)),
        (1 - 2.0**-40, (2**30, 30)),  # a mantissa that is rounded up to 1
        (2.0**-32 - 2.0**-72, (2**30, 62)),
    ],
)
def test_ratios_are_fitted_to_31_bits_and_a_shift(ratio: float, fitted: tuple[int, int]) -> None:
    assert fit_ratio("product", ratio) == fitted


@pytest.mark.parametrize("ratio", [2.0**29, 2.0**29 - 2.0**-20])
def test_a_ratio_that_no_shift_reaches_is_refused(ratio: float) -> None:
    with pytest.raises(QuantError, match=r"product: requantisation ratio .* is beyond 2\^29"):
        fit_ratio("product", ratio)


def relu_graph() -> Graph:
    graph = Graph("relu")
    graph.output("out", graph.relu(graph.input("x", M, 4), name="y"))
    return graph


def test_the_largest_ratio_of_a_vector_operation() -> None:
    node = relu_graph().node("y")
    found = vec_factors(node, QuantSpec({"x": 32767.0, "y": 1.0}))
    assert (found.ma, found.mb, found.shift) == (32767, 0, 0)
    assert vec_factors(node, QuantSpec({"x": 16383.5, "y": 1.0})).shift == 1
    assert vec_factors(node, QuantSpec({"x": 2.0**-40, "y": 1.0})).shift == 30
    with pytest.raises(QuantError, match="y: an operand's scale is 32768 times the output's"):
        vec_factors(node, QuantSpec({"x": 32768.0, "y": 1.0}))


@pytest.mark.parametrize(
    ("ratio", "factor", "scale"),
    [
        (7.5, 8, 1 / 7.5),  # rounded: the scale stays
        (8.0, 8, 1 / 8),
        (8.5, 8, 1 / 8),  # exact: the scale is raised
        (32767.0, 32767, 1 / 32767),
        (50000.0, 32767, 1 / 32767),  # no int16 reaches it
    ],
)
def test_the_factor_of_a_residual(ratio: float, factor: int, scale: float) -> None:
    """ratio: the residual's step over the product's, with the left operand's step and the residual's 1."""
    graph = Graph("residual")
    x, r = graph.input("x", M, 1), graph.input("r", M, 1)
    weight = graph.weight("W", np.array([[127 / ratio]]))
    graph.output("out", graph.add(r, graph.matmul(x, weight, name="product"), name="sum"))
    fused = fuse(graph)
    spec = quantise([fused], {"x": 127.0, "r": 127.0, "sum": 127.0, "product": 127.0})
    assert fused.node("sum").residual
    assert spec.columns["W"].scales[0] == pytest.approx(scale, rel=1e-12)
    assert product_constants(fused.node("sum"), spec)[0].rfac == factor


@pytest.mark.parametrize(
    ("value", "expected"), [(-128, -128), (-64, -128), (-65, -128), (64, 127), (63, 126), (-63, -126)]
)
def test_a_vector_operation_saturates_to_a_byte(value: int, expected: int) -> None:
    graph = Graph("copies")
    x = graph.input("x", M, 4)
    graph.output("out", graph.add(x, graph.input("z", M, 4), name="sum"))
    model = compile_graphs(load_config("nano"), [graph], {"x": 127.0, "z": 127.0, "sum": 63.5})
    inputs = {"x": np.full((2, 4), value, np.int8), "z": np.zeros((2, 4), np.int8)}
    found = Machine(model).run("copies", inputs, 0, 2).outputs["out"]
    assert (found == expected).all()
    program = model.programs["copies"]
    assert (interpret(program.graph, model.spec, inputs, 0, 2)["sum"] == expected).all()
