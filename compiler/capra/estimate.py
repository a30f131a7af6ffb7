# SPDX-License-Identifier: Apache-2.0
"""Rough cycles of an operation, enough to order a program; `ga2.timing` has the exact ones.

Estimates are made for one nominal block on one nominal cache: the order of a program cannot depend on LEN and M.
"""

from dataclasses import dataclass

from capra.affine import Affine
from capra.ops import Op
from ga2.spec import Config

NOMINAL_LEN = 16
NOMINAL_M = 1
LOAD_LATENCY = 13
GATHER_LATENCY = 16
DRAIN = 12
VECTOR_LATENCY = 5
DIVISION = 40
STORE_LATENCY = 24


@dataclass(frozen=True)
class Estimate:
    """busy: cycles of the unit (for loads: of the data bus). latency: further cycles until the result is there."""

    busy: int
    latency: int


def size(value: Affine) -> int:
    """A size of the nominal block."""
    return value.at(NOMINAL_LEN, NOMINAL_M)


def _matrix(op: Op, config: Config) -> Estimate:
    m, n, k = (size(op.dims[name]) for name in ("m", "n", "k"))
    drain = config.cols // config.lanes
    tile = max(config.cols * -(-k // config.cols), config.rows * drain, config.cols + (config.rows - 1) * (drain - 1))
    tiles = -(-n // config.cols) * -(-m // config.rows)
    return Estimate(tiles * tile, DRAIN + min(m, config.rows) * drain)


def _softmax(op: Op, config: Config) -> Estimate:
    rows, words = size(op.dims["rows"]), -(-size(op.dims["n"]) // config.cols)
    return Estimate(2 * rows * words + DIVISION, VECTOR_LATENCY)


def _vector(op: Op, config: Config) -> Estimate:
    return Estimate(size(op.dims["rows"]) * -(-size(op.dims["n"]) // config.cols), VECTOR_LATENCY)


def _transfer(op: Op, config: Config) -> Estimate:
    beats = size(op.dims["rows"]) * size(op.dims["words"]) * config.beats_per_word
    latency = {"LD": LOAD_LATENCY, "LDG": GATHER_LATENCY, "ST": STORE_LATENCY}[op.opcode]
    return Estimate(beats, latency)


_RULES = {"matrix": _matrix, "softmax": _softmax, "vector": _vector, "load": _transfer, "store": _transfer}


def estimate(op: Op, config: Config) -> Estimate:
    """The estimate of one operation."""
    return _RULES[op.unit](op, config)
