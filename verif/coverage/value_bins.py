# SPDX-License-Identifier: Apache-2.0
"""Bins of bytes: what an instruction finds in its operands and makes of them, on a golden core just before it runs.

Saturation is told from the value before the clamp, recomputed here from `ga2.golden.numerics`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ga2.coverage.lists import LISTS
from ga2.golden import numerics
from ga2.golden.interpreter import Core
from ga2.golden.resolve import Resolved
from ga2.golden.shapes import words_of
from ga2.timing.ops import LdOp, MmOp, SmOp, VecOp
from verif.coverage.burst_bins import row_class
from verif.coverage.context import Bins

SIGNED, UNSIGNED = LISTS.bytes["signed"], LISTS.bytes["unsigned"]
OPERANDS = ("MM left", "MM right", "MM aux", "VEC a", "VEC b", "SM src", "AMAX src")
CLAMPS = ("above", "at the top", "below the top", "inside", "above the bottom", "at the bottom", "below")
SHIFTS = ("0", "1 to 31", "32 to 61", "62 or 63")
MULTS = ("0", "up to 2^30", "above 2^30", "2^31 - 1")
SPREADS = ("all equal", "one-hot", "full spread", "other")
MULTIPLIERS = ("0", "normal", "saturated")
PLACES = ("first", "middle", "last")
IDS = ("0", "limit - 1", "repeated", "falling")
MANY = 1 << 16  # elements looked at for a combination

POINTS: dict[str, tuple[str, ...]] = {
    "value/byte": tuple(f"{name} {byte}" for name in OPERANDS for byte in SIGNED)
    + tuple(f"MM unsigned left {byte}" for byte in UNSIGNED),
    "value/factors": tuple(f"{a} x {b}" for a, b in product(SIGNED, SIGNED)),
    "value/sum": tuple(f"{a} and {b}" for a, b in product(SIGNED, SIGNED)),
    "saturation/clamp": tuple(f"{op} {clamp}" for op in ("MM", "VEC") for clamp in CLAMPS),
    "saturation/accumulator": ("wraps", "positive", "negative", "zero"),
    "rounding/shift": tuple(f"{rounding} {shift}" for rounding in ("single", "double") for shift in SHIFTS),
    "rounding/half": tuple(f"{how} {sign}" for how in ("single", "double") for sign in ("positive", "negative")),
    "rounding/multiplier": MULTS,
    "softmax/spread": tuple(f"norm {norm} {spread}" for norm in (0, 1) for spread in SPREADS),
    "softmax/multiplier": MULTIPLIERS,
    "softmax/byte": ("underflow", "clipped at 255"),
    "argmax/place": (
        *(f"unique {place}" for place in PLACES),
        *(f"tied {place}" for place in PLACES[:-1]),  # the first of several wins: the last one cannot
        *("all equal", "lowest byte"),
    ),
    "gather/id": IDS,
}


def present(values: NDArray, wanted: Iterable[int]) -> Iterator[int]:
    """Those of `wanted` that occur."""
    found = np.unique(values)
    return (byte for byte in wanted if byte in found)


def clamps(raw: NDArray[np.int64], lo: int, hi: int) -> Iterator[str]:
    """How values before the clamp lie to its ends; a clamp without an inside has no classes."""
    if hi - lo < 4:
        return
    masks = (raw > hi, raw == hi, raw == hi - 1, (raw < hi - 1) & (raw > lo + 1), raw == lo + 1, raw == lo, raw < lo)
    yield from (name for name, mask in zip(CLAMPS, masks, strict=True) if mask.any())


def pairs(one: NDArray, other: NDArray, axis: int) -> Iterator[tuple[int, int]]:
    """Pairs of the signed bytes that meet: along `axis` of `one` and 0 of `other`, all else combined."""
    near = {byte: (one == byte).any(axis=1 - axis) for byte in SIGNED}
    far = {byte: (other == byte).any(axis=1) for byte in SIGNED}
    yield from ((a, b) for a, b in product(SIGNED, SIGNED) if (near[a] & far[b]).any())


@dataclass(frozen=True)
class Product:
    """A product's operands and its sums before and after the rescaling."""

    left: NDArray
    right: NDArray
    aux: NDArray | None
    total: NDArray[np.int64]
    mult: NDArray[np.int64]
    shift: NDArray[np.int64]
    raw: NDArray[np.int64]


