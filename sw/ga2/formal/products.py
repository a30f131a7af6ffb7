# SPDX-License-Identifier: Apache-2.0
"""Multiplications as unknown functions: what is proved then holds whatever they compute, real products included.

Two copies of a design give equal products for equal factors. A solver that looks into the multipliers takes long to
see that; a function gives it at once. Of a product only this is kept: it is a function of its factors, and zero if one
of them is. That is less than a product does, so what is proved of it holds of products.

A broken copy is shown to fail for some such function; the bitwise and is tried first, for it costs a solver next to
nothing. It is not the product, so that is a mistake only beside the proof of the intact design, which holds for all.
"""

import re

LOGIC = "QF_AUFBV"  # bit vectors, arrays and unknown functions

_PRODUCT = re.compile(r"\(_ BitVec (\d+)\) \(bvmul ")


def _function(width: int) -> str:
    sort, zero = f"(_ BitVec {width})", f"(_ bv0 {width})"
    return (
        f"(declare-fun any_product_{width} ({sort} {sort}) {sort})\n"
        f"(define-fun product_{width} ((a {sort}) (b {sort})) {sort} "
        f"(ite (or (= a {zero}) (= b {zero})) {zero} (any_product_{width} a b)))\n"
    )


def with_any_products(model: str) -> str:
    """The SMT-LIB text of a model with a function of its width for each product. ValueError if one is left."""
    widths = sorted({int(width) for width in _PRODUCT.findall(model)})
    changed = _PRODUCT.sub(r"(_ BitVec \1) (product_\1 ", model)
    if "bvmul" in changed:
        raise ValueError("a multiplication inside a larger expression: it has no width to read off")
    head, start, rest = changed.partition("(declare-sort")
    return head + "".join(map(_function, widths)) + start + rest


def with_bitwise_and(model: str) -> str:
    """The same with each product replaced by the bitwise and of its factors."""
    return model.replace("(bvmul ", "(bvand ")
