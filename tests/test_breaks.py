# SPDX-License-Identifier: Apache-2.0
"""The tables of deliberate breaks: they fit the sources, reach every checker, and the page shows what was seen."""

import json
from pathlib import Path

import pytest
import yaml

from ga2.seeded.break_report import EXAMPLES_PAGE, PAGE, RECORD, digest, examples_page, page
from ga2.seeded.play import Seen, judge
from ga2.seeded.tables import CHECKERS, FOLDER, all_breaks

GOOD = {
    "name": "one",
    "file": "rtl/ga2_window.sv",
    "text": "assign retire_seq_o = seq_q;",
    "replacement": "assign retire_seq_o = '0;",
    "why": "-",
    "caught_by": "retirements",
}


def table(folder: Path, *breaks: dict[str, object]) -> Path:
    (folder / "some.yaml").write_text(yaml.safe_dump(list(breaks)))
    return folder


def test_every_checker_has_its_breaks() -> None:
    breaks = all_breaks()
    assert {each.caught_by for each in breaks} == set(CHECKERS)
    assert any(each.file.startswith("verif/") for each in breaks) and any(each.says for each in breaks)


def test_the_page_is_what_the_record_says() -> None:
    breaks = all_breaks()
    assert PAGE.read_text() == page(breaks), f"run ga2 breaks --write; {RECORD.name} keeps what was seen"
    assert EXAMPLES_PAGE.read_text() == examples_page()


def test_every_checker_has_seen_a_break_as_it_is_now() -> None:
    known = json.loads(RECORD.read_text())
    fresh = [each for each in all_breaks() if known.get(each.name, {}).get("digest") == digest(each)]
    assert {each.caught_by for each in fresh} == set(CHECKERS)
    assert all(each.caught_by in known[each.name]["checkers"] for each in fresh)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"text": "no such text"}, "occurs 0 times"),
        ({"text": "logic"}, "times in rtl/ga2_window.sv"),
        ({"replacement": "assign retire_seq_o = seq_q;"}, "the same"),
        ({"caught_by": "nobody"}, "no checker 'nobody'"),
        ({"file": "/etc/passwd"}, "some.yaml"),
        ({"file": "rtl/ga2_gone.sv"}, "occurs 0 times in rtl/ga2_gone.sv"),
        ({"wyh": "?"}, "some.yaml"),
        ({}, "no break that assertions"),
    ],
)
def test_a_bad_table_is_refused_in_one_line(changes: dict[str, str], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=complaint) as refused:
        all_breaks(table(tmp_path, GOOD | changes))
    assert "\n" not in str(refused.value)


def test_two_breaks_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="2 are called 'one'"):
        all_breaks(table(tmp_path, GOOD, GOOD))


def test_another_checker_or_a_silent_report_is_not_enough() -> None:
    (broken,) = [each for each in all_breaks(FOLDER) if each.name == "the requantiser cuts instead of rounding"]
    other = judge(Seen(broken, {"memories": "byte 3"}), broken.test, "icarus")
    assert other.problem == "write_sets did not see it; seen by memories"
    silent = judge(Seen(broken, {"write_sets": "byte 3"}, "somewhere"), broken.test, "icarus")
    assert silent.problem == "the report does not say 'first divergence in program order'"
