# SPDX-License-Identifier: Apache-2.0
"""Operations, and other packed structs, as the bit vectors that cocotb drives on a port.

The layout is read from the package in rtl/ itself, so that a bench cannot disagree with the design about it.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path

from ga2.timing.ops import LdOp, MmOp, SmOp, StOp, VecOp

RTL = Path(__file__).resolve().parents[2] / "rtl"
OPS_PACKAGE = "ga2_ops_pkg"
STRUCTS = {LdOp: "ld_op_t", StOp: "st_op_t", MmOp: "mm_op_t", SmOp: "sm_op_t", VecOp: "vec_op_t"}


@cache
def layout(struct: str, package: str = OPS_PACKAGE) -> tuple[tuple[str, int], ...]:
    """Names and widths of a packed struct's members, the most significant first."""
    text = (RTL / f"{package}.sv").read_text()
    end = text.index(f"}} {struct};")
    body = text[text.rindex("struct packed {", 0, end) : end]
    members = re.findall(r"logic\s*(?:\[(\d+):0\])?\s*(\w+);", body)
    return tuple((name, int(msb or 0) + 1) for msb, name in members)


def pack_struct(struct: str, values: Mapping[str, int], package: str = OPS_PACKAGE) -> int:
    """The value of a packed struct with these members."""
    bits = 0
    for name, width in layout(struct, package):
        bits = bits << width | int(values[name]) & ((1 << width) - 1)
    return bits


def unpack_struct(struct: str, bits: int, package: str = OPS_PACKAGE) -> dict[str, int]:
    """The members, unsigned, of a packed struct's value."""
    values = {}
    for name, width in reversed(layout(struct, package)):
        values[name] = bits & ((1 << width) - 1)
        bits >>= width
    return {name: values[name] for name, _ in layout(struct, package)}


def pack(op: LdOp | StOp | MmOp | SmOp | VecOp) -> int:
    """The packed struct's value."""
    return pack_struct(STRUCTS[type(op)], asdict(op))
