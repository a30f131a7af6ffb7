# SPDX-License-Identifier: Apache-2.0
"""The testplan names tests and cover points that exist, and leaves no cover point out."""

import pytest

from ga2.coverage.testplan import Row, load_testplan, names_a_test, problems
from verif.coverage.database import POINTS

GOOD = Row(
    name="a", stimulus="b", check="c", level="unit", tests=("tests/test_testplan.py::test_the_testplan_is_complete",)
)


def test_the_testplan_is_complete() -> None:
    assert problems(load_testplan(), POINTS) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"tests": ()}, "'a' has no test"),
        ({"tests": ("tests/test_testplan.py::test_gone",)}, "no test tests/test_testplan.py::test_gone"),
        ({"tests": ("tests/test_gone.py::test_it",)}, "no test tests/test_gone.py::test_it"),
        ({"covergroups": ("gone/*",)}, "no cover point gone/*"),
    ],
)
def test_a_row_that_names_something_that_is_not_there(change: dict, complaint: str) -> None:
    (found, *_) = problems([GOOD.model_copy(update=change)], [])
    assert complaint in found


def test_a_point_in_no_row_and_a_name_twice() -> None:
    found = problems([GOOD, GOOD], ["pair/new"])
    assert "testplan: two rows are called 'a'" in found
    assert "testplan: no row has the cover point pair/new" in found


def test_a_parametrised_node_is_its_function() -> None:
    assert names_a_test("tests/test_testplan.py::test_a_parametrised_node_is_its_function[nano]")
