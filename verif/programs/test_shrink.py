# SPDX-License-Identifier: Apache-2.0
"""A mistake in the golden model is found by a few random programs, and the program made short."""

import asyncio

import pytest

from ga2.golden import execute, numerics
from ga2.golden.execute import EXECUTE
from ga2.spec import load_config
from ga2.timing.ops import SmOp, VecOp
from verif.programs.case import Case
from verif.programs.draw import draw_case
from verif.programs.golden_run import run_golden
from verif.programs.shrink import Shrinker, Stop, sound

CONFIG = load_config("nano")
FEW = 30  # programs that must be enough to see a mistake


def _no_rounding(op: VecOp, machine) -> None:
    """The mistake: the shift of a vector operation cuts off."""
    right = numerics.shift_round
    numerics.shift_round = lambda value, shift: value >> shift
    try:
        execute.vector(op, machine)
    finally:
        numerics.shift_round = right


def _lost_step(op: SmOp, machine) -> None:
    """The mistake: every row of a softmax is as long as the first."""
    execute.softmax(SmOp(**{**vars(op), "step": 0}), machine)


def _differs(case: Case, monkeypatch, kind: type, wrong) -> bool:
    good = run_golden(CONFIG, case.to_program())
    with monkeypatch.context() as patch:
        patch.setitem(EXECUTE, kind, wrong)
        bad = run_golden(CONFIG, case.to_program())
    pads, written = (good.core.spad.data, bad.core.spad.data), good.core.spad.written
    return bool((pads[0] != pads[1])[written].any() or (good.memory.data != bad.memory.data).any())


@pytest.mark.parametrize(("kind", "wrong", "op"), [(VecOp, _no_rounding, "VADD|VRELU|RQ"), (SmOp, _lost_step, "SM")])
def test_a_mistake_is_found_and_made_short(monkeypatch, kind, wrong, op):
    drawn = (draw_case(CONFIG, seed, "base") for seed in range(FEW))
    case = next(case for case in drawn if _differs(case, monkeypatch, kind, wrong))

    async def fails(smaller: Case) -> bool:
        return _differs(smaller, monkeypatch, kind, wrong)

    shrinker = Shrinker(case, fails)
    asyncio.run(shrinker.shrink())
    short = shrinker.best
    assert len(short.program) <= 4, short.program  # data in, the operation, HALT
    assert any(line.split()[0] in op.split("|") for line in short.program)
    assert asyncio.run(fails(short)) and sound(short)
    assert short.program[-1] == "HALT" and short.length == short.m == 0


def test_time_ends_it_with_the_best_so_far():
    case, played = draw_case(CONFIG, 3, "base"), []

    async def fails(smaller: Case) -> bool:
        if len(played) == 3:
            raise Stop
        played.append(smaller)
        return len(played) == 2

    shrinker = Shrinker(case, fails)
    asyncio.run(shrinker.shrink())
    assert shrinker.best == played[1]


def test_what_reads_undefined_words_is_never_played():
    case = draw_case(CONFIG, 4, "base")
    headless = case.model_copy(update={"program": case.program[10:], "entry": 0})
    assert sound(case) and not sound(headless)


def test_what_another_image_left_behind_is_never_met():
    """Without its HALT a program runs into former instructions; a product may read former constants."""
    product = "MM m=1 n=4 k=4 out=[0x400:1] left=[0x0:1] right=[0x200:4]"
    loads = [f"LD rows=1 words=8 dst=[{at:#x}:8] ext=win2[0x100:8]" for at in (0, 0x200)]
    case = draw_case(CONFIG, 4, "base").model_copy(update={"program": (*loads, product, "HALT")})
    assert sound(case)
    assert not sound(case.model_copy(update={"program": case.program[:-1]}))
    assert not sound(case.model_copy(update={"constants": case.constants[:3]}))
    assert sound(case.model_copy(update={"constants": case.constants[:4]}))
