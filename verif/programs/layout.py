# SPDX-License-Identifier: Apache-2.0
"""Where the data of generated programs lies in external memory, and through which windows they see it."""

from ga2.device.protocol import Window
from ga2.spec import Config

TABLE_ADDRESS, TABLE_BYTES = 0x10000, 1 << 14
FILL_ADDRESS = 0x18000
SCRATCH_ADDRESS, SCRATCH_BYTES = 0x3A000, 1 << 14
TABLE, SCRATCH, FILL, SPARE = range(4)
ID_ROWS = 33
"""Ids in each of the two lists at the beginning of the filling data."""
FILL_WORDS = 2048
"""Words of the filling data, ids included."""


def fixed_windows(config: Config) -> tuple[Window, Window, Window]:
    """A table, a scratch region that stores may reach, and the data that fills the scratchpad; the fourth is spare."""
    return (
        Window(TABLE_ADDRESS, TABLE_BYTES),
        Window(SCRATCH_ADDRESS, SCRATCH_BYTES, True),
        Window(FILL_ADDRESS, FILL_WORDS * config.cols),
    )


def spare_windows(config: Config) -> tuple[Window, ...]:
    """What the fourth window may be: empty, or another view of the others, beginning on a page."""
    return (
        Window(0, 0),
        Window(SCRATCH_ADDRESS, SCRATCH_BYTES, True),
        Window(SCRATCH_ADDRESS + SCRATCH_BYTES // 2, SCRATCH_BYTES // 2, True),
        Window(SCRATCH_ADDRESS, SCRATCH_BYTES - config.cols),
        Window(TABLE_ADDRESS, TABLE_BYTES),
    )
