# SPDX-License-Identifier: Apache-2.0
"""Resolved operations as dispatch hands them to the units, built from an instruction's fields and resolved numbers."""

from collections.abc import Mapping
from typing import Any

from ga2.golden.shapes import Dims
from ga2.isa.encoding import Instruction
from ga2.spec import Config
from ga2.timing.ops import LdOp, MmOp, SmOp, StOp, VecOp

Op = LdOp | StOp | MmOp | SmOp | VecOp
RIGHT_MODES = ("panel", "rows", "transposed")


def _placed(instruction: Instruction, starts: Mapping[str, int], names: Mapping[str, str]) -> dict[str, Any]:
    """Start and pitch of the operands that are present; `names` maps an operand to the operation's name for it."""
    values: dict[str, Any] = {}
    for operand, start in starts.items():
        name = names.get(operand, operand)
        values |= {name: start, f"{name}_pitch": instruction.fields[operand].pitch}
    return values


def _shape(dims: Dims, pitch: int, ext_pitch: int) -> dict[str, Any]:
    """Rows and words of a transfer; one that is dense on both sides moves as a single row."""
    rows, words = dims["rows"], dims["words"]
    if rows == 1 or (pitch == words and ext_pitch == words):
        return {"rows": 1, "words": rows * words}
    return {"rows": rows, "words": words}


def build_op(instruction: Instruction, dims: Dims, starts: Mapping[str, int], ext_addr: int, config: Config) -> Op:
    """The unit's operation. `starts` are the present operands' first words, `ext_addr` the external byte address."""
    fields = instruction.fields
    sizes: dict[str, Any] = dict(dims)
    placed = _placed(instruction, starts, {"src": "a"} if instruction.op == "AMAX" else {})
    if "ext" in fields:
        ext_pitch = fields["ext"].pitch
        external: dict[str, Any] = {"ext_addr": ext_addr & 0xFFFF_FFFF, "ext_pitch_bytes": ext_pitch * config.cols}
        if instruction.op == "LDG":
            return LdOp(gather=True, limit=fields["limit"], **placed, **sizes, **external)
        if instruction.op == "LD":
            return LdOp(**_shape(dims, placed["dst_pitch"], ext_pitch), **placed, **external)
        return StOp(**_shape(dims, placed["src_pitch"], ext_pitch), **placed, **external)
    if instruction.op == "AMAX":
        return VecOp(amax=True, **sizes, **placed)
    if instruction.op == "MM":
        return MmOp(
            unsigned_left=bool(fields["unsigned_left"]),
            residual=bool(fields["residual"]),
            rowmul=bool(fields["rowmul"]),
            double_round=bool(fields["double_round"]),
            right_mode=RIGHT_MODES.index(fields["right_mode"]),
            uniform=bool(fields["uniform"]),
            cidx=fields["const"],
            **{name: fields[name] for name in ("zp", "lo", "hi")},
            **sizes,
            **placed,
        )
    if instruction.op == "SM":
        numbers = {name: fields[name] for name in ("emul", "step", "scale")}
        return SmOp(norm=bool(fields["norm"]), **numbers, **sizes, **placed)
    numbers = {name: fields[name] for name in ("ma", "mb", "shift", "zp", "lo", "hi")}
    return VecOp(second=bool(fields["second"]), **numbers, **sizes, **placed)
