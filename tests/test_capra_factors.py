# SPDX-License-Identifier: Apache-2.0
"""From scales to integers: each factor beside the ratio of scales that it stands for, and where none fits."""

from dataclasses import replace
from math import e, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capra import Graph, M, Node, QuantError, QuantSpec
from capra.constants import (
    operand_scale,
    product_constants,
    softmax_factors,
    uses_row_multipliers,
    value_ratio_shift,
    vec_factors,
)
from capra.quantise import ColumnWeight

SCALES = st.floats(2.0**-9, 2.0**9)


def product(scale: float = 1.0, residual: bool = False) -> Node:
    """x (M, 4) times the weight w (4, 3), with r added inside if `residual`."""
    graph = Graph("g")
    made = graph.matmul(graph.input("x", M, 4), graph.weight("w", np.ones((4, 3))), scale=scale, name="p")
    return replace(made, residual=True, inputs=(*made.inputs, graph.input("r", M, 3))) if residual else made


def spec(columns: list[float], **scales: float) -> QuantSpec:
    return QuantSpec(scales, {"w": ColumnWeight(np.zeros((4, len(columns)), np.int8), np.array(columns))})


@given(SCALES, SCALES, SCALES, SCALES, st.floats(0.1, 4))
def test_a_product_is_requantised_by_its_operands_scales_over_its_own(
    x: float, w: float, r: float, p: float, scale: float
) -> None:
    """acc counts steps of x*w*scale: the residual is multiplied by its own step over that, a byte is acc over p."""
    columns = [w, 1.5 * w, 3 * w]
    found = product_constants(product(scale), spec(columns, x=x, p=p))
    assert len(found) == 3 and not any(constant.rfac for constant in found)
    for constant, column in zip(found, columns, strict=True):
        assert constant.mult / 2**constant.shift == pytest.approx(x * column * scale / p, rel=2**-29)
    factors = [r / (x * column * scale) for column in columns]
    if max(factors) < 32767:
        added = product_constants(product(scale, residual=True), spec(columns, x=x, p=p, r=r))
        assert [(each.mult, each.shift) for each in added] == [(each.mult, each.shift) for each in found]
        for constant, factor in zip(added, factors, strict=True):
            assert abs(constant.rfac - factor) <= 0.5 + 1e-9 * factor


def test_the_largest_factor_of_a_residual() -> None:
    found = product_constants(product(residual=True), spec([1.0, 2.0, 1.0], x=1.0, p=2.0**20, r=32767.0))
    assert [constant.rfac for constant in found] == [32767, 16384, 32767]
    with pytest.raises(QuantError, match="p: the residual's factor 32768 exceeds 32767"):
        product_constants(product(residual=True), spec([2.0, 1.0, 4.0], x=1.0, p=2.0**20, r=32768.0))


def test_a_right_operand_with_one_scale_has_one_constant() -> None:
    graph = Graph("g")
    made = graph.scores(graph.input("x", M, 4), graph.input("y", M, 4), 0.5, name="p")
    (constant,) = product_constants(made, QuantSpec({"x": 0.25, "y": 3.0, "p": 8.0}))
    assert constant.mult / 2**constant.shift == 0.25 * 3.0 * 0.5 / 8.0


def attended(scale: float = 1.0) -> tuple[Graph, Node, Node]:
    graph = Graph("g")
    softmax = graph.softmax(graph.input("s", M, 4), name="e")
    return graph, softmax, graph.matmul(softmax, graph.input("v", 4, 2), scale=scale, name="o")


def test_a_left_operand_of_exponentials_has_the_rows_multipliers_unless_it_is_normalised() -> None:
    graph, softmax, made = attended()
    stored = replace(made, inputs=(replace(softmax, norm=True), made.inputs[1]))
    assert uses_row_multipliers(made) and not uses_row_multipliers(stored)
    assert not uses_row_multipliers(product())
    scales = QuantSpec({"s": 1.0, "v": 2.0, "o": 4.0, "e": 77.0})
    assert operand_scale(softmax, scales) == 1 / 256 and operand_scale(graph.node("v"), scales) == 2.0
    (constant,) = product_constants(stored, scales)
    assert constant.mult / 2**constant.shift == 2.0 / 256 / 4.0  # probability bytes count 1/256


