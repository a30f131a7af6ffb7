# SPDX-License-Identifier: Apache-2.0
"""The store unit in both simulators, at the bus and word sizes of every configuration."""

import json
import shutil
from pathlib import Path

import pytest

from ga2.sim.bench import bench
from ga2.spec import CONFIG_NAMES, load_config

HERE = Path(__file__).parent
TIMED = "cycles_equal_the_closed_form"
OTHERS = (
    "bytes_survive_backpressure",
    "every_bad_burst_is_reported",
    "a_killed_unit_ends_its_bursts",
    "a_killed_unit_ends_its_bursts_under_backpressure",
    "beats_beyond_the_memory_are_decode_errors",
)


def run(config: str, sim: str, tests: str | tuple[str, ...], keep: bool = False) -> Path | None:
    sizes = load_config(config)
    done = bench(
        "ga2_store_tb",
        HERE / "store_bench.py",
        sim,
        {"COLS": sizes.cols, "BUS_BYTES": sizes.bus_bytes},
        [HERE / "ga2_store_tb.sv"],
        testcase=tests,
        env={"GA2_COLS": str(sizes.cols), "GA2_BUS_BYTES": str(sizes.bus_bytes)},
        internals=False,
        keep=keep,
    )
    assert done.tests == (1 if isinstance(tests, str) else len(tests))
    return done.directory


def memory_bytes(path: Path, bus_bytes: int) -> bytes:
    """The bytes of a $writememh dump."""
    words = [line for line in path.read_text().split("\n") if line and not line.startswith(("//", "@"))]
    return b"".join(int(word, 16).to_bytes(bus_bytes, "little") for line in words for word in line.split())


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_store(config: str, sim: str) -> None:
    run(config, sim, OTHERS)


@pytest.mark.simulation
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_store_cycles_and_memory(config: str, sim: str) -> None:
    directory = run(config, sim, TIMED, keep=True)
    assert directory is not None
    memory = memory_bytes(directory / "memory.hex", load_config(config).bus_bytes)
    expected = bytearray([0xAA]) * len(memory)
    for address, data in json.loads((directory / "expected.json").read_text()):
        expected[address : address + len(data) // 2] = bytes.fromhex(data)
    assert memory == expected
    shutil.rmtree(directory)
