# SPDX-License-Identifier: Apache-2.0
"""Synthesis: `synthesise(config)` on an ECP5, placed and routed; `generic(config)` to gates, without a device."""

from ga2.synth.flow import SEEDS, Generic, folder, generic, synthesise
from ga2.synth.measured import Measurement

__all__ = ["SEEDS", "Generic", "Measurement", "folder", "generic", "synthesise"]
