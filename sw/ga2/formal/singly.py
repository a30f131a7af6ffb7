# SPDX-License-Identifier: Apache-2.0
"""Induction over all properties at once, proved one property at a time.

The step of an induction says: where every property held in one cycle, each holds in the next. Asked for all of them
together, a solver has to look through every part of a design in one search. Asked for each alone, it has a small one.
Properties are taken in turn, invariants (`inv_...`) first, and whoever is proved may be used in the same cycle by those
that follow.
"""

import re
from collections.abc import Iterator

_ASSERT = re.compile(r"^; yosys-smt2-assert (\d+) (\S+)", re.MULTILINE)


def goals(model: str, top: str) -> Iterator[tuple[str, str]]:
    """Of each property its name and the SMT-LIB text of a model in which it alone has to be proved."""
    changed = model
    for part in ("a", "t"):
        changed = changed.replace(f"(define-fun |{top}_{part}| (", f"(define-fun |{top}_every_{part}| (")
    found = [(int(number), name) for number, name in _ASSERT.findall(model)]
    found.sort(key=lambda each: "inv_" not in each[1])  # stable: otherwise in the order of the model
    for place, (number, name) in enumerate(found):
        proved = " ".join(f"(|{top}_a {before}| next_state)" for before, _ in found[:place])
        yield name, (
            f"{changed}"
            f"(define-fun |{top}_a| ((state |{top}_s|)) Bool (|{top}_a {number}| state))\n"
            f"(define-fun |{top}_t| ((state |{top}_s|) (next_state |{top}_s|)) Bool "
            f"(and (|{top}_every_t| state next_state) (|{top}_every_a| state) {proved}))\n"
        )
