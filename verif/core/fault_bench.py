# SPDX-License-Identifier: Apache-2.0
"""The fault campaign's cases in a simulation (`campaign_bench`)."""

import cocotb

from verif.core import fault_case
from verif.core.campaign_bench import play_all


@cocotb.test()
async def fault_cases(dut) -> None:
    """Each case, and after each a program that must be right in full."""
    await play_all(dut, fault_case.name_of, fault_case.play)
