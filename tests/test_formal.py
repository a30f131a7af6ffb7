# SPDX-License-Identifier: Apache-2.0
"""The quick proofs hold, their table makes sense, a broken copy is caught, and what a failure says."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ga2.cli.main import app
from ga2.formal import Fault, Outcome, Part, Record, attack, load, prove, write
from ga2.formal.flow import read_log
from ga2.formal.products import with_any_products, with_bitwise_and
from ga2.formal.table import Proof, Table
from ga2.sim.errors import BuildError

QUICK = ("fifo-odd", "slot", "window", "row-array", "row-matrix", "row-timing")


@pytest.mark.parametrize("name", QUICK)
def test_proof(name):
    proof = load()[name]
    outcome = prove(name, proof)
    assert outcome.passed, outcome.failed
    assert outcome.asserts and outcome.covers
    induction = ["induction"] if proof.method == "induction" else []
    assert [part.what for part in outcome.parts] == ["cover", "bounded", *induction]


def test_broken_copy_is_caught():
    proof = load()["fifo-odd"]
    outcome = attack("fifo-odd", 1, proof, proof.broken[0])
    (part,) = outcome.parts
    assert not part.passed and part.problems and part.trace is not None and part.trace.is_file()


COUNTER = """
module counter_formal (input logic clk_i, input logic step_i);
  logic       rst_n;
  logic [3:0] here_q, there_q;
  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) {here_q, there_q} <= '0;
    else if (step_i && here_q != 4'd7) {here_q, there_q} <= {here_q + 4'd1, there_q + 4'd1};
  end
  always_comb begin
    if (rst_n) begin
      PROPERTIES
      reach_end: cover (here_q == 4'd7);
    end
  end
endmodule
"""


def counter(properties, folder, monkeypatch):
    (folder / "counter_formal.sv").write_text(COUNTER.replace("PROPERTIES", properties))
    reset = Path("verif/formal/ga2_formal_reset.sv").resolve()
    monkeypatch.setattr(Proof, "sources", [reset, folder / "counter_formal.sv"])
    monkeypatch.setenv("GA2_BUILD_DIR", str(folder))
    changed = {"top": "counter_formal", "parameters": {}, "depth": 1, "cover": 9, "singly": True}
    return prove("counter", load()["fifo-odd"].model_copy(update=changed))


def test_properties_are_proved_one_at_a_time_with_the_help_of_invariants(tmp_path, monkeypatch):
    """`end_there` follows from the invariants alone, whichever comes first in the text."""
    outcome = counter(
        "end_there: assert (there_q <= 4'd7); inv_end: assert (here_q <= 4'd7); inv_pair: assert (here_q == there_q);",
        tmp_path, monkeypatch,
    )  # fmt: skip
    assert outcome.passed and outcome.asserts == 3 and outcome.covers == 1


def test_two_wrong_properties_do_not_prove_each_other(tmp_path, monkeypatch):
    outcome = counter("inv_one: assert (here_q < 4'd5); inv_two: assert (here_q < 4'd5);", tmp_path, monkeypatch)
    (failed,) = outcome.failed
    assert failed.what == "induction" and len(failed.problems) == 1 and failed.problems[0] in ("inv_one", "inv_two")
    assert failed.trace is not None and failed.trace.is_file()


def test_only_an_induction_goes_property_by_property():
    with pytest.raises(ValueError, match="one property at a time"):
        Proof.model_validate(load()["row-softmax"].model_dump() | {"singly": True})


@pytest.mark.parametrize("name", ["row-matrix", "row-timing"])
def test_a_drain_that_mixes_rows_is_caught(name):
    proof = load()[name]
    assert not attack(name, 1, proof, proof.broken[0]).passed


def test_a_property_that_is_not_there_is_no_catch():
    proof = load()["row-matrix"]
    with pytest.raises(BuildError, match="inv_nothing"):
        attack("row-matrix", 1, proof, proof.broken[0].model_copy(update={"violates": "inv_nothing"}))


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
    assert with_bitwise_and(line.format(8)) == "(define-fun f ((s S)) (_ BitVec 8) (bvand (a s) (b s)))\n"
