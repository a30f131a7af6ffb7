# SPDX-License-Identifier: Apache-2.0
"""The synthesis flow before any tool runs, and what it says of a result."""

from typing import Any

import pytest

from ga2 import synth
from ga2.fusesoc.synth import Ga2synth


def flow(**flow_options: Any) -> Ga2synth:
    return Ga2synth({"flow_options": flow_options, "toplevel": "ga2_top", "parameters": {}}, "work")


@pytest.mark.parametrize(
    ("flow_options", "message"),
    [
        ({"config": "huge", "result": "gates"}, "unknown configuration 'huge'"),
        ({"config": "nano", "result": "asic"}, "unknown result 'asic': choose one of gates, ecp5"),
        ({"config": "nano", "result": "ecp5", "seeds": ["1", "x"]}, "seeds must be whole numbers: 1 x"),
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


def test_an_interrupt_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise SystemExit(0)  # what FuseSoC raises on Ctrl-C

    monkeypatch.setattr(synth, "generic", interrupted)
    with pytest.raises(SystemExit) as caught:
        flow(config="nano", result="gates").build()
    assert caught.value.code == 130
