# SPDX-License-Identifier: Apache-2.0
"""A portion of the exactness campaign on the RTL: mostly on nano, a token case elsewhere; `make exactness` is more."""

import pytest

from ga2.exactness.campaign import Task, on_rtl
from ga2.exactness.cases import RowsCase, draw_case
from ga2.spec import CONFIG_NAMES, load_config

SEED = 0
# Icarus is some twenty times slower than Verilator, and more on the larger arrays: it gets fewer and shorter cases.
CASES = {
    "icarus": {"nano": 3, "wide": 1, "small": 1, "base": 1},
    "verilator": {"nano": 10, "wide": 2, "small": 2, "base": 2},
}
LONGEST = {"icarus": 40, "verilator": 512}  # cache rows
RULE_TOKENS = {"icarus": 8, "verilator": 40}


def block_rows(config: str, sim: str) -> range:
    """Block sizes of the portion: around the array's height, but small ones where simulation is slow."""
    if sim == "icarus" and config != "nano":
        return range(2, 6)
    rows = load_config(config).rows
    return range(rows // 2 + 1, 10 if sim == "icarus" else 17)


def portion(config: str, sim: str) -> list[Task]:
    """The first cases that are short enough."""
    core, sizes, tasks = load_config(config), block_rows(config, sim), []
    for index in range(200):
        case = draw_case(core, SEED, index)
        rows = len(case.tokens) if isinstance(case, RowsCase) else case.k + 1
        if case.setting.length <= LONGEST[sim] and rows in sizes and case.setting.cached != "decoded":
            tasks.append(Task(index))
    return tasks[: CASES[sim][config]]


@pytest.mark.simulation
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_rows_and_decodings(sim: str, config: str) -> None:
    tasks = portion(config, sim)
    assert len(tasks) == CASES[sim][config]
    verdicts = on_rtl(config, sim, SEED, tasks, lambda _: None)
    assert [(verdict.task.index, verdict.problems) for verdict in verdicts if verdict.problems] == []
    assert all(verdict.rows > 0 and verdict.programs > 2 for verdict in verdicts)


@pytest.mark.simulation
def test_the_structured_rule(sim: str) -> None:
    (verdict,) = on_rtl("nano", sim, SEED, [Task(5, rule=RULE_TOKENS[sim])], lambda _: None)
    assert verdict.problems == ()
    assert verdict.programs == RULE_TOKENS[sim] * 3 // 2
