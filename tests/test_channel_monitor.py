# SPDX-License-Identifier: Apache-2.0
"""What the monitors of channels take for a handshake."""

from dataclasses import dataclass

import pytest
from cocotb.types import Logic

from verif.env.channel_monitor import high


@dataclass
class Signal:
    value: Logic
    _path: str = "tb.ar_valid"


def test_a_handshake_is_one_or_zero_and_nothing_else() -> None:
    assert high(Signal(Logic("1"))) and not high(Signal(Logic("0")))
    for value in "XZ":
        with pytest.raises(ValueError, match=f"tb.ar_valid is {value}: a handshake must be 0 or 1"):
            high(Signal(Logic(value)))
