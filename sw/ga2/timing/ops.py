# SPDX-License-Identifier: Apache-2.0
"""Resolved operations as dispatch hands them to the units, and the times a unit answers with.

The operations mirror `rtl/ga2_ops_pkg.sv`, field by field in the same order. Addresses and pitches count scratchpad
words unless the name says bytes; bytes such as `zp` are the Python integers they mean (-128..127).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Times:
    """Cycles of one operation: accepted in `start`, done in `end`; the unit may accept the next one in `ready`."""

    start: int
    end: int
    ready: int


@dataclass(frozen=True)
class LdOp:
    """Load `rows` x `words` words from external memory; with `gather`, row i is table row id[i]."""

    slot: int = 0
    gather: bool = False
    dst: int = 0
    dst_pitch: int = 0
    rows: int = 1
    words: int = 1
    ext_addr: int = 0
    ext_pitch_bytes: int = 0
    ids: int = 0
    ids_pitch: int = 0
    limit: int = 0


@dataclass(frozen=True)
class StOp:
    """Store `rows` x `words` words to external memory."""

    slot: int = 0
    src: int = 0
    src_pitch: int = 0
    rows: int = 1
    words: int = 1
    ext_addr: int = 0
    ext_pitch_bytes: int = 0


@dataclass(frozen=True)
class MmOp:
    """An m x k by k x n product with its requantisation; `cidx` is the constant of column 0."""

    slot: int = 0
    unsigned_left: bool = False
    residual: bool = False
    rowmul: bool = False
    double_round: bool = False
    right_mode: int = 0
    uniform: bool = False
    cidx: int = 0
    m: int = 1
    n: int = 1
    k: int = 1
    zp: int = 0
    lo: int = -128
    hi: int = 127
    out: int = 0
    out_pitch: int = 0
    left: int = 0
    left_pitch: int = 0
    right: int = 0
    right_pitch: int = 0
    aux: int = 0
    aux_pitch: int = 0


@dataclass(frozen=True)
class SmOp:
    """Softmax of `rows` rows; row i has `len + i*step` scores and is zero from there to `n`."""

    slot: int = 0
    norm: bool = False
    emul: int = 0
    rows: int = 1
    n: int = 1
    len: int = 1
    step: int = 0
    dst: int = 0
    dst_pitch: int = 0
    src: int = 0
    src_pitch: int = 0
    rmul: int = 0
    rmul_pitch: int = 0
    scale: int = 0


@dataclass(frozen=True)
class VecOp:
    """An elementwise operation on `rows` x `n` bytes, or with `amax` the index of each row's largest byte."""

    slot: int = 0
    amax: bool = False
    second: bool = False
    ma: int = 0
    mb: int = 0
    shift: int = 0
    zp: int = 0
    lo: int = -128
    hi: int = 127
    rows: int = 1
    n: int = 1
    out: int = 0
    out_pitch: int = 0
    a: int = 0
    a_pitch: int = 0
    b: int = 0
    b_pitch: int = 0
