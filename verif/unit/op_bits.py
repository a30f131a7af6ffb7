# SPDX-License-Identifier: Apache-2.0
"""Operations as the bit vectors that cocotb drives on a packed struct port.

The layout is read from rtl/ga2_ops_pkg.sv itself, so that a bench cannot disagree with the design about it.
"""

import re
from dataclasses import asdict
from functools import cache
from pathlib import Path

from ga2.timing.ops import LdOp, MmOp, SmOp, StOp, VecOp

OPS_PACKAGE = Path(__file__).resolve().parents[2] / "rtl" / "ga2_ops_pkg.sv"
STRUCTS = {LdOp: "ld_op_t", StOp: "st_op_t", MmOp: "mm_op_t", SmOp: "sm_op_t", VecOp: "vec_op_t"}


@cache
def layout(struct: str) -> tuple[tuple[str, int], ...]:
    """Names and widths of a packed struct's members, the most significant first."""
    text = OPS_PACKAGE.read_text()
    end = text.index(f"}} {struct};")
    body = text[text.rindex("struct packed {", 0, end) : end]
    members = re.findall(r"logic\s*(?:\[(\d+):0\])?\s*(\w+);", body)
    return tuple((name, int(msb or 0) + 1) for msb, name in members)


def pack(op: LdOp | StOp | MmOp | SmOp | VecOp) -> int:
    """The packed struct's value."""
    values = asdict(op)
    bits = 0
    for name, width in layout(STRUCTS[type(op)]):
        bits = bits << width | int(values[name]) & ((1 << width) - 1)
    return bits