@given(SCALES, SCALES, st.floats(0.1, 4))
def test_the_row_multipliers_scale_uses_its_thirty_bits(v: float, o: float, scale: float) -> None:
    _, softmax, made = attended(scale)
    scales = QuantSpec({"s": 0.01, "v": v, "o": o})
    ratio, shift = value_ratio_shift(made, scales)
    assert ratio == pytest.approx(v * scale / o)
    factor = softmax_factors(softmax, [made], scales).scale
    assert 2**29 <= factor <= 2**30 and factor == pytest.approx(v * scale / o * 2.0 ** (shift - 8), rel=2**-29)
    (constant,) = product_constants(made, scales)
    assert (constant.shift, constant.mult, constant.rfac) == (shift, 0, 0)


@pytest.mark.parametrize(("exponent", "shift"), [(35, 2), (34, 3), (-25, 62), (-24, 61)])
def test_the_shifts_of_row_multipliers_end_where_those_of_the_core_do(exponent: int, shift: int) -> None:
    assert value_ratio_shift(attended()[2], QuantSpec({"v": 2.0**exponent, "o": 1.0})) == (2.0**exponent, shift)


@pytest.mark.parametrize("exponent", [36, 37, -26, -27])
def test_values_that_no_shift_of_row_multipliers_reaches(exponent: int) -> None:
    with pytest.raises(QuantError, match="o: values over outputs scale as .*, which no shift reaches") as caught:
        value_ratio_shift(attended()[2], QuantSpec({"v": 2.0**exponent, "o": 1.0}))
    assert f"{2.0**exponent:g}" in str(caught.value)


STEP = 1 / (log2(e) * 2**15)
"""The step of scores for which the exponential's factor is 1."""


@pytest.mark.parametrize("emul", [1, 2, 1000, 65535])
def test_the_exponentials_factor_is_the_scores_step_in_binary_octaves(emul: int) -> None:
    _, softmax, made = attended()
    for norm in (False, True):
        found = softmax_factors(replace(softmax, norm=norm), [made], QuantSpec({"s": emul * STEP, "v": 1.0, "o": 1.0}))
        assert found.emul == emul
        assert not norm or found.scale == 2**30  # probabilities over 256


@pytest.mark.parametrize("emul", [0.2, 65536, 70000])
def test_scores_that_the_exponential_does_not_take(emul: float) -> None:
    _, softmax, made = attended()
    with pytest.raises(QuantError, match="e: scores up to .* are outside what the exponential takes") as caught:
        softmax_factors(softmax, [made], QuantSpec({"s": emul * STEP, "v": 1.0, "o": 1.0}))
    assert f"up to {127 * emul * STEP:g} " in str(caught.value)


def test_readers_share_a_softmax_if_a_power_of_two_is_between_them() -> None:
    graph, softmax, made = attended()
    other = graph.matmul(softmax, graph.input("w", 4, 2), name="p")
    scales = {"s": 0.01, "v": 1.5, "o": 1.0, "p": 1.0}
    alone = softmax_factors(softmax, [made], QuantSpec(scales))
    assert softmax_factors(softmax, [made, other], QuantSpec(scales | {"w": 24.0})) == alone
    with pytest.raises(QuantError, match="e: its 2 readers need different row multipliers"):
        softmax_factors(softmax, [made, other], QuantSpec(scales | {"w": 1.6}))


@given(SCALES, SCALES, SCALES)
def test_factors_of_a_sum_are_its_operands_scales_over_its_own(x: float, y: float, total: float) -> None:
    """Over one power of 2, the largest at which both are int16."""
    graph = Graph("g")
    added = graph.add(graph.input("x", M, 4), graph.input("y", M, 4), name="t")
    scales = QuantSpec({"x": x, "y": y, "t": total})
    if max(x, y) / total >= 2**15 - 1:
        with pytest.raises(QuantError, match="t: an operand's scale is .* times the output's"):
            vec_factors(added, scales)
        return
    found = vec_factors(added, scales)
    for factor, operand in ((found.ma, x), (found.mb, y)):
        assert abs(factor - operand / total * 2**found.shift) <= 0.5
    assert max(found.ma, found.mb) <= 2**15 - 1 and 0 <= found.shift <= 30
    assert found.shift == 30 or 2 * max(x, y) / total * 2**found.shift > 2**15 - 1
    if x / total < 2**15 - 1:
        alone = vec_factors(graph.copy(graph.node("x"), name="c"), QuantSpec({"x": x / total}))
        assert alone.mb == 0
