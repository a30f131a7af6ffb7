# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of GA2 in numpy: pure functions of integer arrays, exact to the bit.

Every definition is the one of `docs/developer/microarchitecture.md`, section Arithmetic. Intermediate values are int64
and never overflow it; int32 values are two's complement and wrap around.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Int8 = NDArray[np.int8]
UInt8 = NDArray[np.uint8]
Int64 = NDArray[np.int64]

EXP_BITS = 6
"""log2 of the entries of the exponential's table: the smallest that keeps |p - exact| <= 0.004 for 512 keys."""
EXP_ONE = 65280
"""e16 of a row's maximum: 255 * 256, so that its e8 is 255."""
EMUL_FRACTION = 15
"""Fraction bits of `emul`, the score scale times log2(e)."""
RM_MAX = 2**31 - 1
"""The largest row multiplier (31 bits)."""
RM_FRACTION = 16
"""`rm = (scale << RM_FRACTION) / sum`."""
NORM_SHIFT = 38
"""With `norm`: dst = (e16 * rm) >> NORM_SHIFT, rounded."""


def exp_table(bits: int = EXP_BITS) -> Int64:
    """`EXP_ONE * 2^(-f / 2^bits)` rounded to nearest, for f = 0 .. 2^bits - 1."""
    return np.floor(EXP_ONE * 2.0 ** (-np.arange(2**bits) / 2**bits) + 0.5).astype(np.int64)


_EXP_TABLE = exp_table()


def wrap32(x: ArrayLike) -> Int64:
    """The int32 that holds `x` modulo 2^32, as int64."""
    return ((np.asarray(x, np.int64) + 2**31) & (2**32 - 1)) - 2**31


def shift_round(x: ArrayLike, shift: ArrayLike) -> Int64:
    """`x / 2^shift` rounded half up; exact for |x| + 2^(shift-1) below 2^63."""
    shift = np.asarray(shift, np.int64)
    half = np.where(shift > 0, np.left_shift(1, np.maximum(shift - 1, 0)), 0)
    return (np.asarray(x, np.int64) + half) >> shift


def rescale(x: ArrayLike, mult: ArrayLike, shift: ArrayLike, double: bool = False) -> Int64:
    """TOSA RESCALE: `x * mult / 2^shift`, rounded half up.

    x int32; mult 0 .. 2^31 - 1; shift 0 .. 63; all broadcast. `double` rounds twice as TFLite does (away from zero
    first) where shift exceeds 31. |x * mult| <= 2^62 and the rounding terms add at most 2^62 + 2^30, within int64.
    """
    x, shift = np.asarray(x, np.int64), np.asarray(shift, np.int64)
    product = x * np.asarray(mult, np.int64)
    if double:
        product = product + np.where(shift > 31, np.where(x >= 0, 2**30, -(2**30)), 0)
    return shift_round(product, shift)


def clamp_byte(x: ArrayLike, lo: int = -128, hi: int = 127) -> Int8:
    """Saturate full-width `x` to [lo, hi], as the hardware does: first raised to lo, then lowered to hi."""
    return np.minimum(np.maximum(np.asarray(x, np.int64), lo), hi).astype(np.int8)


def matmul(
    left: NDArray,
    right: NDArray,
    bias: ArrayLike,
    mult: ArrayLike,
    shift: ArrayLike,
    *,
    zp: int = 0,
    lo: int = -128,
    hi: int = 127,
    aux: NDArray | None = None,
    rfac: ArrayLike = 0,
    rowmul: ArrayLike | None = None,
    double: bool = False,
) -> Int8:
    """The instruction MM: `clamp(rescale(left x right + bias [+ aux*rfac]) + zp)`, int8 [m, n].

    left int8 or uint8 [m, k], as its type says; right int8 [k, n]; bias int32, mult, shift, rfac int16: one a column
    [n] or one for all; aux int8 [m, n], the residual; rowmul [m]: the row multipliers that replace the columns' (their
    bits 30:0).
    """
    # float64 holds every partial sum exactly (k * 255 * 128 is far below 2^53) and multiplies much faster than int64.
    total = (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64) + np.asarray(bias, np.int64)
    if aux is not None:
        total = total + aux.astype(np.int64) * np.asarray(rfac, np.int64)
    if rowmul is not None:
        mult = (np.asarray(rowmul, np.int64) & RM_MAX)[:, np.newaxis]
    return clamp_byte(rescale(wrap32(total), mult, shift, double) + zp, lo, hi)


def softmax_exp(d: ArrayLike, emul: int) -> Int64:
    """e16 of a score that lies `d` (0 .. 255) below its row's maximum: `EXP_ONE * 2^(-d * emul / 2^15)`, 0 .. 65280."""
    index = shift_round(np.asarray(d, np.int64) * emul, EMUL_FRACTION - EXP_BITS)
    octaves, fraction = index >> EXP_BITS, index & (2**EXP_BITS - 1)
    # Seventeen octaves below 65280 nothing is left, so larger shifts need not be told apart.
    return shift_round(_EXP_TABLE[fraction], np.minimum(octaves, 17))


def exp_byte(e16: ArrayLike) -> UInt8:
    """The unsigned byte stored for an e16: rounded to 8 bits, 255 at the maximum."""
    return shift_round(e16, 8).astype(np.uint8)


def softmax_rows(scores: Int8, lengths: ArrayLike, emul: int, scale: int, norm: bool = False) -> tuple[UInt8, Int64]:
    """The instruction SM: `(bytes uint8 [m, n], row multipliers [m])`.

    scores int8 [m, n]; lengths [m], each 1 .. n: elements at or beyond a row's length are ignored and come out as zero.
    scale is 31 bits: `rm = min(2^31 - 1, (scale << 16) / sum of e16)`. With `norm` the bytes are the e16 times rm,
    rounded: probabilities times 256 (at most 255) for scale = 2^30.
    """
    scores = np.asarray(scores, np.int8).astype(np.int64)
    valid = np.arange(scores.shape[1]) < np.asarray(lengths, np.int64)[:, np.newaxis]
    top = np.where(valid, scores, -128).max(axis=1, keepdims=True)
    e16 = np.where(valid, softmax_exp(np.where(valid, top - scores, 0), emul), 0)
    rm = np.minimum(RM_MAX, (np.int64(scale) << RM_FRACTION) // e16.sum(axis=1))
    if norm:
        return np.minimum(255, shift_round(e16 * rm[:, np.newaxis], NORM_SHIFT)).astype(np.uint8), rm
    return exp_byte(e16), rm


def vec(
    a: Int8,
    ma: int,
    b: Int8 | None = None,
    mb: int = 0,
    *,
    shift: int = 0,
    zp: int = 0,
    lo: int = -128,
    hi: int = 127,
) -> Int8:
    """The instruction VEC: `clamp((a*ma [+ b*mb]) / 2^shift + zp)`, rounded half up; ma, mb int16, shift 0 .. 31."""
    total = np.asarray(a, np.int64) * ma
    if b is not None:
        total = total + np.asarray(b, np.int64) * mb
    return clamp_byte(shift_round(total, shift) + zp, lo, hi)


def argmax_rows(x: Int8) -> Int64:
    """The instruction AMAX: for each row of int8 [m, n] the lowest index of its largest element."""
    return np.asarray(x).argmax(axis=1).astype(np.int64)
