# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the burst engine: every burst of every job, the cycle it is made in, and what a kill leaves.

The engine is max-plus: a burst is made a cycle after the former one, later if there is no room or an address still
waits. So the model needs the jobs, and in each cycle room and ready.
"""

import os
import random
from collections import deque
from dataclasses import asdict, dataclass

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from ga2.device.clock import start_clock
from verif.unit.axi_rules import PAGE_BYTES, AddressRules
from verif.unit.op_bits import pack_struct, unpack_struct

COLS = int(os.environ["GA2_COLS"])
BUS_BYTES = int(os.environ["GA2_BUS_BYTES"])
SEED = int(os.environ.get("GA2_SEED", "0"))
LONGEST = 256  # beats
PACKAGE = "ga2_mem_pkg"


@dataclass(frozen=True)
class Job:
    """A rectangle of words; the fields of job_t."""

    slot: int
    last: int
    spad: int
    spad_pitch: int
    rows: int
    words: int
    ext_addr: int
    ext_pitch_bytes: int

    def bursts(self) -> list[dict[str, int]]:
        """The fields of burst_t of each burst: to the end of its row, its page, or 256 beats."""
        found = []
        for row in range(self.rows):
            address, spad = self.ext_addr + row * self.ext_pitch_bytes, self.spad + row * self.spad_pitch
            left = self.words
            while left:
                words = min(left, (PAGE_BYTES - address % PAGE_BYTES) // COLS, LONGEST * BUS_BYTES // COLS)
                found.append({"slot": self.slot, "last": 0, "spad": spad % 2**16, "words": words, "addr": address})
                address, spad, left = address + words * COLS, spad + words, left - words
        found[-1]["last"] = self.last
        return found


def random_job(rng: random.Random) -> Job:
    """Rows of one word to some pages; one in two begins close below a page boundary."""
    page, burst = PAGE_BYTES // COLS, LONGEST * BUS_BYTES // COLS
    near = [1, 1, 2, 3, burst - 1, burst, burst + 1, page - 1, page, page + 1, rng.randint(1, 3 * page)]
    words, rows = rng.choice(near), rng.choice([1, 1, 2, 3, rng.randint(1, 9)])
    start = rng.randrange(2**20) * COLS
    if rng.random() < 0.5:
        start = max(0, rng.randint(1, 2**12) * PAGE_BYTES - rng.randint(0, 4) * COLS)
    pitch = (words + rng.choice([0, 1, rng.randint(0, page)])) * COLS
    slot, last, spad, spad_pitch = (rng.randrange(2**bits) for bits in (3, 1, 16, 12))
    return Job(slot, last, spad, spad_pitch, rows, words, start, pitch)


class Bench:
    """The engine, the jobs it was given and the bursts that must follow, by job."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut = dut
        self.rng = rng
        self.rules = AddressRules("Ax", BUS_BYTES)
        self.jobs: deque[deque[dict[str, int]]] = deque()  # bursts to come: of the job walked, of the one that waits
        self.valid: tuple[int, int] | None = None  # address and length on the bus
        self.made = 0

    async def reset(self) -> None:
        dut = self.dut
        for name in ("kill_i", "job_valid_i", "job_i", "job_in_page_i", "ax_ready_i", "room_i", "rst_ni"):
            getattr(dut, name).value = 0
        await start_clock(dut.clk_i)
        for _ in range(3):
            await RisingEdge(dut.clk_i)
        dut.rst_ni.value = 1

    async def step(self, job: Job | None, ready: bool, room: bool, kill: bool = False) -> bool:
        """One cycle: check it against the model, and go on in both. True if the job was accepted."""
        dut = self.dut
        dut.job_valid_i.value = int(job is not None)
        noise = self.rng.getrandbits(len(dut.job_i))
        dut.job_i.value = noise if job is None else pack_struct("job_t", asdict(job), PACKAGE)
        in_page = job is not None and job.rows == 1 and job.ext_addr % PAGE_BYTES + job.words * COLS <= PAGE_BYTES
        dut.job_in_page_i.value = int(in_page and self.rng.random() < 0.5)
        dut.ax_ready_i.value, dut.room_i.value, dut.kill_i.value = int(ready), int(room), int(kill)
        await FallingEdge(dut.clk_i)

        accepts = len(self.jobs) < 2
        assert bool(dut.job_ready_o.value) == accepts
        assert bool(dut.active_o.value) == bool(self.jobs)
        makes = bool(self.jobs) and room and not kill and (self.valid is None or ready)
        assert bool(dut.burst_valid_o.value) == makes, f"makes a burst: {not makes}, expected {makes}"
        assert bool(dut.ax_valid_o.value) == (self.valid is not None)
        seen = (int(dut.ax_addr_o.value), int(dut.ax_len_o.value)) if self.valid else (0, 0)
        assert self.valid is None or seen == self.valid
        self.rules.check_burst(self.valid is not None, ready, *seen)
        if makes:
            burst = self.jobs[0].popleft()
            record = unpack_struct("burst_t", int(dut.burst_o.value), PACKAGE)
            assert record == burst, f"burst {record}, expected {burst}"
            self.made += 1
        await RisingEdge(dut.clk_i)

        if makes:
            self.valid = (burst["addr"], burst["words"] * COLS // BUS_BYTES - 1)
        elif ready:
            self.valid = None
        if self.jobs and not self.jobs[0]:
            self.jobs.popleft()
        if job is not None and accepts:
            self.jobs.append(deque(job.bursts()))
        if kill:
            self.jobs.clear()
        return job is not None and accepts


async def play(bench: Bench, cycles: int, ready: float, room: float, offered: float, kill: float = 0.0) -> None:
    """Offer random jobs for some cycles, with these probabilities."""
    rng, job = bench.rng, None
    for _ in range(cycles):
        if job is None and rng.random() < offered:
            job = random_job(rng)
        if await bench.step(job, rng.random() < ready, rng.random() < room, rng.random() < kill):
            job = None


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def jobs_without_a_gap(dut) -> None:
    """Always room, always ready, always a job: a burst in every cycle from the first on."""
    bench = Bench(dut, random.Random(SEED))
    await bench.reset()
    await play(bench, 1500, ready=1.0, room=1.0, offered=1.0)
    assert bench.made >= 1499


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def jobs_under_pauses(dut) -> None:
    """Every mix of no room, no ready and no job."""
    bench = Bench(dut, random.Random(SEED + 1))
    await bench.reset()
    for ready in (0.2, 1.0):
        for room in (0.3, 1.0):
            for offered in (0.1, 1.0):
                await play(bench, 300, ready, room, offered)
    assert bench.made > 300


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def killed(dut) -> None:
    """A kill drops both jobs at once, but never an address that is valid on the bus."""
    bench = Bench(dut, random.Random(SEED + 2))
    await bench.reset()
    await play(bench, 1500, ready=0.4, room=0.8, offered=0.9, kill=0.08)
    assert bench.made > 150
