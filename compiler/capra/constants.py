# SPDX-License-Identifier: Apache-2.0
"""From scales to the integers that instructions carry: column constants, softmax factors, vector factors."""

from dataclasses import dataclass
from math import e, frexp, log2

import numpy as np

from capra.node import Node
from capra.quantise import INT8_MAX, INT16_MAX, QuantError, QuantSpec, streams_as_panels
from ga2.golden.numerics import EMUL_FRACTION
from ga2.isa.encoding import Constant

MULT_BITS = 31
SHIFT_MIN, SHIFT_MAX = 2, 62
EXP_BYTE_ONE = 256
"""An exponential byte counts 1/256 of the 16-bit exponential that the row sum adds up."""
NORM_SCALE = 2**30
"""The softmax scale that makes normalised bytes probabilities over 256."""
SCALE_BITS = 30
VEC_SHIFT_MAX = 30


@dataclass(frozen=True)
class SoftmaxFactors:
    """emul: score step times log2(e), 15 fraction bits. scale: numerator of the row multiplier."""

    emul: int
    scale: int


@dataclass(frozen=True)
class VecFactors:
    """out = (a*ma + b*mb) >> shift."""

    ma: int
    mb: int
    shift: int


def fit_ratio(name: str, ratio: float) -> tuple[int, int]:
    """(mult, shift) with ratio ~ mult / 2^shift, mult in [2^30, 2^31); (0, 62) for a ratio that rounds all to zero."""
    mantissa, exponent = frexp(ratio)
    mult, shift = round(mantissa * 2**MULT_BITS), MULT_BITS - exponent
    if mult == 2**MULT_BITS:
        mult, shift = mult // 2, shift - 1
    if shift > SHIFT_MAX or mult == 0:
        return 0, SHIFT_MAX
    if shift < SHIFT_MIN:
        raise QuantError(f"{name}: requantisation ratio {ratio:g} is beyond 2^{MULT_BITS - SHIFT_MIN}")
    return mult, shift


def operand_scale(node: Node, spec: QuantSpec) -> float:
    """The scale of a tensor read as a product's left operand; a stored softmax is probability bytes over 256."""
    return 1 / EXP_BYTE_ONE if node.op == "softmax" else spec.scale(node.role)


def uses_row_multipliers(product: Node) -> bool:
    """True if the product's left operand is exponentials whose row multipliers replace the columns'."""
    return product.inputs[0].op == "softmax" and not product.inputs[0].norm


def value_ratio_shift(product: Node, spec: QuantSpec) -> tuple[float, int]:
    """The value operand's scale over the output's, and the shift that puts the softmax scale in [2^29, 2^30).

    out = acc * rm >> shift with rm = (scale << 16) / sum of e16 and probability = e8 * 256 / sum, hence
    scale = ratio * 2^(shift - 8).
    """
    ratio = spec.scale(product.inputs[1].role) * product.scale / spec.scale(product.role)
    shift = SCALE_BITS + 8 - frexp(ratio)[1]
    if not SHIFT_MIN <= shift <= SHIFT_MAX:
        raise QuantError(f"{product.name}: values over outputs scale as {ratio:g}, which no shift reaches")
    return ratio, shift


def product_constants(product: Node, spec: QuantSpec) -> tuple[Constant, ...]:
    """One constant a column, or a single one for all columns of a right operand with one scale."""
    if uses_row_multipliers(product):
        return (Constant(shift=value_ratio_shift(product, spec)[1]),)
    left, right = product.inputs[:2]
    panels = streams_as_panels(product, right)
    right_scales = spec.columns[right.name].scales if panels else np.array([spec.scale(right.role)])
    accumulator = operand_scale(left, spec) * right_scales
    ratios = accumulator * product.scale / spec.scale(product.role)
    factors = np.zeros(len(ratios), dtype=int)
    if product.residual:
        factors = np.rint(spec.scale(product.inputs[2].role) / (accumulator * product.scale)).astype(int)
        if np.abs(factors).max() > INT16_MAX:
            raise QuantError(f"{product.name}: the residual's factor {factors.max()} exceeds {INT16_MAX}")
    fitted = [fit_ratio(product.name, ratio) for ratio in ratios]
    return tuple(
        Constant(mult=mult, shift=shift, rfac=int(factor))
        for (mult, shift), factor in zip(fitted, factors, strict=True)
    )


def softmax_factors(softmax: Node, readers: list[Node], spec: QuantSpec) -> SoftmaxFactors:
    """The factors of a softmax. Readers: the products that take it; they must agree on the row multiplier's scale."""
    step = spec.scale(softmax.inputs[0].role)
    emul = round(step * log2(e) * 2**EMUL_FRACTION)
    if not 0 < emul < 2**16:
        raise QuantError(f"{softmax.name}: scores up to {step * INT8_MAX:g} are outside what the exponential takes")
    if softmax.norm:
        return SoftmaxFactors(emul, NORM_SCALE)
    scales = {round(ratio * 2.0 ** (shift - 8)) for ratio, shift in (value_ratio_shift(r, spec) for r in readers)}
    if len(scales) != 1:
        raise QuantError(f"{softmax.name}: its {len(readers)} readers need different row multipliers")
    return SoftmaxFactors(emul, scales.pop())


def vec_factors(node: Node, spec: QuantSpec) -> VecFactors:
    """Factors of an add, a relu or a copy: the operands' scales over the output's, as int16 over one power of 2."""
    ratios = [spec.scale(operand.role) / spec.scale(node.role) for operand in node.inputs]
    shift = min(VEC_SHIFT_MAX, int(np.floor(log2(INT16_MAX / max(ratios)))))
    if shift < 0:
        raise QuantError(f"{node.name}: an operand's scale is {max(ratios):g} times the output's")
    first, second = (round(ratio * 2**shift) for ratio in (ratios * 2)[:2])
    return VecFactors(first, second if len(ratios) == 2 else 0, shift)

