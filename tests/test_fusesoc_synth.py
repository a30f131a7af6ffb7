# SPDX-License-Identifier: Apache-2.0
"""The synthesis flow before any tool runs, and what it says of a result."""

import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from ga2 import synth
from ga2.fusesoc.synth import TOPS, Ga2synth
from ga2.sim.sources import ROOT


def flow(**flow_options: Any) -> Ga2synth:
    top = TOPS.get(flow_options["result"], "ga2_top")
    return Ga2synth({"flow_options": flow_options, "toplevel": top, "parameters": {}}, "work")


@pytest.mark.parametrize(
    ("flow_options", "message"),
    [
        ({"config": "huge", "result": "gates"}, "unknown configuration 'huge'"),
        ({"config": "nano", "result": "asic"}, "unknown result 'asic': choose one of gates, ecp5"),
        ({"config": "nano", "result": "ecp5", "seeds": ["1", "x"]}, "seeds must be whole numbers: 1 x"),
        ({"config": "nano", "result": "ecp5", "seeds": []}, "at least one"),
        ({"config": "nano", "result": "ecp5", "seeds": ["1", "1"]}, "different"),
        ({"config": "nano", "result": "ecp5", "seeds": ["-1"]}, "from 0"),
    ],
)
def test_a_wrong_option_is_one_line(flow_options: dict[str, Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message) as caught:
        flow(**flow_options)
    assert "\n" not in str(caught.value)


def test_gates_of_the_configuration(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def generic(config: str, report: synth.flow.Report) -> synth.Generic:
        report("synthesis", 0.1)
        report("synthesis", 0.9)
        assert config == "wide"
        return synth.Generic({"AND": 1200, "DFF": 34}, 4096, 56)

    monkeypatch.setattr(synth, "generic", generic)
    made = flow(config="wide", result="gates")
    made.build()
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "gates (wide): synthesis",
        "ga2_top (wide) in gates: 1,234 cells, 4,096 bits of memory, 56 cells deep",
    ]


@pytest.fixture
def restored_handler() -> Iterator[None]:
    """The test's own answer to SIGINT, put back."""
    handler = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("restored_handler")
def test_an_interrupt_is_no_success() -> None:
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))  # what FuseSoC does on Ctrl-C
    flow(config="nano", result="gates")
    with pytest.raises(SystemExit) as caught:
        signal.raise_signal(signal.SIGINT)
    assert caught.value.code == 130


@pytest.mark.usefixtures("restored_handler")
def test_an_interrupt_outside_fusesoc_stays_one() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    flow(config="nano", result="gates")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_another_core_is_not_synthesised_as_ga2() -> None:
    for result, top in (("gates", "ga2_top"), ("ecp5", "ga2_ecp5")):
        with pytest.raises(RuntimeError, match=f"ga2synth synthesises {top} .* not counter"):
            Ga2synth({"flow_options": {"result": result}, "toplevel": "counter", "parameters": {}}, "work")


def test_the_flow_accepts_the_targets_of_the_core_file() -> None:
    targets = yaml.safe_load((ROOT / "fusesoc.core").read_text())["targets"]
    synthesised = {name: target for name, target in targets.items() if target.get("flow") == "ga2synth"}
    assert set(synthesised) == {"synth_generic", "synth_ecp5"}
    for target in synthesised.values():
        Ga2synth({"flow_options": target["flow_options"], "toplevel": target["toplevel"], "parameters": {}}, "work")
