# SPDX-License-Identifier: Apache-2.0
"""Running a proof: Yosys writes the design as SMT-LIB, yosys-smtbmc and a solver do the rest.

Everything stays in `folder(name)`: the model, a log for each part, and a trace (VCD) of what failed or was covered.
"""

import os
import re
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ga2.formal import child, products, singly
from ga2.formal.table import Fault, Proof
from ga2.sim.build import build_root
from ga2.sim.errors import BuildError, tail
from ga2.sim.process import supervise
from ga2.sim.sources import ROOT
from ga2.synth import child as yosys

Report = Callable[[str], None]  # receives what is under way
LIMIT = 1800  # seconds for one part of a proof

_STEP = re.compile(r"(?:Checking \w+(?: reachability)?|Trying induction) in step (\d+)\.\.")
_FAILED = re.compile(r"Assert failed in \S+: (\S+)")
_REACHED = re.compile(r"Reached cover statement in step (\d+) at \S+: (\S+)")
_UNREACHED = re.compile(r"Unreached cover statement at \S+: (\S+)")
_STATUS = re.compile(r"Status: (\w+)")
_CELLS = re.compile(r"^ +(\d+) +\$(assert|cover)$", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """One run of the solver: `what` was tried, how it ended, in which step, and where its trace and log lie."""

    what: str
    passed: bool
    step: int
    problems: tuple[str, ...]
    trace: Path | None
    log: Path


@dataclass(frozen=True)
class Outcome:
    """What became of a proof or of a broken copy."""

    name: str
    seconds: float
    asserts: int
    covers: int
    parts: tuple[Part, ...] = field(default=())

    @property
    def failed(self) -> list[Part]:
        """The parts that did not succeed."""
        return [part for part in self.parts if not part.passed]

    @property
    def passed(self) -> bool:
        """True when every part succeeded."""
        return not self.failed


def folder(name: str) -> Path:
    """Where everything about the last run of a proof lies."""
    return build_root() / "formal" / name


_REMOVED = {"all": [], "properties": ["chformal -assert -remove c:*inv_*"], "covers": ["chformal -assert -remove"]}


def passes(proof: Proof, sources: Sequence[Path], model: Path, keep: str) -> list[str]:
    """The Yosys passes that write the SMT-LIB model of what is kept, and of the logic that it depends on.

    keep: `all`, `properties` (no invariants), `covers`, or one property's name.
    """
    removed = _REMOVED.get(keep, [f"select -assert-any c:*{keep}*", f"chformal -assert -remove c:* c:*{keep}* %d"])
    sizes = " ".join(f"-G {name}={value}" for name, value in proof.parameters.items())
    files = " ".join(os.path.relpath(path, ROOT) for path in sources)
    return [
        f"read_slang -D SYNTHESIS --top {proof.top} {sizes} {files}",
        "hierarchy -check",
        "proc",
        "flatten",
        *(f"cutpoint w:{signal}" for signal in proof.cut),
        *(f"select -assert-any w:{signal}" for signal in proof.cut),
        *removed,
        "opt_clean",
        "async2sync",
        "chformal -lower",
        "chformal -assume -early",
        "memory_nordff",
        "opt_clean",
        "formalff -setundef -clk2ff -ff2anyinit -hierarchy",
        "opt -fast",
        "dffunmap",
        "hierarchy -smtcheck",
        "stat",
        f'write_smt2 -wires "{model}"',
    ]


def _run(command: Sequence[str], log: Path, watch: Callable[[], None]) -> int:
    start = time.monotonic()

    def look() -> None:
        if time.monotonic() - start > LIMIT:
            raise BuildError(f"gave up after {LIMIT} s; log: {log}")
        watch()

    return supervise(command, directory=ROOT, log=log, env=child.environment(), watch=look)


def _model(
    proof: Proof, work: Path, sources: Sequence[Path], keep: str, report: Report
) -> tuple[Path, dict[str, int]]:
    """Write the model; its path and the number of assert and cover cells."""
    model, log = work / f"{keep}.smt2", work / f"yosys-{keep}.log"
    command = yosys.command("yosys", passes(proof, sources, model, keep))
    if _run(command, log, lambda: report("reading")) != 0:
        raise BuildError(f"yosys failed; log: {log}\n{tail(log.read_text())}")
    counts = {kind: int(number) for number, kind in _CELLS.findall(log.read_text())}
    return model, {kind: counts.get(kind, 0) for kind in ("assert", "cover")}


def read_log(text: str, what: str, traces: Sequence[Path], log: Path) -> Part:
    """What yosys-smtbmc's log says; BuildError if it did not come to an end."""
    status = _STATUS.search(text)
    if status is None:
        raise BuildError(f"yosys-smtbmc came to no result; log: {log}\n{tail(text)}")
    steps = [int(step) for step in _STEP.findall(text)]
    passed = status[1] == "PASSED"
    problems = [f"not reached: {name}" for name in _UNREACHED.findall(text)] or _FAILED.findall(text)
    if not passed and not problems:
        problems = [line.strip("# ") for line in text.splitlines()[-2:-1]]
    return Part(what, passed, steps[-1] if steps else 0, tuple(dict.fromkeys(problems)),
                next(iter(traces), None) if not passed else None, log)


def _judged(proof: Proof, model: Path) -> tuple[Path, list[str]]:
    """The model in which assertions are checked, and the options that it needs."""
    if not proof.any_products:
        return model, []
    changed = model.with_name("any_products.smt2")
    changed.write_text(products.with_any_products(model.read_text()))
    return changed, ["--logic", products.LOGIC]


def _part(what: str, options: Sequence[str], model: Path, report: Report) -> Part:
    work = model.parent
    log = work / f"{what}.log"

    def look() -> None:
        steps = _STEP.findall(log.read_text())
        report(f"{what}, step {steps[-1]}" if steps else what)

    trace = "cover%.vcd" if what == "cover" else f"{what}.vcd"
    arguments = ["-s", "yices", "--noprogress", *options, "--dump-vcd", str(work / trace), str(model)]
    _run(child.command(arguments), log, look)
    return read_log(log.read_text(), what, sorted(work.glob(trace.replace("%", "*"))), log)


def _each(what: str, options: Sequence[str], model: Path, top: str, report: Report) -> Part:
    """Like `_part`, for one property at a time, up to the first that fails."""
    found = list(singly.goals(model.read_text(), top))
    goal = model.with_name("goal.smt2")
    for number, (name, text) in enumerate(found, 1):
        goal.write_text(text)
        report(f"{what}, {number} of {len(found)}")
        part = _part(what, options, goal, lambda _: None)
        if not part.passed:
            return replace(part, problems=(name,))
    return part


def _workspace(name: str) -> Path:
    child.need()
    work = folder(name)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    return work


def prove(name: str, proof: Proof, report: Report = lambda _: None) -> Outcome:
    """Run every part of a proof, up to the first that fails. Raises ToolMissing or BuildError."""
    start = time.monotonic()
    work = _workspace(name)
    induction = proof.method == "induction"
    covers, found = _model(proof, work, proof.sources, "covers", report)
    parts = [_part("cover", ["-c", "-t", str(proof.cover)], covers, report)]
    model, counts = _model(proof, work, proof.sources, "all" if induction else "properties", report)
    judged, logic = _judged(proof, model)
    # smtbmc counts the cycles of a bounded check; an induction of k needs its first k cycles checked, and one of reset.
    if parts[-1].passed:
        parts.append(_part("bounded", ["-t", str(proof.depth + 1), *logic], judged, report))
    if parts[-1].passed and induction:
        options = ["-i", "-t", str(proof.depth), *logic]
        parts.append(
            _each("induction", options, judged, proof.top, report)
            if proof.singly
            else _part("induction", options, judged, report)
        )
    return Outcome(name, time.monotonic() - start, counts["assert"], found["cover"], tuple(parts))


def attack(name: str, number: int, proof: Proof, fault: Fault, report: Report = lambda _: None) -> Outcome:
    """Look for a trace from reset on which a broken copy violates a property; the outcome should not be `passed`.

    Raises ValueError if the text to break is not there, ToolMissing or BuildError.
    """
    start = time.monotonic()
    broken = fault.apply()
    work = _workspace(f"{name}-broken-{number}")
    copy = work / Path(fault.file).name
    copy.write_text(broken)
    sources = [copy if path == ROOT / fault.file else path for path in proof.sources]
    model, counts = _model(proof, work, sources, fault.violates or "properties", report)
    judged, logic = _judged(proof, model)
    options = ["-t", f"{fault.skip}:{fault.cycles or proof.cover}"]
    if proof.any_products:
        model.write_text(products.with_bitwise_and(model.read_text()))
    part = _part("bounded", options, model, report)
    if part.passed and proof.any_products:
        part = _part("bounded", [*options, *logic], judged, report)
    return Outcome(name, time.monotonic() - start, counts["assert"], counts["cover"], (part,))
