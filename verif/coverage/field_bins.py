# SPDX-License-Identifier: Apache-2.0
"""Bins of an instruction's own numbers and flags: modes, clamps, tiles, constants, softmax rows, gathers."""

from collections.abc import Iterator
from itertools import product

from ga2.coverage.lists import LISTS
from ga2.golden.resolve import Resolved
from ga2.spec import ISA, Config
from verif.coverage.context import Bins, Context

MODES = tuple(ISA.instructions["MM"].field("right_mode").values)
AUX = ("none", "residual", "rowmul")
FLAGS = ("unsigned_left", "double_round", "uniform")
TILES = ("one", "several")
REST = ("full", "part")
BOUNDS = ("full", "relu", "narrow", "one value", "crossed")
OTHER = "other"
LENGTHS = ("one", "below a word", "words", "part of a word", "whole row")
LIMITS = ("1", "some", "256 or more")


def _flags(values: tuple[int, ...]) -> str:
    return " ".join(name for name, value in zip(FLAGS, values, strict=True) if value) or "plain"


POINTS: dict[str, tuple[str, ...]] = {
    "matrix/mode": tuple(
        f"{mode} {aux} {_flags(flags)}" for mode in MODES for aux in AUX for flags in product((0, 1), repeat=len(FLAGS))
    ),
    "matrix/tiles": tuple(f"{mode} rows {m} columns {n}" for mode in MODES for m in TILES for n in TILES),
    "matrix/rest": tuple(f"{mode} m {m} n {n} k {k}" for mode in MODES for m, n, k in product(REST, repeat=3)),
    "matrix/constant": ("first", "last", "last uniform"),
    "number/value": tuple(f"{name} {value}" for name, values in LISTS.numbers.items() for value in (*values, OTHER)),
    "number/bounds": tuple(f"{op} {bounds}" for op in ("MM", "VEC") for bounds in BOUNDS),
    "number/second": ("VEC one", "VEC two"),
    "softmax/length": tuple(f"norm {norm} {length}" for norm in (0, 1) for length in LENGTHS),
    "softmax/rows": tuple(
        f"norm {norm} step {step} {rows}" for norm in (0, 1) for step in ("0", "1", "more") for rows in TILES
    ),
    "gather/limit": LIMITS,
}


def _matrix(resolved: Resolved, config: Config) -> Iterator[str]:
    fields, dims = resolved.instruction.fields, resolved.dims
    mode = fields["right_mode"]
    aux = "residual" if fields["residual"] else "rowmul" if fields["rowmul"] else "none"
    yield f"matrix/mode/{mode} {aux} {_flags(tuple(fields[name] for name in FLAGS))}"
    yield f"matrix/tiles/{mode} rows {TILES[dims['m'] > config.rows]} columns {TILES[dims['n'] > config.cols]}"
    sizes = {"m": config.rows, "n": config.cols, "k": config.cols}
    rest = {name: REST[dims[name] % of > 0] for name, of in sizes.items()}
    yield f"matrix/rest/{mode} " + " ".join(f"{name} {part}" for name, part in rest.items())
    last = fields["const"] + (1 if fields["uniform"] else dims["n"])
    if fields["const"] == 0:
        yield "matrix/constant/first"
    if last == config.cmem_depth:
        yield "matrix/constant/last uniform" if fields["uniform"] else "matrix/constant/last"


def bounds(zp: int, lo: int, hi: int) -> str:
    """The class of a clamp."""
    if lo >= hi:
        return "one value" if lo == hi else "crossed"
    return "full" if (lo, hi) == (-128, 127) else "relu" if (lo, hi) == (zp, 127) else "narrow"


def _softmax(resolved: Resolved, config: Config) -> Iterator[str]:
    fields, dims = resolved.instruction.fields, resolved.dims
    norm, step = fields["norm"], fields["step"]
    yield f"softmax/rows/norm {norm} step {step if step < 2 else 'more'} {TILES[dims['rows'] > 1]}"
    for row in range(min(dims["rows"], 2 * config.rows)):
        length = dims["len"] + row * step
        if length == dims["n"]:
            yield f"softmax/length/norm {norm} whole row"
        rest = "words" if length % config.cols == 0 else "part of a word" if length > config.cols else "below a word"
        yield f"softmax/length/norm {norm} {'one' if length == 1 else rest}"


def field_bins(context: Context) -> Bins:
    """The fields of an instruction that works."""
    resolved, op = context.resolved, context.op
    if resolved.op is None:
        return frozenset()
    fields, bins = resolved.instruction.fields, set()
    for name, values in LISTS.numbers.items():
        of, _, field = name.partition(" ")
        if of == op and (field != "mb" or fields["second"]):
            known = next((key for key, one in values.items() if one == fields[field]), OTHER)
            bins.add(f"number/value/{name} {known}")
    if op in ("MM", "VEC"):
        bins.add(f"number/bounds/{op} {bounds(fields['zp'], fields['lo'], fields['hi'])}")
    if op == "MM":
        bins |= set(_matrix(resolved, context.config))
    elif op == "SM":
        bins |= set(_softmax(resolved, context.config))
    elif op == "VEC":
        bins.add(f"number/second/VEC {'two' if fields['second'] else 'one'}")
    elif op == "LDG":
        limit = fields["limit"]
        bins.add(f"gather/limit/{'1' if limit == 1 else 'some' if limit < 256 else LIMITS[-1]}")
    return frozenset(bins)
