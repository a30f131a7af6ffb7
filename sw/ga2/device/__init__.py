# SPDX-License-Identifier: Apache-2.0
"""The core as the host sees it: one protocol, a golden and an RTL implementation."""

from ga2.device.protocol import Device, FaultReport, RunResult, Window, run_sync

__all__ = ["Device", "FaultReport", "RunResult", "Window", "run_sync"]
