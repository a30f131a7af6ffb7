# SPDX-License-Identifier: Apache-2.0
"""What must hold of a compiled recipe on the golden model, in every run.

- `capra.interpret` and the second interpreter agree on every tensor;
- every tensor that the program made equals theirs, and every output;
- nothing is read that was not written;
- with a buffer of its own for every tensor, the same;
- the graph, and what fusion made of it, mean in real numbers what the recipe means;
- bytes lie as near to the real values as derived bounds say, and outputs within a relative error of 0.40;
- compiled without fusing prefix slices into a causal block, the same bytes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capra import FusionOptions, compile_graphs, evaluate, interpret
from capra.execute import Execution, Machine
from ga2.slices.bounds import Bounds, hidden, violations
from ga2.slices.build import PROGRAM
from ga2.slices.meaning import mean
from ga2.slices.recipe import Run
from ga2.slices.scalar import interpret_again
from ga2.slices.subject import Subject
from ga2.slices.unshared import unshared, with_room

FLOAT_ERROR = 0.40
FLOAT_FLOOR = 8
"""Steps: a tensor whose root mean square is less has no relative error to speak of."""
Expected = Mapping[str, NDArray]


@dataclass(frozen=True)
class Verdict:
    """What is wrong, a line each; the largest relative error of an output against real arithmetic."""

    problems: tuple[str, ...]
    float_error: float


def check(subject: Subject) -> Verdict:
    """The whole battery, runs in order on one machine without a reset between them."""
    machine = Machine(subject.model)
    apart = Machine(unshared(subject.model, subject.program))
    problems: list[str] = []
    worst = 0.0
    for run in subject.recipe.runs:
        expected = expected_tensors(subject, run)
        found = list(interpreters(subject, run, expected))
        found += program(machine, subject, run, expected)
        found += [f"without reuse: {problem}" for problem in program(apart, subject, run, expected)]
        found += meanings(subject, run)
        found += near_real(subject, run, expected)
        worst = max(worst, relative_error(subject, run, expected))
        problems += [f"LEN={run.length} M={run.m}: {problem}" for problem in found]
    if worst >= FLOAT_ERROR:
        problems.append(f"an output's relative error against real arithmetic is {worst:.3f}")
    return Verdict((*problems, *same_without_blocks(subject)), worst)


def expected_tensors(subject: Subject, run: Run) -> Expected:
    """Every tensor as the compiler's interpreter has it."""
    return interpret(subject.program.graph, subject.model.spec, subject.bytes_of(run), run.length, run.m)


def interpreters(subject: Subject, run: Run, expected: Expected) -> Iterator[str]:
    """Where the second interpreter differs."""
    again = interpret_again(subject.program.graph, subject.model.spec, subject.bytes_of(run), run.length, run.m)
    for name, values in again.items():
        if not np.array_equal(values, expected[name]):
            yield f"{name}: the interpreters differ{first_difference(values, expected[name])}"


def program(machine: Machine, subject: Subject, run: Run, expected: Expected) -> Iterator[str]:
    """Where the program differs from the interpreter: tensors read back, outputs, undefined reads, faults."""
    try:
        execution: Execution = machine.run(PROGRAM, subject.bytes_of(run), run.length, run.m)
    except RuntimeError as error:
        yield f"{error}"
        return
    except KeyError as error:
        yield f"word {error} of a tensor was not written by who makes it"
        return
    for name, values in execution.tensors.items():
        if not np.array_equal(values, expected[name]):
            yield f"{name}: read back{first_difference(values, expected[name])}"
    for output in subject.program.graph.outputs:
        if not np.array_equal(execution.outputs[output.name], expected[output.node.name]):
            yield f"{output.name}: stored{first_difference(execution.outputs[output.name], expected[output.node.name])}"
    if machine.core.undefined_reads:
        yield f"reads words that nothing wrote: {machine.core.undefined_reads[0]}"
        machine.core.undefined_reads.clear()


