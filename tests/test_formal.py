# SPDX-License-Identifier: Apache-2.0
"""The quick proofs hold, their table makes sense, a broken copy is caught, and what a failure says."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ga2.cli.main import app
from ga2.formal import Fault, Outcome, Part, Record, attack, load, prove, write
from ga2.formal.flow import read_log
from ga2.formal.products import with_any_products
from ga2.formal.table import Table
from ga2.sim.errors import BuildError

QUICK = ("fifo-odd", "slot", "window", "row-array")


@pytest.mark.parametrize("name", QUICK)
def test_proof(name):
    outcome = prove(name, load()[name])
    assert outcome.passed, outcome.failed
    assert outcome.asserts and outcome.covers
    assert [part.what for part in outcome.parts] == ["cover", "bounded", "induction"]


def test_broken_copy_is_caught():
    proof = load()["fifo-odd"]
    outcome = attack("fifo-odd", 1, proof, proof.broken[0])
    (part,) = outcome.parts
    assert not part.passed and part.problems and part.trace is not None and part.trace.is_file()


def test_skipped_cycles_are_not_checked():
    proof = load()["fifo-odd"]
    outcome = attack("fifo-odd", 1, proof, proof.broken[0].model_copy(update={"skip": 9}))
    (part,) = outcome.parts
    assert not part.passed and part.step == 9


def test_a_broken_copy_without_a_checked_cycle_is_refused():
    proof = load()["fifo-odd"].model_dump()
    proof["broken"][0] |= {"skip": 10, "cycles": 10}
    with pytest.raises(ValueError, match="no cycle of the broken copy"):
        Table(proofs={"fifo-odd": proof})


@pytest.mark.parametrize("name", sorted(load()))
def test_broken_texts_occur_once(name):
    for fault in load()[name].broken:
        assert fault.apply()


def test_text_to_break_must_occur_once():
    with pytest.raises(ValueError, match="occurs 0 times"):
        Fault(says="x", file="rtl/ga2_fifo.sv", find="nowhere", replace="").apply()
    with pytest.raises(ValueError, match="not once"):
        Fault(says="x", file="rtl/ga2_fifo.sv", find="clk_i", replace="").apply()


def outcome(name, *, passed):
    part = Part("bounded", passed, 3, () if passed else ("order",), None, Path("log"))
    return Outcome(name, 1.25, 7, 2, (part,))


@pytest.mark.parametrize("caught", [True, False])
def test_summary_counts_what_was_caught(caught, tmp_path, monkeypatch):
    monkeypatch.setenv("GA2_BUILD_DIR", str(tmp_path))
    proof = load()["fifo-odd"]
    record = Record("fifo-odd", proof, outcome("fifo-odd", passed=True))
    record.broken.append((proof.broken[0], outcome("fifo-odd-broken-1", passed=not caught)))
    (entry,) = json.loads(write([record]).read_text())
    assert (entry["proof"], entry["kind"], entry["proved"]) == ("fifo-odd", "induction", True)
    assert (entry["properties"], entry["covers_reached"], entry["seconds"]) == (7, 2, 2.5)
    assert entry["broken"][0]["caught"] is caught
    assert record.passed is caught


def test_no_result_is_no_success():
    assert not Record("fifo-odd", load()["fifo-odd"], problem="gave up after 5 s").passed
    assert not Record("fifo-odd", load()["fifo-odd"], outcome("fifo-odd", passed=False)).passed


def test_log_of_a_failure():
    text = "Checking assertions in step 3..\n##  BMC failed!\n## Assert failed in top: order\n## Status: FAILED\n"
    part = read_log(text, "bounded", [Path("t.vcd")], Path("log"))
    assert (part.passed, part.step, part.problems, part.trace) == (False, 3, ("order",), Path("t.vcd"))


def test_log_without_a_result():
    with pytest.raises(BuildError, match="no result"):
        read_log("Checking assertions in step 3..", "bounded", [], Path("log"))


def test_unknown_proof_is_refused():
    result = CliRunner().invoke(app, ["formal", "nothing"])
    assert result.exit_code != 0 and "unknown proof 'nothing'" in str(result.exception)


def test_any_products_keep_widths_and_leave_nothing_out():
    line = "(define-fun f ((s S)) (_ BitVec {}) (bvmul (a s) (b s)))\n"
    text = "; head\n(declare-sort S 0)\n" + line.format(24) + line.format(8) + line.format(24)
    changed = with_any_products(text)
    assert "bvmul" not in changed and changed.endswith("(_ BitVec 24) (product_24 (a s) (b s)))\n")
    assert changed.count("declare-fun any_product_24 ") == changed.count("declare-fun any_product_8 ") == 1
    assert changed.index("any_product_8") < changed.index("declare-sort")
    with pytest.raises(ValueError, match="inside a larger expression"):
        with_any_products("(declare-sort S 0)\n(bvadd (bvmul a b) c)")
