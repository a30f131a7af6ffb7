# SPDX-License-Identifier: Apache-2.0
"""Bins of sizes: every dimension at its edges, and through LEN and M; no-ops; LEN and M themselves."""

from ga2.coverage.lists import LISTS
from ga2.isa.encoding import Dim, Ext, Operand
from ga2.spec import CONFIG_NAMES, ISA, Config
from ga2.timing.bursts import BURST_BEATS
from verif.coverage.context import OPERATIONS, Bins, Context

BEYOND = "beyond 2N"
THROUGH = ("LEN", "M", "LEN and M", "several")
NO_OPS = ("no rows", "no words")
SIZES = ("0", "1", "some", "max")


def _fields(*kinds: str) -> tuple[str, ...]:
    """Every field of these kinds, with its opcode."""
    fields = ((op, field) for op in OPERATIONS for field in ISA.instructions[op].fields)
    return tuple(f"{op} {field.name}" for op, field in fields if field.kind in kinds)


DIMENSIONS = _fields("dim")
AFFINE = _fields("dim", "operand", "ext")
EDGES = tuple(edge.name for edge in LISTS.edges)

POINTS: dict[str, tuple[str, ...]] = {
    "opcode/work": OPERATIONS,
    "opcode/no_op": tuple(f"{op} {why}" for op in OPERATIONS for why in NO_OPS),
    "opcode/configuration": tuple(f"{name} {op}" for name in CONFIG_NAMES for op in (*OPERATIONS, "HALT")),
    "dimension/edge": tuple(
        f"{name} {edge}"
        for name in DIMENSIONS
        for edge in (*EDGES, BEYOND)
        if not (edge == "0" and name in LISTS.never_zero)
    ),
    "dimension/affine": tuple(f"{name} {through}" for name in AFFINE for through in THROUGH),
    "state/registers": tuple(f"LEN {length} M {m}" for length in SIZES for m in SIZES),
}


def around(name: str, config: Config) -> int:
    """N of a dimension."""
    sizes = {"rows": config.rows, "cols": config.cols, "burst": BURST_BEATS // config.beats_per_word}
    return sizes[LISTS.around[name]]


def edges(name: str, value: int, config: Config) -> Bins:
    """The edges that a dimension's value is."""
    near = around(name, config)
    found = {edge.name for edge in LISTS.edges if edge.value(near) == value}
    return frozenset(found | ({BEYOND} if value > 2 * near else set()))


def through(value: Dim | Operand | Ext, context: Context) -> str | None:
    """How LEN and M take part in a size or place; None if they do not, or are zero."""
    state = context.state
    a, b = value.a * state.length, value.b * state.m
    if not isinstance(value, Dim):
        a, b = a * value.pitch, b * value.pitch
    if not (a or b):
        return None
    if max(value.a if a else 0, value.b if b else 0) > 1:
        return "several"
    return "LEN and M" if a and b else "LEN" if a else "M"


def size(value: int, largest: int) -> str:
    """The class of LEN or M."""
    return str(value) if value < 2 else "max" if value == largest else "some"


def registers(context: Context) -> str:
    """LEN and M; the largest LEN is what MAX_LEN leaves beside M."""
    config, state = context.config, context.state
    return f"LEN {size(state.length, config.max_len - state.m)} M {size(state.m, config.m_max)}"


def dimension_bins(context: Context) -> Bins:
    """Edges and affine parts of a resolved instruction."""
    resolved, op = context.resolved, context.op
    bins = {f"opcode/configuration/{context.config.name} {op}", f"state/registers/{registers(context)}"}
    if resolved.halt:
        return frozenset(bins)
    first = list(resolved.dims.values())
    if resolved.no_op:
        bins |= {f"opcode/no_op/{op} {why}" for why, value in zip(NO_OPS, first, strict=False) if value == 0}
    else:
        bins.add(f"opcode/work/{op}")
    present = {access.name for access in resolved.operands} | {"ext"}
    for name, value in resolved.dims.items():
        if not resolved.no_op or value == 0:
            bins |= {f"dimension/edge/{op} {name} {edge}" for edge in edges(name, value, context.config)}
    for name, value in resolved.instruction.fields.items():
        if isinstance(value, Dim | Operand | Ext) and not resolved.no_op:
            if isinstance(value, Dim) or name in present:
                if (how := through(value, context)) is not None:
                    bins.add(f"dimension/affine/{op} {name} {how}")
    return frozenset(bins & _KNOWN)


_KNOWN = frozenset(f"{point}/{name}" for point, names in POINTS.items() for name in names)