def meanings(subject: Subject, run: Run) -> Iterator[str]:
    """Tensors that the graph, or its fused form, computes otherwise than the recipe says, in real numbers."""
    meant = mean(subject.recipe, subject.inputs[run], run)
    fused = evaluate(subject.program.graph, subject.inputs[run], run.length, run.m)
    for what, values in (("graph", subject.real[run]), ("fused graph", fused)):
        for name in values.keys() & meant.keys():
            # The sum of another order may break a tie of an argmax, which tests of bytes alone can judge.
            if "argmax" not in name and not _close(values[name], meant[name]):
                yield f"{name}: the {what} means something else than the recipe"


def _close(one: NDArray, other: NDArray) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-9))


def near_real(subject: Subject, run: Run, expected: Expected) -> Iterator[str]:
    """Tensors farther from real arithmetic than their bounds, and choices that no rounding explains."""
    graph, spec = subject.program.graph, subject.model.spec
    real = evaluate(graph, subject.inputs[run], run.length, run.m)
    bounds = Bounds(graph, spec, real, run.length, run.m)
    for node in graph.nodes:
        if node.op == "argmax":
            source = node.inputs[0]
            rows, chosen = np.arange(len(real[source.name])), expected[node.name].ravel()
            lowest = real[source.name] - bounds.of(source)
            if (real[source.name][rows, chosen] + bounds.of(source)[rows, chosen] < lowest.max(axis=1) - 1e-9).any():
                yield f"{node.name}: chooses what is not the largest of {source.name}"
        elif node.name in expected and node.kind != "ids":
            bound = np.where(hidden(graph, node, run.length, run.m), np.inf, bounds.of(node))
            found = violations(node, spec, expected[node.name], real[node.name], bound)
            if found:
                yield f"{node.name}: {found}"


def relative_error(subject: Subject, run: Run, expected: Expected) -> float:
    """The largest ||bytes - real|| / ||real|| of an output."""
    worst = 0.0
    for output in subject.program.graph.outputs:
        node = output.node
        if node.op in ("argmax", "softmax"):
            continue
        real = subject.real[run][node.name]
        step = subject.model.spec.scale(node.role)
        floor = FLOAT_FLOOR * step * np.sqrt(real.size)
        error = np.linalg.norm(expected[node.name] * step - real)
        worst = max(worst, float(error / max(np.linalg.norm(real), floor)))
    return worst


def same_without_blocks(subject: Subject) -> Iterator[str]:
    """Where prefix slices in a causal block store other bytes than slice by slice.

    Slice by slice more is alive at once than may fit: that program gets a larger scratchpad.
    """
    if not any(node.op == "softmax" and node.name.endswith(".softmax") for node in subject.program.graph.nodes):
        return
    roomy = with_room(subject.model.config, subject.model.config.banks)
    sliced = compile_graphs(roomy, [subject.graph], ranges_of(subject), FusionOptions(causal=False), tuned=False)
    for run in subject.recipe.runs:
        outputs = [Machine(model).run(PROGRAM, subject.bytes_of(run), run.length, run.m).outputs
                   for model in (subject.model, sliced)]  # fmt: skip
        for name, values in outputs[0].items():
            if not np.array_equal(values, outputs[1][name]):
                difference = first_difference(values, outputs[1][name])
                yield f"LEN={run.length} M={run.m}: {name}: the causal block{difference}"


def ranges_of(subject: Subject) -> dict[str, float]:
    """The calibrated magnitudes, from the scales."""
    return {role: scale * 127 for role, scale in subject.model.spec.scales.items()}


def first_difference(found: NDArray, expected: NDArray) -> str:
    """`[row, col] is this, not that`, or the shapes."""
    if found.shape != expected.shape:
        return f" has shape {found.shape}, not {expected.shape}"
    at = tuple(int(index[0]) for index in np.nonzero(found != expected))
    return f" {list(at)} is {found[at]}, not {expected[at]}"
