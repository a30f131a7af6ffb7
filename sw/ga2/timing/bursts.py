# SPDX-License-Identifier: Apache-2.0
"""The bursts of a load or store, and the reference memory's fixed latency: what both units' closed forms share."""

from collections.abc import Iterator

from ga2.spec import Config

MEMORY_LATENCY = 8
"""Cycles from an AR handshake to the first R beat, and from a burst's last W beat to its B."""

PAGE_BYTES = 4096
BURST_BEATS = 256


def split_row(config: Config, address: int, words: int) -> Iterator[int]:
    """Beats of the successive bursts of one row: `words` words from byte `address`, a multiple of the word."""
    beats = words * config.beats_per_word
    while beats:
        page_left = (PAGE_BYTES - address % PAGE_BYTES) // config.bus_bytes
        burst = min(beats, BURST_BEATS, page_left)
        yield burst
        beats -= burst
        address += burst * config.bus_bytes


def split_rows(config: Config, address: int, pitch_bytes: int, rows: int, words: int) -> Iterator[int]:
    """Beats of the successive bursts of `rows` rows, `pitch_bytes` apart."""
    for row in range(rows):
        yield from split_row(config, address + row * pitch_bytes, words)
