# SPDX-License-Identifier: Apache-2.0
"""A mistake in the core that only an abort, or a memory that pauses, brings to light: its program is made short."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ga2.generated.campaign import Plan, perform
from ga2.generated.shrinking import shrink
from ga2.sim.sources import ROOT
from verif.programs.case import Case, End, load_case
from verif.programs.layout import SCRATCH, TABLE

SECONDS = 120.0  # at most: it ends when nothing smaller fails
LOAD = f"LD rows=64 words=4 dst=[{{:#x}}:4] ext=win{TABLE}[0x0:8]"  # 64 bursts
PROGRAM = (
    *(LOAD.format(0x200 * bank) for bank in range(4)),
    "VRELU rows=2 n=16 out=[0x800:4] a=[0x0:4] ma=1 hi=127",
    f"ST rows=1 words=16 src=[0x200:16] ext=win{SCRATCH}[0x0:16]",
    f"ST rows=1 words=8 src=[0x800:8] ext=win{SCRATCH}[0x20:8]",
    "HALT",
)


Break = Callable[[str, str, str], None]


@pytest.fixture
def broken(with_source: Callable[[str, str], None]) -> Break:
    """Called with a file, a text in it and another: from then on simulations are of a core with this mistake."""

    def use(file: str, text: str, replacement: str) -> None:
        source = (ROOT / "rtl" / file).read_text()
        assert source.count(text) == 1
        with_source(file, source.replace(text, replacement))

    return use


def shortened(plan: Plan, case: Case, folder: Path) -> tuple[Case, str]:
    """The short case and what is wrong with it; a campaign sees it fail, too."""
    case.save(folder / "case.json")
    short = shrink(plan, folder / "case.json", SECONDS, lambda _: None)
    assert short is not None
    again = Plan(plan.config, plan.sim, "", (short.path,), stalls=plan.stalls)
    (played,) = perform(again, [0], 1, lambda _: None, lambda _: None)
    assert not played.passed
    return load_case(short.path), short.problem


def case_of(template: Case, end: End, seed: int) -> Case:
    """The program on windows and memory of a kept case."""
    changes = {"name": "to be shrunk", "program": PROGRAM, "constants": (), "end": end, "seed": seed}
    return template.model_copy(update=changes)


@pytest.fixture
def template() -> Case:
    return load_case(Path(__file__).with_name("kept") / "attention_in_small.json")


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_a_program_that_is_aborted(
    sim: str, template: Case, tmp_path: Path, broken: Break
) -> None:
    """What waits in the queues outlives the abort, and the program after it goes wrong."""
    broken("ga2_issue_queue.sv", "else if (kill_i) begin", "else if (1'b0) begin")
    case = case_of(template, End(kind="abort", cycles=300), 0)
    short, problem = shortened(Plan("nano", sim, "default"), case, tmp_path)
    assert short.end.kind == "abort" and len(short.program) < len(PROGRAM) and short.program[-1] == "HALT"
    assert problem.startswith("seed 0, undisturbed: ")  # of the program that fills the scratchpad


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_a_program_on_a_memory_that_pauses(
    sim: str, template: Case, tmp_path: Path, broken: Break
) -> None:
    """A write beat counts in every cycle in which it waits for a memory that pauses in every other one."""
    broken("ga2_top.sv", ".write_beat_i  (write_beat),", ".write_beat_i  (m_axi_wvalid),")
    short, problem = shortened(Plan("nano", sim, "default", stalls=True), case_of(template, End(), 1), tmp_path)
    assert "counter write_beats" in problem
    assert len(short.program) <= 4 and any(line.startswith("ST") for line in short.program) and short.seed == 1


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_a_rule_of_the_bus_that_an_abort_breaks(
    sim: str, template: Case, tmp_path: Path, broken: Break
) -> None:
    """Each failure ends its simulation; the next one goes on from there."""
    broken("ga2_load.sv", ".kill_i        (kill_i || stopped_q),", ".kill_i        (stopped_q),")
    case = case_of(template, End(kind="abort", cycles=300), 0)
    short, problem = shortened(Plan("nano", sim, "default", stalls=True), case, tmp_path)
    assert problem.startswith("ends the simulation: to be shrunk") and "AXI: a new burst after" in problem
    assert short.end.kind == "abort" and len(short.program) < len(PROGRAM)


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus"])
def test_a_right_program_is_not_reported(sim: str, template: Case, tmp_path: Path) -> None:
    case = case_of(template, End(kind="abort", cycles=300), 1)
    case.save(tmp_path / "case.json")
    assert shrink(Plan("nano", sim, "default", stalls=True), tmp_path / "case.json", 60, lambda _: None) is None
