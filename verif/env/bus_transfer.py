# SPDX-License-Identifier: Apache-2.0
"""What the monitors of the AXI master see: bursts by their addresses, and beats of write data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class BusBurst:
    """A burst that the memory has taken: byte address and beats."""

    address: int
    beats: int

    def __str__(self) -> str:
        return f"{self.beats} beats at {self.address:#x}"


@dataclass(frozen=True)
class BusBeat:
    """A beat of write data that the memory has taken. A byte with an x in it is None."""

    data: tuple[int | None, ...]
    strobes: int
    last: bool

    def __str__(self) -> str:
        digits = "".join("xx" if byte is None else f"{byte:02x}" for byte in self.data)
        return f"{digits} (lowest byte first), strobes {self.strobes:#x}{', last' if self.last else ''}"
