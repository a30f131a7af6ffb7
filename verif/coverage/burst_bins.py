# SPDX-License-Identifier: Apache-2.0
"""Bins of bursts: where a row begins in its page, how long it is, and whether it meets the 4 KiB boundary.

Which of these can occur together follows from the configurations: all are tried.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from ga2.golden.operations import Op
from ga2.golden.resolve import GATHER_PITCH_MAX
from ga2.spec import CONFIG_NAMES, ISA, Config, load_config
from ga2.timing.bursts import BURST_BEATS, PAGE_BYTES
from ga2.timing.ops import LdOp, StOp
from verif.coverage.context import OPERATIONS, Bins, Context

WINDOWS = 4
ROWS_SAMPLED = 64  # of a transfer: later rows repeat the classes


def row_class(config: Config, address: int, words: int) -> str:
    """One row of `words` words from byte `address`: where it begins, its beats, and the 4 KiB boundary."""
    beats, offset = words * config.beats_per_word, address % PAGE_BYTES
    end = offset + words * config.cols
    start = "page start" if offset == 0 else "page's last word" if offset == PAGE_BYTES - config.cols else "within"
    against = "short" if beats < BURST_BEATS else "full burst" if beats == BURST_BEATS else "long"
    length = "1 word" if words == 1 else against
    crossed = (end - 1) // PAGE_BYTES
    boundary = "at" if end % PAGE_BYTES == 0 and crossed == 0 else ("before", "across", "across two")[min(crossed, 2)]
    return f"{start}, {length}, {boundary}"


def examples(op: str, config: Config) -> dict[str, tuple[int, int]]:
    """Every class that a row can have in a configuration, with a row of it: its first word in a page, its words."""
    found: dict[str, tuple[int, int]] = {}
    page, burst = PAGE_BYTES // config.cols, BURST_BEATS // config.beats_per_word
    starts = {0, 1, 2, page // 2, page - burst, page - 2, page - 1} - {page}
    lengths = {1, 2, *(size + more for size in (burst, page, 2 * page) for more in (-1, 0, 1, 2))}
    lengths |= {page - start for start in starts}
    for start, words in product(sorted(starts), sorted(lengths)):
        aligned = words <= GATHER_PITCH_MAX // config.cols and start % (1 << (words - 1).bit_length()) == 0
        if words < config.spad_words and (op != "LDG" or aligned):
            found.setdefault(row_class(config, start * config.cols, words), (start, words))
    return found


@lru_cache
def possible(op: str) -> tuple[str, ...]:
    """Every class that a row of an opcode can have in some configuration."""
    return tuple(dict.fromkeys(name for config in CONFIG_NAMES for name in examples(op, load_config(config))))


TRANSFERS = tuple(op for op in OPERATIONS if any(field.kind == "ext" for field in ISA.instructions[op].fields))
WRITING = tuple(op for op in TRANSFERS if ISA.instructions[op].field("ext").access == "write")

POINTS: dict[str, tuple[str, ...]] = {
    "burst/row": tuple(f"{op} {name}" for op in TRANSFERS for name in possible(op)),
    "burst/pitch": tuple(
        f"{op} {pitch}"
        for op in TRANSFERS
        for pitch in (("tight", "loose") if op == "LDG" else ("zero", "below", "tight", "loose"))
    ),
    "burst/merged": tuple(op for op in TRANSFERS if op != "LDG"),
    "burst/window": tuple(f"{op} {window}" for op in TRANSFERS for window in range(WINDOWS)),
}


def rows(op: Op) -> Iterator[tuple[int, int]]:
    """(byte address, words) of the rows of a transfer; which rows a gather takes is for its ids to say."""
    if isinstance(op, StOp) or (isinstance(op, LdOp) and not op.gather):
        for row in range(min(op.rows, ROWS_SAMPLED)):
            yield op.ext_addr + row * op.ext_pitch_bytes, op.words


def burst_bins(context: Context) -> Bins:
    """The rows that a load or store moves."""
    resolved, op = context.resolved, context.op
    if op not in TRANSFERS or resolved.op is None:
        return frozenset()
    ext, dims = resolved.instruction.fields["ext"], resolved.dims
    bins = {f"burst/row/{op} {row_class(context.config, *row)}" for row in rows(resolved.op)}
    bins.add(f"burst/window/{op} {ext.win}")
    if dims["rows"] > 1:
        words = dims["words"]
        against = "below" if ext.pitch < words else "tight" if ext.pitch == words else "loose"
        pitch = "zero" if ext.pitch == 0 else against
        bins.add(f"burst/pitch/{op} {pitch}")
        if op != "LDG" and isinstance(resolved.op, LdOp | StOp) and resolved.op.rows == 1:
            bins.add(f"burst/merged/{op}")
    return frozenset(bins)
