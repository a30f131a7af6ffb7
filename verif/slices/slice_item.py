# SPDX-License-Identifier: Apache-2.0
"""One run of a compiled graph, with what its interpreter says must lie where in the end."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capra.execute import Execution, Machine, sources
from capra.node import Node
from capra.shapes import is_ids
from ga2.isa.image import Image
from ga2.slices.battery import Expected, expected_tensors
from ga2.slices.build import PROGRAM
from ga2.slices.recipe import Run
from ga2.slices.subject import Subject
from verif.env.program_item import ProgramItem
from verif.programs.program import ENTRY, IMAGE_ADDRESS, Program


@dataclass(frozen=True)
class Region:
    """Bytes that must lie at an address of external memory, or of the scratchpad."""

    what: str
    scratchpad: bool
    address: int
    data: bytes


class SliceItem(ProgramItem):
    """A run. `regions`: every output, and every tensor that nothing has overwritten by the end of the program."""

    def __init__(self, program: Program, subject: Subject, run: Run) -> None:
        super().__init__(program)
        self.set_name(f"{program.name}, LEN={run.length} M={run.m}")
        self.facts = subject.facts(run)
        self.regions = list(regions(subject, run))


def program_of(subject: Subject, run: Run, name: str) -> Program:
    """The form in which the benches run it."""
    model, inputs = subject.model, subject.program.inputs
    image = Image(model.image.config, model.image.instructions, model.image.constants, {ENTRY: subject.program.entry})
    assert model.image_address == IMAGE_ADDRESS
    memory = dict(model.memory)
    memory |= {inputs[key].address: data for key, values in subject.bytes_of(run).items()
               if (data := inputs[key].pack(values))}  # fmt: skip
    return Program(subject.recipe.seed, image, memory, model.windows, run.length, run.m, name)


def regions(subject: Subject, run: Run) -> Iterator[Region]:
    """Where the interpreter's bytes must lie when the program has ended.

    The golden model says which tensors are still whole then, not what is in them.
    """
    expected = expected_tensors(subject, run)
    execution = Machine(subject.model).run(PROGRAM, subject.bytes_of(run), run.length, run.m)
    yield from stored(subject, run, expected)
    for node in whole_at_the_end(subject, execution, run):
        yield from kept(subject, run, node, expected[node.name])


def stored(subject: Subject, run: Run, expected: Expected) -> Iterator[Region]:
    """Every output in external memory."""
    for output in subject.program.graph.outputs:
        symbol = subject.program.outputs[output.name]
        first = run.length if output.cache else 0
        data = symbol.pack(expected[output.node.name])
        yield Region(f"output {output.name}", False, symbol.address + first * symbol.pitch, data)


def whole_at_the_end(subject: Subject, execution: Execution, run: Run) -> Iterator[Node]:
    """Tensors in the scratchpad whose every word was last written by who made them."""
    program = subject.program
    last: dict[int, str] = {}
    for retired in execution.outcome.retirements:
        if retired.writes:
            last |= dict.fromkeys(retired.writes.words, program.ops[retired.pc - program.entry].node)
    for node in program.graph.nodes:
        if node.name in program.placement.places:
            makers = {source.name for source in sources(node)}
            if all(last.get(word) in makers for words in rows_of(subject, run, node) for word in words):
                yield node


def rows_of(subject: Subject, run: Run, node: Node) -> list[range]:
    """The scratchpad words of each row of a tensor."""
    program, cols = subject.program, subject.model.config.cols
    place, (rows, columns) = program.placement.of(node), node.shape.at(run.length, run.m)
    base = program.addresses[place.buffer] + place.row.at(run.length, run.m) * place.pitch
    words = 1 if is_ids(node) else -(-columns // cols)
    return [range(base + row * place.pitch, base + row * place.pitch + words) for row in range(rows)]


def kept(subject: Subject, run: Run, node: Node, values: NDArray) -> Iterator[Region]:
    """A tensor's rows in the scratchpad, zero padded to whole words."""
    cols = subject.model.config.cols
    raw = np.ascontiguousarray(values.astype("<u4") if is_ids(node) else values).view(np.uint8)
    for words, row in zip(rows_of(subject, run, node), raw, strict=True):
        data = row.tobytes().ljust(len(words) * cols, b"\0")
        yield Region(f"{node.op} {node.name}", True, words.start * cols, data)
