# SPDX-License-Identifier: Apache-2.0
"""Instructions: they decode to what was meant, and dispatch finds their operands where the operations say."""

from collections.abc import Iterator, Mapping, Sequence

from capra.layout import Layout, place_windows
from capra.ops import Op
from capra.place import Buffer
from capra.verify.errors import require
from ga2.device.protocol import FaultReport
from ga2.golden.resolve import Resolved, State, resolve
from ga2.isa.encoding import Constant, Instruction, encode
from ga2.spec import Config

HOST_FAULTS = ("window",)
"""What a run with a LEN and M that the graph's own sizes do not allow for ends in."""


def verify_emission(program: Sequence[Op], instructions: Sequence[Instruction], addresses: Mapping[str, int],
                    buffers: Mapping[str, Buffer], constants: Sequence[Constant], layout: Layout,
                    config: Config) -> None:  # fmt: skip
    """One instruction an operation and HALT at the end; at the least and the largest LEN and M none is a fault, and
    each operand starts at its row and stays in its buffer."""
    code = [encode(instruction) for instruction in instructions]
    require(len(code) == len(program) + 1, f"{len(code)} instructions of {len(program)} operations")
    require(instructions[-1].op == "HALT", "no HALT at the end")
    for op, instruction in zip(program, instructions, strict=False):
        require(op.opcode == instruction.op, f"{op.node}: {op.opcode} became {instruction.op}")
    windows = place_windows(layout, config, 0)
    for state in _corners(config):
        for pc, op in enumerate(program):
            found = resolve(code[pc], pc, config, State(state.length, state.m, windows))
            if isinstance(found, FaultReport):
                host = found.name in HOST_FAULTS
                require(host, f"{op.node}: {op.opcode} is a fault, {found.name}, at LEN={state.length} M={state.m}")
            else:
                _verify_operands(op, found, state, addresses, buffers, config)
    for op, instruction in zip(program, instructions, strict=False):
        if op.constants:
            at = instruction.fields["const"]
            there = tuple(constants[at : at + len(op.constants)])
            require(there == op.constants, f"{op.node}: its constants are not at {at}")


def _corners(config: Config) -> Iterator[State]:
    """Sizes are affine: what holds at the ends of LEN and M holds between them."""
    for m in (1, config.m_max):
        for length in (0, config.max_len - m):
            yield State(length, m)


def _verify_operands(op: Op, found: Resolved, state: State, addresses: Mapping[str, int],
                     buffers: Mapping[str, Buffer], config: Config) -> None:  # fmt: skip
    for name, size in op.dims.items():
        at = size.at(state.length, state.m)
        require(found.dims[name] == at, f"{op.node}: {op.opcode} {name} is {found.dims[name]}, not {at}")
    for access in found.operands:
        ref = op.operands[access.name]
        base = addresses[ref.buffer]
        start = base + ref.row.at(state.length, state.m) * ref.pitch + ref.word
        what = f"{op.node}: {op.opcode} {access.name} at LEN={state.length} M={state.m}"
        require((access.start, access.pitch) == (start, ref.pitch), f"{what} starts at {access.start}, not {start}")
        end = base + buffers[ref.buffer].words(config.max_len, config.m_max)
        require(base <= access.lo and access.hi <= end, f"{what} leaves {ref.buffer}")
