# SPDX-License-Identifier: Apache-2.0
"""The generator's programs: legal, defined, repeatable, the same through JSON, and as varied as they must be."""

from collections import Counter
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ga2.spec import CONFIG_NAMES, ISA, load_config
from verif.programs.case import CaseError, load_case, read_case
from verif.programs.draw import draw_case
from verif.programs.generator import Sofar
from verif.programs.golden_run import run_golden
from verif.programs.program import ENTRY
from verif.programs.settings_files import settings_names
from verif.programs.statistics import measure

SEEDS = st.integers(0, 2**32 - 1)
CONFIGS = st.sampled_from(CONFIG_NAMES)
NAMES = st.sampled_from(settings_names())
MANY = 120


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, config_name=CONFIGS, name=NAMES)
def test_a_program_is_legal_and_defined_and_ends_as_it_says(seed, config_name, name):
    config = load_config(config_name)
    case = draw_case(config, seed, name)
    run = run_golden(config, case.to_program())
    fault = run.outcome.fault
    assert not run.core.undefined_reads
    assert (fault.name if fault else "") == case.end.about.partition(" ")[0]
    assert (fault is not None) == (case.end.kind == "fault")
    if fault is None:
        assert len(run.outcome.retirements) + 1 == len(case.program)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, config_name=CONFIGS, name=NAMES)
def test_a_seed_gives_one_program_and_json_gives_it_back(seed, config_name, name):
    config = load_config(config_name)
    case, again = draw_case(config, seed, name), draw_case(config, seed, name)
    assert case == again
    text = case.to_json()
    back = read_case(text, "text")
    assert back == case and back.to_json() == text
    one, other = run_golden(config, case.to_program()), run_golden(config, back.to_program())
    assert one.outcome == other.outcome
    assert (one.memory.data == other.memory.data).all() and (one.core.spad.data == other.core.spad.data).all()


@pytest.mark.parametrize("config_name", ["nano", "base"])
def test_programs_are_as_varied_as_they_must_be(config_name):
    config = load_config(config_name)
    cases = [draw_case(config, seed) for seed in range(MANY if config_name == "nano" else MANY // 2)]
    measured = [measure(config, case.to_program()) for case in cases if case.end.kind == "halt"]
    opcodes = Counter(op for one in measured for op in one.opcodes)
    assert median(one.instructions for one in measured) >= 30
    assert set(opcodes) == set(ISA.instructions)
    assert min(opcodes.values()) >= 0.05 * len(measured)
    assert sum(one.overlap for one in measured) >= 0.5 * len(measured)
    assert {case.end.kind for case in cases} >= {"halt", "fault"}


def test_every_precise_fault_is_provoked():
    config = load_config("nano")
    drawn = {draw_case(config, seed, "faults").end.about.partition(" ")[0] for seed in range(150)}
    assert drawn >= {name for name, fault in ISA.faults.items() if fault.kind == "precise"}


def test_a_score_chooses_among_candidates():
    """Whoever wants softmax gets more of it."""
    config = load_config("nano")

    def wanted(candidate, sofar: Sofar) -> int:
        assert not sofar.chosen or sofar.chosen[-1] is not candidate
        return int(candidate.instruction.op == "SM")

    def share(score) -> float:
        ops = [line.split()[0] for seed in range(8) for line in draw_case(config, seed, "base", score).program]
        return ops.count("SM") / len(ops)

    assert share(wanted) > 2 * share(None)


def test_the_entry_is_where_the_case_says(tmp_path):
    config = load_config("nano")
    seed = next(seed for seed in range(200) if draw_case(config, seed, "faults").end.about == "pc")
    case = draw_case(config, seed, "faults")
    case.save(tmp_path / "case.json")
    assert load_case(tmp_path / "case.json").image().entries == {ENTRY: case.entry}
    assert run_golden(config, case.to_program()).outcome.fault.pc == config.imem_depth


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (('"config": "nano"', '"config": "mini"'), "config: unknown 'mini': choose one of nano"),
        (('"m": ', '"mm": '), "m: Field required; mm: Extra inputs"),
        (('"HALT"', '"HLAT"'), "unknown instruction 'HLAT'"),
        (('"entry": 0', '"entry": 999'), "entry: 999 is beyond"),
        (('"address": 65536', '"address": 262144'), "ends beyond"),
        (("{", "["), "Invalid JSON"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(tmp_path, change, complaint):
    text = draw_case(load_config("nano"), 1, "base").to_json()
    assert change[0] in text
    path = tmp_path / "case.json"
    path.write_text(text.replace(*change, 1))
    with pytest.raises(CaseError, match="case.json: ") as error:
        load_case(path)
    assert complaint in str(error.value) and "\n" not in str(error.value)


def test_a_missing_file_and_no_text(tmp_path):
    with pytest.raises(CaseError, match="No such file"):
        load_case(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CaseError, match="not UTF-8"):
        load_case(tmp_path / "bytes.json")
