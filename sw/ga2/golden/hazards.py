# SPDX-License-Identifier: Apache-2.0
"""Which instruction must wait for which: the window's dependency rules over resolved operations."""

from collections.abc import Iterable

from ga2.golden.resolve import Access, Resolved, overlaps

MATRIX = "matrix"


def _any_overlap(some: Iterable[Access], others: tuple[Access, ...]) -> bool:
    return any(overlaps(one, other) for one in some for other in others)


def _banks(accesses: Iterable[Access]) -> int:
    mask = 0
    for access in accesses:
        mask |= access.banks
    return mask


def reads_after_writes(new: Resolved, old: Resolved) -> bool:
    """Whether `new` reads something, in the scratchpad or outside, that `old` writes."""
    external = new.ext and old.ext and old.ext.write and not new.ext.write and overlaps(new.ext, old.ext)
    return bool(external) or _any_overlap(new.reads, old.writes)


def writes_collide(new: Resolved, old: Resolved) -> bool:
    """Whether `new` writes something that `old` reads or writes."""
    external = new.ext and old.ext and new.ext.write and overlaps(new.ext, old.ext)
    return bool(external) or _any_overlap(new.writes, old.operands)


def ports_collide(new: Resolved, old: Resolved) -> bool:
    """Whether both claim the read port, or both the write port, of one bank."""
    return bool(_banks(new.reads) & _banks(old.reads) or _banks(new.writes) & _banks(old.writes))


def drain_collides(new: Resolved, old: Resolved) -> bool:
    """Whether the older product's drain reads a bank from which the newer one streams: both on the matrix unit."""
    streams = (access for access in new.reads if access.name in ("left", "right"))
    aux = old.operand("aux")
    return aux is not None and bool(aux.banks & _banks(streams))


def depends(new: Resolved, old: Resolved) -> bool:
    """Whether `new` may start only after `old`, an older instruction in flight, has finished."""
    if reads_after_writes(new, old):
        return True
    if new.unit != old.unit:
        return writes_collide(new, old) or ports_collide(new, old)
    return new.unit == MATRIX and drain_collides(new, old)
