# SPDX-License-Identifier: Apache-2.0
"""What the registers that never change say of a core: ID and CONFIG0 to CONFIG3 (`spec/registers.yaml`)."""

from ga2.spec import REGISTER_MAP, Config


def identity(config: Config) -> dict[str, int]:
    """The value of each such register on a core of this configuration."""
    bytes_of = {
        "CONFIG0": (config.rows, config.cols, config.bus_bytes, config.lanes),
        "CONFIG3": (config.m_max, config.banks, config.window_slots),
    }
    halves_of = {
        "CONFIG1": (config.spad_words, config.max_len),
        "CONFIG2": (config.imem_depth, config.cmem_depth),
    }
    return {
        "ID": REGISTER_MAP.magic,
        **{name: _packed(values, 8) for name, values in bytes_of.items()},
        **{name: _packed(values, 16) for name, values in halves_of.items()},
    }


def _packed(values: tuple[int, ...], width: int) -> int:
    """Fields of one width, the lowest first; each as the register shows it, without its upper bits."""
    return sum((value & ((1 << width) - 1)) << place * width for place, value in enumerate(values))