def _right(op: MmOp, core: Core) -> NDArray[np.int8]:
    cols, words = core.config.cols, words_of(op.n, core.config.cols)
    if op.right_mode == 0:
        panels = core.spad.rows("right", op.right, 0, 1, words * op.k).reshape(words, op.k, cols)
        right = panels.transpose(1, 0, 2).reshape(op.k, words * cols)[:, : op.n]
    elif op.right_mode == 1:
        right = core.spad.rows("right", op.right, op.right_pitch, op.k, words)[:, : op.n]
    else:
        right = core.spad.rows("right", op.right, op.right_pitch, op.n, words_of(op.k, cols))[:, : op.k].T
    return np.ascontiguousarray(right).view(np.int8)


def multiplied(op: MmOp, core: Core) -> Product:
    """What a product computes, up to the clamp."""
    spad, cols = core.spad, core.config.cols
    left: NDArray = spad.rows("left", op.left, op.left_pitch, op.m, words_of(op.k, cols))[:, : op.k]
    left = left if op.unsigned_left else left.view(np.int8)
    right = _right(op, core)
    column = core.constants.columns(op.cidx, 1 if op.uniform else op.n)
    total = (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64) + column.bias
    mult, aux = column.mult, None
    if op.residual:
        aux = spad.rows("aux", op.aux, op.aux_pitch, op.m, words_of(op.n, cols))[:, : op.n].view(np.int8)
        total = total + aux.astype(np.int64) * column.rfac
    if op.rowmul:
        mult = (spad.values("aux", op.aux, op.aux_pitch, op.m) & numerics.RM_MAX)[:, np.newaxis]
    raw = numerics.rescale(numerics.wrap32(total), mult, column.shift, op.double_round) + op.zp
    return Product(left, right, aux, total, mult, column.shift, raw)


def _rounding(made: Product, op: MmOp) -> Iterator[str]:
    rounding = "double" if op.double_round else "single"
    for shift in np.unique(made.shift):
        name = SHIFTS[0] if shift == 0 else SHIFTS[1] if shift < 32 else SHIFTS[2] if shift < 62 else SHIFTS[3]
        yield f"rounding/shift/{rounding} {name}"
    for mult in np.unique(made.mult):
        name = MULTS[0] if mult == 0 else MULTS[1] if mult <= 1 << 30 else MULTS[3] if mult == 2**31 - 1 else MULTS[2]
        yield f"rounding/multiplier/{name}"
    total = numerics.wrap32(made.total)
    exact = np.broadcast_to(total * made.mult, made.raw.shape)
    half = np.where(made.shift > 0, np.int64(1) << np.maximum(made.shift - 1, 0), 0)
    tie = (half > 0) & ((exact & (2 * half - 1)) == half)
    for name, mask in (("positive", tie & (exact > 0)), ("negative", tie & (exact < 0))):
        if mask.any():
            yield f"rounding/half/{rounding} {name}"


def _matrix(op: MmOp, core: Core) -> Iterator[str]:
    made = multiplied(op, core)
    left, wanted = ("MM unsigned left", UNSIGNED) if op.unsigned_left else ("MM left", SIGNED)
    yield from (f"value/byte/{left} {byte}" for byte in present(made.left, wanted))
    yield from (f"value/byte/MM right {byte}" for byte in present(made.right, SIGNED))
    if made.aux is not None:
        yield from (f"value/byte/MM aux {byte}" for byte in present(made.aux, SIGNED))
    if not op.unsigned_left:
        yield from (f"value/factors/{a} x {b}" for a, b in pairs(made.left, made.right, 1))
    signs = {
        "wraps": made.total != numerics.wrap32(made.total),
        "positive": made.total > 0,
        "negative": made.total < 0,
        "zero": made.total == 0,
    }
    yield from (f"saturation/accumulator/{name}" for name, mask in signs.items() if mask.any())
    yield from _rounding(made, op)
    yield from (f"saturation/clamp/MM {clamp}" for clamp in clamps(made.raw, op.lo, op.hi))


