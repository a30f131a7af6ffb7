# SPDX-License-Identifier: Apache-2.0
"""The table of scenarios: the imprecise faults, and what the host must not do.

Repetitions walk through positions (beats, rows, registers), so that many of them reach each.
"""

from verif.core.bus_faults import bus_error, gather_id, load_error, load_refused
from verif.core.cut_programs import abort, reset, watchdog, watchdog_load
from verif.core.refused_commands import busy_command, busy_write, fault_start, read_only_write
from verif.core.scenario import Scenario
from verif.core.stall_profile import CHANNELS

KINDS: dict[str, Scenario] = {
    **{f"{kind}_{resp}": bus_error(kind, resp) for kind in ("read", "write") for resp in ("slverr", "decerr")},
    **{f"load_{response}": load_error(response) for response in ("slverr", "decerr")},
    "load_refused": load_refused,
    "gather_id": gather_id,
    **{f"watchdog {channel}": watchdog(channel) for channel in CHANNELS},
    "watchdog LOAD": watchdog_load,
    "abort": abort(),
    "clear_refused": abort(CHANNELS),
    "reset": reset,
    "busy_write": busy_write,
    "read_only_write": read_only_write,
    "busy_start": busy_command("start", "busy_start"),
    "busy_load": busy_command("load", "busy_start"),
    "busy_clear": busy_command("clear", "clear_refused"),
    "fault_start": fault_start,
}
