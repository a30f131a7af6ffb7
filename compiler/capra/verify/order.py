# SPDX-License-Identifier: Apache-2.0
"""The schedule: nothing lost, nothing before what it needs."""

from collections.abc import Sequence

from capra.lower import Lowered
from capra.ops import Op
from capra.verify.errors import require


def verify_order(program: Sequence[Op], lowered: Lowered) -> None:
    """Every operation is there once, after all that it depends on."""
    position = {op: index for index, op in enumerate(program)}
    require(len(position) == len(program) == len(lowered.ops), "the schedule lost or repeated an operation")
    for op, earlier in lowered.after.items():
        require(op in position, f"{op.node}: {op.opcode} is not in the schedule")
        for before in earlier:
            what = f"{op.node}: {op.opcode} comes before {before.opcode} {before.node}"
            require(before in position and position[before] < position[op], what)
