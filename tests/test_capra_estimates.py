# SPDX-License-Identifier: Apache-2.0
"""The scheduler's estimates beside the timing model's units: off by a known constant, whatever the sizes."""

import pytest

from capra import LEN, Affine, M
from capra.estimate import Estimate, estimate, size
from capra.ops import Op
from ga2.spec import CONFIG_NAMES, Config, load_config
from ga2.timing.load import LoadUnit
from ga2.timing.matrix import MatrixUnit, groups
from ga2.timing.ops import LdOp, MmOp, SmOp, StOp, Times, VecOp
from ga2.timing.softmax import SoftmaxUnit
from ga2.timing.store import StoreUnit
from ga2.timing.vector import VectorUnit

CONFIGS = [load_config(name) for name in CONFIG_NAMES]
FEWER_LANES = [config.model_copy(update={"lanes": config.cols // turns}) for config in CONFIGS for turns in (2, 4)]
ABOVE = {"LD": 2, "LDG": 2, "ST": 11, "VEC": 0, "AMAX": 0, "SM": 28}
"""Cycles by which an estimate lies above the exact time from an operation's start to that of one which needs it."""


def op(opcode: str, **dims: int | Affine) -> Op:
    sizes = {name: each if isinstance(each, Affine) else Affine(each) for name, each in dims.items()}
    return Op(opcode, "node", sizes, {})


def total(times: Times) -> int:
    """From its start to the cycle in which an operation that depends on it starts."""
    return times.end + 1 - times.start


def estimated(found: Estimate) -> int:
    return found.busy + found.latency


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.name)
def test_transfers_take_their_beats_and_the_way_to_memory(config: Config) -> None:
    for rows, words in ((1, 1), (1, 24), (3, 8), (7, 8)):
        beats = rows * words * config.beats_per_word
        exact = {
            "LD": LoadUnit(config).issue(LdOp(rows=rows, words=words, ext_pitch_bytes=256), 0),
            "ST": StoreUnit(config).issue(StOp(rows=rows, words=words, ext_pitch_bytes=256), 0),
            "LDG": LoadUnit(config).issue(LdOp(rows=rows, words=words, gather=True), 0),
        }
        for opcode, times in exact.items():
            found = estimate(op(opcode, rows=rows, words=words), config)
            assert (found.busy, estimated(found)) == (beats, total(times) + ABOVE[opcode]), (opcode, rows, words)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.name)
def test_vector_and_softmax_units_take_a_word_a_cycle(config: Config) -> None:
    """Rows of a softmax are so long here that none waits for the division of the one before."""
    for rows, n in ((1, 1), (1, config.cols), (5, 4 * config.cols + 1), (3, 7 * config.cols - 1)):
        words = rows * -(-n // config.cols)
        exact = VectorUnit(config).issue(VecOp(rows=rows, n=n), 0)
        for opcode in ("VEC", "AMAX"):
            found = estimate(op(opcode, rows=rows, n=n), config)
            assert (found.busy, estimated(found)) == (words, total(exact) + ABOVE[opcode])
        exact = SoftmaxUnit(config).issue(SmOp(rows=rows, n=n, len=n), 0)
        assert estimated(estimate(op("SM", rows=rows, n=n, len=n), config)) == total(exact) + ABOVE["SM"]


@pytest.mark.parametrize("config", CONFIGS + FEWER_LANES, ids=lambda config: f"{config.name}-{config.lanes}")
def test_a_product_holds_the_array_exactly_as_long_as_it_streams(config: Config) -> None:
    """Its drain is taken for 12 cycles and a row's turns, which is right for an array of six columns."""
    for m in (1, config.rows - 1, config.rows, 2 * config.rows):
        for n, k in ((1, 1), (config.cols, config.cols), (config.cols + 1, 5 * config.cols - 1), (3 * config.cols, 2)):
            times = MatrixUnit(config).issue(MmOp(m=m, n=n, k=k), 0)
            found = estimate(op("MM", m=m, n=n, k=k), config)
            assert found.busy == times.ready - times.start, (m, n, k)
            assert estimated(found) == total(times) + 6 + groups(config) - config.cols, (m, n, k)


def test_sizes_are_those_of_a_plain_step_on_sixteen_cached_rows() -> None:
    assert [size(each) for each in (LEN, M, LEN + M - 1, Affine(5, 2, 3))] == [16, 1, 16, 40]
    nano = load_config("nano")
    assert estimate(op("LD", rows=LEN, words=3), nano) == estimate(op("LD", rows=16, words=3), nano)
