# SPDX-License-Identifier: Apache-2.0
"""Which functions of a subject each test reaches, so that a mutant meets only tests that can tell.

A value that a test takes from a cache counts as made by that test: every cache remembers what its values reached.
"""

import functools
import sys
import time
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import pytest

from ga2.mutation.subject import Subject

Seen = set[str]


class Recorder:
    """Function calls below a subject's folder, as file:function of the outermost function."""

    def __init__(self, subject: Subject) -> None:
        self.folder = f"{subject.folder}/"
        self.stack: list[Seen] = [set()]
        self.names: dict[CodeType, str] = {}

    def name(self, code: CodeType) -> str:
        """Empty for a function that is not the subject's."""
        if code not in self.names:
            file = code.co_filename
            inside = file.startswith(self.folder)
            function = code.co_qualname.split(".<locals>")[0]
            self.names[code] = f"{file[len(self.folder) :]}:{function}" if inside else ""
        return self.names[code]

    def trace(self, frame: FrameType, _event: str, _argument: object) -> None:
        """For `sys.settrace`: calls only."""
        if name := self.name(frame.f_code):
            self.stack[-1].add(name)

    def cached(self, function: Callable) -> Callable:
        """In place of `functools.cache`."""
        kept: dict[Any, tuple[Any, Seen]] = {}

        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            key = arguments, tuple(sorted(named.items()))
            if key not in kept:
                self.stack.append(set())
                try:
                    value = function(*arguments, **named)
                finally:
                    seen = self.stack.pop()
                    self.stack[-1] |= seen
                kept[key] = value, seen
            value, seen = kept[key]
            self.stack[-1] |= seen
            return value

        setattr(call, "cache_clear", kept.clear)  # noqa: B010  # a function has no such attribute to a type checker
        return call

    def lru_cache(self, maxsize: Any = None, typed: bool = False) -> Callable:
        """In place of `functools.lru_cache`, with or without arguments."""
        return self.cached(maxsize) if callable(maxsize) else self.cached

    def install(self) -> None:
        """For everything that is imported from now on."""
        functools.cache = self.cached  # type: ignore[assignment]  # records what a remembered result has reached
        functools.lru_cache = self.lru_cache  # type: ignore[assignment]  # the same


class Reach:
    """A pytest plugin: of every test the seconds, what it reached, and whether all have passed."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.tests: dict[str, dict[str, Any]] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Trace one test with its fixtures."""
        self.recorder.stack[-1] = set()
        begin = time.process_time()
        sys.settrace(self.recorder.trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            seconds = time.process_time() - begin
            self.tests[item.nodeid] = {"seconds": round(seconds, 3), "reaches": sorted(self.recorder.stack[-1])}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed:
            self.failed.append(f"{report.nodeid}: {str(report.longrepr).strip().splitlines()[-1]}")
