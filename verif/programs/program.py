# SPDX-License-Identifier: Apache-2.0
"""A program as the benches run it: image, external memory to start from, windows, LEN and M."""

from dataclasses import dataclass

from ga2.device.protocol import Window
from ga2.isa.image import Image

MEMORY_BYTES = 1 << 18
"""External memory of the testbenches that run such programs."""
IMAGE_ADDRESS = 0x0
"""Where the image lies in it."""
ENTRY = "main"


@dataclass(frozen=True)
class Program:
    """One program to run at entry `main`. `memory` maps an address to the bytes that lie there before it starts.

    `seed` is what it was drawn from; `name` says which program it is in the messages of whoever runs it.
    """

    seed: int
    image: Image
    memory: dict[int, bytes]
    windows: tuple[Window, ...]
    length: int
    m: int
    name: str
