# SPDX-License-Identifier: Apache-2.0
"""What the host does to a program under way: abort, reset, or a watchdog that is too short."""

from ga2.device.rtl import RtlDevice


async def interfere(device: RtlDevice, kind: str, cycles: int) -> bool:
    """After START: the "abort" or "reset", `cycles` later; nothing for any other kind. False if no end will come."""
    if kind not in ("abort", "reset"):
        return True
    await device.cycles(cycles)
    if kind == "reset":
        await device.reset()
        return False
    await device.abort()
    return True
