# SPDX-License-Identifier: Apache-2.0
"""The core under attack: prepared with garbage, run a block at a time, every row of every tensor read back.

What a program stores is read from the device's external memory. What stays inside (queries, scores, softmax bytes and
multipliers, hidden states) is what the golden core wrote; on the RTL every written scratchpad byte is compared with
the golden core's after each program, so the two speak of the same bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ga2.device.golden import GoldenDevice
from ga2.device.protocol import Device
from ga2.exactness.cases import Setting
from ga2.exactness.models import BYTES, hostile_session, with_raw_weights
from ga2.exactness.trace import Rows, TracedCore, inner_rows
from ga2.isa.assembler import assemble
from ga2.isa.image import Image
from ga2.models.shapes import VOCABULARY, WIDTH
from ga2.spec import Config
from ga2.speculation.chip import ChipPlayer
from ga2.speculation.session import Session, load

CACHES = ("k", "v")
STORED = ("attention", "logits", "choice")
CACHE_WINDOW = 1
CHUNK = 2048  # words of one load of garbage; a size may be 4095


def garbage_program(config: Config, words: int) -> Image:
    """Loads that fill the whole scratchpad from the first `words` words of the cache window."""
    size = min(CHUNK, words)
    lines = [f".config {config.name}", ".entry garbage"]
    for start in range(0, config.spad_words, size):
        count = min(size, config.spad_words - start)
        lines.append(f"LD rows=1 words={count} dst=[{start:#x}] ext=win{CACHE_WINDOW}[0x0]")
    return assemble("\n".join([*lines, "HALT", ""]))


@dataclass
class Prepared:
    """A loaded session and its player; `source` draws what the case still needs."""

    session: Session
    player: ChipPlayer
    source: np.random.Generator


class Subject:
    """A device with its golden core beside it (or the golden device alone, given twice).

    `golden` gets a core that keeps what it writes. `programs` counts the programs run.
    """

    def __init__(self, device: Device, golden: GoldenDevice) -> None:
        self.device = device
        self.config = device.config
        self.core = TracedCore(device.config)
        golden.core = self.core
        self.programs = 0

    async def prepare(self, setting: Setting) -> Prepared:
        """Garbage all over the scratchpad and the caches, the model loaded, the first `length` cache rows made."""
        source = np.random.default_rng(setting.seed)
        session = hostile_session(self.config.name, setting.kind, setting.model_seed)
        if setting.weights != "compiled":
            session = with_raw_weights(session, setting.weights, source)
        await self._spoil(session, source)
        await load(self.device, session)
        prepared = Prepared(session, ChipPlayer(self.device, session), source)
        await self.write_cache(prepared, 0, BYTES["uniform"](source, (2, self.config.max_len, WIDTH)))
        if setting.cached == "decoded":
            tokens = source.integers(0, VOCABULARY, setting.length).tolist()
            for at in range(0, setting.length, self.config.m_max):
                await self.run(prepared, tokens[at : at + self.config.m_max], at)
        else:
            await self.write_cache(prepared, 0, BYTES[setting.cached](source, (2, setting.length, WIDTH)))
        return prepared

    async def _spoil(self, session: Session, source: np.random.Generator) -> None:
        """Every scratchpad word written with random bytes, by a program of its own."""
        window = session.model.windows[CACHE_WINDOW]
        await self.device.write(window.base, BYTES["uniform"](source, (window.size,)).tobytes())
        await self.device.set_windows(session.model.windows)
        image = garbage_program(self.config, window.size // self.config.cols)
        await self.device.load_image(image, session.model.image_address)
        result = await self.device.run("garbage", 0, 1)
        assert result.fault is None, result.fault
        self.programs += 1

    async def write_cache(self, prepared: Prepared, first: int, rows: NDArray[np.int8]) -> None:
        """Keys and values (2, n, WIDTH) from cache row `first` on."""
        for name, values in zip(CACHES, rows, strict=True):
            symbol = prepared.session.target.outputs[name]
            await self.device.write(symbol.address + first * symbol.pitch, symbol.pack(values))

    async def spoil_cache(self, prepared: Prepared, first: int) -> None:
        """New garbage in every cache row from `first` on: what rejected tokens and former decodings leave behind."""
        rows = self.config.max_len - first
        await self.write_cache(prepared, first, BYTES["uniform"](prepared.source, (2, rows, WIDTH)))

    async def cache(self, prepared: Prepared) -> NDArray[np.uint8]:
        """All keys and values as stored: (2, MAX_LEN, row bytes)."""
        found = []
        for name in CACHES:
            symbol = prepared.session.target.outputs[name]
            data = await self.device.read(symbol.address, self.config.max_len * symbol.pitch)
            found.append(np.frombuffer(data, np.uint8).reshape(self.config.max_len, symbol.pitch))
        return np.array(found)

    async def run(self, prepared: Prepared, tokens: Sequence[int], length: int) -> Rows:
        """One target pass; DecodeError if it faults. Every tensor, a row a token."""
        await prepared.player.verify(tokens, length)
        self.programs += 1
        program = prepared.session.target
        rows = inner_rows(program, self.core)
        for name in (*STORED, *CACHES):
            symbol = program.outputs[name]
            first = length if name in CACHES else 0
            data = await self.device.read(symbol.address + first * symbol.pitch, len(tokens) * symbol.pitch)
            rows[f"stored {name}"] = np.frombuffer(data, np.uint8).reshape(len(tokens), symbol.pitch)
        return rows
