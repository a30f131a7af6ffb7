# SPDX-License-Identifier: Apache-2.0
"""Options of the benches' pytest entries, the fixture `sim`, and the table at the end.

`--sim` and `--configuration` narrow a run to one simulator and one configuration: they deselect every test whose
parameter `sim` or `config` says another. A test that takes `sim` without a parametrization of its own runs in both.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ga2.sim import SIMULATORS
from ga2.sim.follow_up import SWITCH
from ga2.spec import CONFIG_NAMES
from verif.summary import FAILED, render, reproduce, suite_of, tabulate

PARAMETERS = ("sim", "config")


os.environ.setdefault(SWITCH, "1")


@pytest.fixture
def with_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Called with a file's name and text: from then on simulations are of a core with it, built apart, not located."""

    def use(name: str, text: str) -> None:
        for made in ("overlay", "build"):
            (tmp_path / made).mkdir()
        (tmp_path / "overlay" / name).write_text(text)
        monkeypatch.setenv("GA2_OVERLAY", str(tmp_path / "overlay"))
        monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path / "build"))
        monkeypatch.setenv(SWITCH, "0")

    return use


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sim", choices=SIMULATORS, help="run the benches in this simulator only")
    parser.addoption("--configuration", choices=CONFIG_NAMES, help="run the benches of this configuration only")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marked = {name for mark in metafunc.definition.iter_markers("parametrize") for name in _names(mark.args[0])}
    if "sim" in metafunc.fixturenames and "sim" not in marked:
        metafunc.parametrize("sim", SIMULATORS)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = {"sim": config.getoption("--sim"), "config": config.getoption("--configuration")}
    dropped = [item for item in items if any(_differs(item, name, value) for name, value in wanted.items() if value)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in dropped]
    for item in items:  # travels with the report, also from a worker process
        item.user_properties += _parameters(item).items()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    stats = terminalreporter.stats
    tests = [
        (word, report.nodeid, dict(report.user_properties))
        for word in ("passed", "skipped", *FAILED)
        for report in stats.get(word, [])
        if hasattr(report, "user_properties")
    ]
    rows = tabulate(tests)
    if rows:
        terminalreporter.write_line(render(rows, CONFIG_NAMES, terminalreporter._tw.fullwidth))
    for word, nodeid, _ in tests:
        if word in FAILED and suite_of(nodeid):
            terminalreporter.write_line(f"{word}; to reproduce: {reproduce(nodeid)}")


def _names(argument: str | list[str]) -> list[str]:
    return argument.replace(" ", "").split(",") if isinstance(argument, str) else list(argument)


def _differs(item: pytest.Item, name: str, value: str) -> bool:
    return _parameters(item).get(name, value) != value


def _parameters(item: pytest.Item) -> dict[str, str]:
    """Of PARAMETERS those that name one: a parameter of a software test may be an object, which no report can carry."""
    given = getattr(getattr(item, "callspec", None), "params", {})
    return {name: given[name] for name in PARAMETERS if isinstance(given.get(name), str)}
