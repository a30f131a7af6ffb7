# SPDX-License-Identifier: Apache-2.0
"""What a child does: it imports a subject with one change in it, and asks listings and tests about it."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest

from ga2.mutation.mutant import Mutant, mutated
from ga2.mutation.programs import difference
from ga2.mutation.reach import Reach, Recorder
from ga2.mutation.subject import Subject
from ga2.sim.sources import ROOT

LISTINGS = "listings"
LISTINGS_LIMIT = 40.0  # seconds of the processor; one to four without a mutant
TEST_FACTOR, TEST_LEAST = 10.0, 10.0  # the same for a test: so many times what it takes, and no less
ARGUMENTS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", "--rootdir", str(ROOT),
             "-c", str(ROOT / "pyproject.toml"))  # fmt: skip
SAYS = 200  # characters

Answer = dict[str, Any]


class _Changed(MetaPathFinder):
    """Gives one module from changed code; all others come from their files."""

    def __init__(self, name: str, code: CodeType) -> None:
        self.name, self.code = name, code

    def find_spec(self, fullname: str, *_: Any) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if fullname == self.name else None  # type: ignore[arg-type]  # a loader in all but name

    def create_module(self, _spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def install(mutant: Mutant, subject: Subject) -> None:
    """Whoever imports the subject from now on gets the changed one. It must not have been imported."""
    assert not any(name == subject.package or name.startswith(f"{subject.package}.") for name in sys.modules)
    path = subject.folder / mutant.file
    code = compile(mutated(path.read_text(), mutant), str(path), "exec")
    name = ".".join((subject.package, *mutant.file.removesuffix(".py").split("/")))
    sys.meta_path.insert(0, _Changed(name, code))


def _limited(seconds: float, ended: Callable[[], None]) -> None:
    """Call `ended` after so much time of the processor; 0 for no limit."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        ended()

    signal.signal(signal.SIGPROF, handle)
    signal.setitimer(signal.ITIMER_PROF, seconds)


class _Selected:
    """A pytest plugin: the tests that are wanted, in their order, each within its time."""

    def __init__(self, wanted: Mapping[str, float], answer: Callable[[Answer], None]) -> None:
        self.wanted, self.answer = wanted, answer
        self.failure: Answer | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Select and sort."""
        rank = {name: index for index, name in enumerate(self.wanted)}
        items[:] = sorted((item for item in items if item.nodeid in rank), key=lambda item: rank[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """A test that takes too long ends the child."""
        limit = max(TEST_LEAST, TEST_FACTOR * self.wanted[item.nodeid])
        _limited(limit, lambda: self.answer({"status": "timeout", "by": item.nodeid, "says": f"over {limit:.0f} s"}))
        try:
            return (yield)
        finally:
            _limited(0, lambda: None)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first failure."""
        if report.failed and self.failure is None:
            says = str(report.longrepr).strip().splitlines()[-1] if report.longrepr else ""
            self.failure = {"status": "killed", "by": report.nodeid, "says": says[:SAYS]}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A test file that cannot be imported is a failure of the subject: it can without the change."""
        if report.failed and self.failure is None:
            says = str(report.longrepr).strip().splitlines()[-1]
            self.failure = {"status": "killed", "by": report.nodeid, "says": says[:SAYS]}


def judge(
    subject: Subject, mutant: Mutant | None, tests: Mapping[str, float], answer: Callable[[Answer], None]
) -> None:
    """Give one answer about a mutant (or about the subject as it is).

    tests: by name, with the seconds they take, in the order in which they are asked; `LISTINGS` is one and goes first.
    """
    if mutant is not None:
        install(mutant, subject)
    if LISTINGS in tests and (says := _listings(answer)):
        answer({"status": "killed", "by": LISTINGS, "says": says})
    asked = {name: seconds for name, seconds in tests.items() if name != LISTINGS}
    answer(_tested(asked, answer) if asked else {"status": "survived", "by": "", "says": ""})


def _listings(answer: Callable[[Answer], None]) -> str:
    """What is wrong with them."""
    _limited(LISTINGS_LIMIT, lambda: answer({"status": "timeout", "by": LISTINGS, "says": f"over {LISTINGS_LIMIT} s"}))
    try:
        says = difference()
    except Exception as error:
        says = f"{type(error).__name__}: {error}"
    _limited(0, lambda: None)
    return " ".join(says.split())[:SAYS]


def _tested(tests: Mapping[str, float], answer: Callable[[Answer], None]) -> Answer:
    os.chdir(ROOT)
    selected = _Selected(tests, answer)
    files = dict.fromkeys(name.split("::")[0] for name in tests)
    code = int(pytest.main([*files, *ARGUMENTS], plugins=[selected]))
    if selected.failure is not None:
        return selected.failure
    if code != 0:
        return {"status": "problem", "by": "", "says": f"pytest ended with {code}"}
    return {"status": "survived", "by": "", "says": ""}


def reach(subject: Subject, file: str, answer: Callable[[Answer], None]) -> None:
    """Run a whole file, or the listings, on the subject as it is, and tell what each test reaches."""
    os.chdir(ROOT)
    recorder = Recorder(subject)
    recorder.install()
    if file == LISTINGS:
        begin = time.process_time()
        sys.settrace(recorder.trace)
        says = difference()
        sys.settrace(None)
        entry = {"seconds": round(time.process_time() - begin, 3), "reaches": sorted(recorder.stack[-1])}
        answer({"tests": {LISTINGS: entry}, "failed": [says] if says else []})
    plugin = Reach(recorder)
    arguments = [each for each in ARGUMENTS if each != "-x"]
    code = int(pytest.main([file, *arguments], plugins=[plugin]))
    failed = plugin.failed or ([f"pytest ended with {code}"] if code else [])
    answer({"tests": plugin.tests, "failed": failed})