def _vector(op: VecOp, core: Core) -> Iterator[str]:
    words = words_of(op.n, core.config.cols)
    a = core.spad.rows("a", op.a, op.a_pitch, op.rows, words)[:, : op.n].view(np.int8)
    if op.amax:
        yield from (f"value/byte/AMAX src {byte}" for byte in present(a, SIGNED))
        yield from _argmax(a)
        return
    yield from (f"value/byte/VEC a {byte}" for byte in present(a, SIGNED))
    total = a.astype(np.int64) * op.ma
    if op.second:
        b = core.spad.rows("b", op.b, op.b_pitch, op.rows, words)[:, : op.n].view(np.int8)
        yield from (f"value/byte/VEC b {byte}" for byte in present(b, SIGNED))
        flat = a.reshape(1, -1)[:, :MANY], b.reshape(-1, 1)[:MANY]
        yield from (f"value/sum/{one} and {other}" for one, other in pairs(*flat, 1))
        total = total + b.astype(np.int64) * op.mb
    raw = numerics.shift_round(total, op.shift) + op.zp
    yield from (f"saturation/clamp/VEC {clamp}" for clamp in clamps(raw, op.lo, op.hi))


def _argmax(rows: NDArray[np.int8]) -> Iterator[str]:
    last = rows.shape[1] - 1
    top = rows.max(axis=1)
    ties = (rows == top[:, np.newaxis]).sum(axis=1)
    for index, count, best in zip(rows.argmax(axis=1).tolist(), ties.tolist(), top.tolist(), strict=True):
        if best == -128:
            yield "argmax/place/lowest byte"
        if last == 0:
            continue
        if count == last + 1:
            yield "argmax/place/all equal"
        else:
            place = PLACES[0] if index == 0 else PLACES[2] if index == last else PLACES[1]
            yield f"argmax/place/{'unique' if count == 1 else 'tied'} {place}"


def _softmax(op: SmOp, core: Core) -> Iterator[str]:
    for row in range(op.rows):
        length = op.len + row * op.step
        words = words_of(length, core.config.cols)
        scores = core.spad.rows("src", op.src + row * op.src_pitch, 0, 1, words)[0][:length].view(np.int8)
        yield from (f"value/byte/SM src {byte}" for byte in present(scores, SIGNED))
        distance = int(scores.max()) - scores.astype(np.int64)
        e16 = numerics.softmax_exp(distance, op.emul)
        if length > 1:
            ones = int((e16 == numerics.EXP_ONE).sum())
            hot = ones == 1 and int((numerics.exp_byte(e16) > 0).sum()) == 1
            far = int(distance.max())
            spread = SPREADS[0] if far == 0 else SPREADS[1] if hot else SPREADS[2] if far == 255 else SPREADS[3]
            yield f"softmax/spread/norm {int(op.norm)} {spread}"
        if (e16 == 0).any():
            yield "softmax/byte/underflow"
        exact = (op.scale << numerics.RM_FRACTION) // int(e16.sum())
        yield f"softmax/multiplier/{'0' if exact == 0 else 'saturated' if exact > numerics.RM_MAX else 'normal'}"
        if op.norm and (numerics.shift_round(e16 * min(exact, numerics.RM_MAX), numerics.NORM_SHIFT) > 255).any():
            yield "softmax/byte/clipped at 255"


def _gather(op: LdOp, core: Core) -> Iterator[str]:
    ids = core.spad.values("ids", op.ids, op.ids_pitch, op.rows).tolist()
    for one in ids:
        yield f"burst/row/LDG {row_class(core.config, op.ext_addr + one * op.ext_pitch_bytes, op.words)}"
    steps = list(zip(ids, ids[1:], strict=False))
    holds = (0 in ids, op.limit - 1 in ids, any(a == b for a, b in steps), any(a > b for a, b in steps))
    yield from (f"gather/id/{name}" for name, held in zip(IDS, holds, strict=True) if held)


def value_bins(resolved: Resolved, core: Core) -> Bins:
    """The bins of the bytes that `resolved` meets if `core` executes it next; what it reads is not marked as read."""
    op, marked = resolved.op, list(core.spad.undefined)
    if isinstance(op, MmOp):
        found = frozenset(_matrix(op, core))
    elif isinstance(op, VecOp):
        found = frozenset(_vector(op, core))
    elif isinstance(op, SmOp):
        found = frozenset(_softmax(op, core))
    elif isinstance(op, LdOp) and op.gather:
        found = frozenset(_gather(op, core))
    else:
        found = frozenset()
    core.spad.undefined[:] = marked
    return found
