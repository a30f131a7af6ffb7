# SPDX-License-Identifier: Apache-2.0
"""What happened in a block, in lines for a reader, and what is wrong with it."""

from collections.abc import Sequence

from ga2.spec import ISA
from ga2.waves.capture import Capture
from ga2.waves.dump import Dump
from ga2.waves.expected import ExpectedBlock

RECENT = 16  # tokens committed before the block that are named
BLOCK_FACTS = 6  # the lines about the block; those about its programs follow


def _listed(tokens: Sequence[int]) -> str:
    return " ".join(map(str, tokens)) or "none"


def facts(captured: Capture, dump: Dump) -> list[str]:
    """The block as the golden model decodes it, and the programs that the core ran, with their cycles in the dump."""
    expected = captured.expected
    block = expected.block
    lines = [
        f"block {expected.number} of {expected.blocks}: LEN = {expected.length}, M = {expected.m}",
        f"committed before   {'... ' * (len(expected.before) > RECENT)}{_listed(expected.before[-RECENT:])}",
        f"guesses            {_listed(block.guesses)}   (the draft's, after {block.last})",
        f"target's choices   {_listed(block.choices)}   (after each of {_listed(block.rows)})",
        f"accepted           {block.accepted} of {len(block.guesses)}",
        f"tokens emitted     {_listed(block.emitted)}",
    ]
    first = captured.programs[0]["result"]["start_cycle"] if captured.programs else 0
    for program in captured.programs:
        start, irq = (program["result"][name] - first for name in ("start_cycle", "irq_cycle"))
        total = program["result"]["counters"]["total"]
        lines.append(f"cycles {start:5} to {irq:5}  {program['title']} ({program['entry']}): {total} cycles")
    lines.append(f"dumped             {dump.cycles()} cycles, from {dump.start // 1000} ns to {dump.end // 1000} ns")
    return lines


def run_problems(captured: Capture) -> list[str]:
    """What went wrong in the run: why it stopped, the first difference from the golden model, and where from."""
    found = []
    if captured.error is not None:
        found.append(captured.error)
    right = [*captured.expected.before, *captured.expected.block.emitted]
    if captured.tokens and captured.tokens != right[: len(captured.tokens)]:
        found.append(f"the core decoded {_listed(captured.tokens)}, the golden model {_listed(right)}")
    if captured.difference is not None:
        found.append(f"differs from golden: {captured.difference}")
    if captured.blame is not None:
        pc, byte = captured.blame
        found.append(f"the first wrong bytes come from the instruction at pc {pc}, {captured.texts.get(pc)}: {byte}")
    return found


def problems(captured: Capture, dump: Dump) -> list[str]:
    """Every way in which the dumped block is not the golden model's, one line each; none if it is."""
    return run_problems(captured) + retirement_problems(captured.expected, dump)


def retirement_problems(expected: ExpectedBlock, dump: Dump) -> list[str]:
    """The first instruction of the dump that is another one, or retires in another cycle, than it should."""
    seen = iter(dump.retirements())
    starts = dump.rises("ga2_tb.dut.start")
    if len(starts) != len(expected.programs):
        return [f"{len(starts)} programs were started in the dump, expected {len(expected.programs)}"]
    for number, (start, program) in enumerate(zip(starts, expected.programs, strict=True), 1):
        line = program.timeline
        cycles = [*(event.freed for event in line.events), line.finish]
        for resolved, cycle in zip(program.resolved, cycles, strict=True):
            retired = next(seen, None)
            what = f"program {number} of the block ({program.run.entry}), pc {resolved.pc}"
            if retired is None:
                return [f"{what}: the dump has no retirement of it"]
            if (retired.pc, retired.cycle - start) != (resolved.pc, cycle):
                kind = f"fault {ISA.fault_by_code[retired.fault].name} at" if retired.fault else f"{retired.text},"
                return [
                    f"{what}: retires in cycle {cycle} by the timing model; the dump has {kind} pc {retired.pc} "
                    f"in cycle {retired.cycle - start}"
                ]
    return [f"retirement of pc {extra.pc} beyond the block's programs" for extra in list(seen)[:1]]
