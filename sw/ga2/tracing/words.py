# SPDX-License-Identifier: Apache-2.0
"""A trace in words and tables, as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ga2.spec import COUNTERS

KINDS = {"total": "in all", "busy": "busy, may overlap", "partition": "exclusive", "event": "events"}
LOST = "-"


def block_words(number: int, block: Mapping[str, Any]) -> str:
    """What one block did, in a sentence."""
    guesses, accepted = block["guesses"], block["accepted"]
    said = f"block {number}: after {block['last']} the draft guesses {', '.join(map(str, guesses))}; "
    if accepted == len(guesses):
        return said + f"all are agreed, and {block['free']} comes free"
    which = f"guess {accepted + 1}, {guesses[accepted]}, is wrong"
    before = "" if accepted == 0 else f"{accepted} agreed, "
    return said + f"{before}{which}: the target says {block['free']}, which comes free"


def table(rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Columns as wide as their widest entry; numbers to the right."""
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    for line, row in zip(cells, rows, strict=True):
        columns = zip(line, widths, row, strict=True)
        yield "  " + "  ".join(c.rjust(w) if isinstance(raw, int) else c.ljust(w) for c, w, raw in columns).rstrip()


def blocks(found: Mapping[str, Any]) -> Iterator[str]:
    """Every block in words and in a table, beside float where that went another way."""
    yield from (block_words(number, block) for number, block in enumerate(found["blocks"], 1))
    yield ""
    header: list[object] = ["block", "LEN", "guesses", "choices", "agreed", "free", "cycles to guess", "to verify"]
    rows = [header]
    for number, block in enumerate(found["blocks"], 1):
        rows.append([number, block["length"], " ".join(map(str, block["guesses"])),
                     " ".join(map(str, block["choices"])), block["accepted"], block["free"], block["draft_cycles"],
                     block["verify_cycles"]])  # fmt: skip
    yield from table(rows)
    own = [[block["guesses"], block["choices"]] for block in found["blocks"]]
    other = [[block["guesses"], block["choices"]] for block in found["float"]]
    if own != other:
        first = next(at for at, pair in enumerate(zip(own, other, strict=True)) if pair[0] != pair[1])
        yield ""
        yield f"in float, where block {first + 1} is the first that differs (int8 logits may tie where float's do not):"
        yield from (f"  {block_words(number, block)}" for number, block in enumerate(found["float"], 1))


def anatomy(found: Mapping[str, Any]) -> Iterator[str]:
    """One verifier program beside one-row steps over the same positions."""
    seen = found["anatomy"]
    one, many = seen["verifier"], seen["steps"]
    rows = len(seen["tokens"])
    yield (f"the verifier of block {len(found['blocks'])} on rows {' '.join(map(str, seen['tokens']))}, "
           f"LEN = {seen['length']}, beside {rows} one-row steps over the same positions:")  # fmt: skip
    lines: list[list[object]] = [["", "one pass", f"{rows} steps", "steps / pass"]]
    for opcode in sorted({*one["opcodes"], *many["opcodes"]}):
        lines.append(_pair(f"{opcode} instructions", one["opcodes"].get(opcode, 0), many["opcodes"].get(opcode, 0)))
    for name in ("loaded", "stored"):
        lines.append(_pair(f"words {name}", one["words"][name], many["words"][name]))
    for counter in COUNTERS:
        title = f"{counter.name} ({KINDS[counter.kind]})"
        lines.append(_pair(title, one["counters"][counter.name], many["counters"][counter.name]))
    yield from table(lines)


def _pair(title: str, one: int, many: int) -> list[object]:
    return [title, one, many, f"{many / one:.2f}" if one else LOST]


def causality(found: Mapping[str, Any]) -> Iterator[str]:
    """Which rows of the logits differ, in integers."""
    seen = found["causality"]
    base, *others = seen["blocks"]
    yield f"causality: rows of int8 logits that differ from those of block {base}, cache {seen['cache']}, sharp target:"
    for block, changed in zip(others, seen["changed"], strict=True):
        first = next(at for at, pair in enumerate(zip(base, block, strict=True)) if pair[0] != pair[1])
        same = f"rows 0 to {first - 1} bit for bit the same" if first else "no row can be the same"
        yield f"  {block}: token {first} is another; rows {changed} differ, {same}"


def masks(found: Mapping[str, Any]) -> Iterator[str]:
    """How many keys each row saw."""
    yield "keys that each row sees, of the cache and the block:"
    for mask in found["masks"]:
        yield f"  M = {mask['m']}, LEN = {mask['length']}: {' '.join(map(str, mask['seen']))}"


def problems(found: Mapping[str, Any]) -> list[str]:
    """What a trace must not show: rows that see a later token, attention beyond the mask, bytes that differ."""
    wrong = [] if found["difference"] is None else [f"differs from golden: {found['difference']}"]
    base, *others = found["causality"]["blocks"]
    for block, changed in zip(others, found["causality"]["changed"], strict=True):
        first = next(at for at, pair in enumerate(zip(base, block, strict=True)) if pair[0] != pair[1])
        if changed != list(range(first, len(base))):
            wrong.append(f"block {block}: rows {changed} differ, expected {list(range(first, len(base)))}")
    for mask in found["masks"]:
        where = f"mask of M = {mask['m']}, LEN = {mask['length']}"
        if mask["seen"] != [mask["length"] + row + 1 for row in range(mask["m"])]:
            wrong.append(f"{where}: the rows see {mask['seen']} keys")
        for row, (seen, attention) in enumerate(zip(mask["seen"], mask["bytes"], strict=True)):
            if any(attention[seen:]):
                wrong.append(f"{where}: row {row} attends beyond its {seen} keys")
    return wrong


def text(found: Mapping[str, Any]) -> str:
    """The whole trace."""
    wanted = found["wanted"]
    seed = "" if wanted["target"] == "structured" else f" of seed {wanted['target_seed']}"
    where = f"{found['config']}, {found['on']}"
    title = f"{where}: {wanted['target']} target{seed}, k = {wanted['k']}, from token {wanted['start']}"
    parts = (blocks(found), anatomy(found), causality(found), masks(found))
    return "\n\n".join([title, *("\n".join(part) for part in parts)]) + "\n"
