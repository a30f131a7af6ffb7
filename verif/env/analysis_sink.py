# SPDX-License-Identifier: Apache-2.0
"""An analysis export that calls a function: lets one component subscribe to several ports."""

from collections.abc import Callable
from typing import Any

from pyuvm import uvm_analysis_export, uvm_component


class AnalysisSink(uvm_analysis_export):
    """Hands everything written to it to `receive`."""

    def __init__(self, name: str, parent: uvm_component, receive: Callable[[Any], None]) -> None:
        super().__init__(name, parent)
        self._receive = receive

    def write(self, datum: Any) -> None:
        """Called by the analysis port."""
        self._receive(datum)
