# SPDX-License-Identifier: Apache-2.0
"""The golden core against a byte-by-byte second implementation, and its faults, records and warnings."""

import random

import numpy as np
import pytest

from ga2.device import FaultReport, Window, run_sync
from ga2.device.golden import GoldenDevice
from ga2.golden.interpreter import Core
from ga2.golden.memory import BusError, Memory
from ga2.isa.assembler import assemble
from ga2.isa.encoding import Constant
from ga2.isa.image import Image, ImageError
from ga2.spec import CONFIG_NAMES, load_config
from tests.scalar_machine import ScalarMachine

NANO = load_config("nano")
IMAGE_AT = 0x8000
DATA = Window(0x0, 0x4000)
OUT = Window(0x4000, 0x4000, True)


def loaded(image: Image, fill: bytes = b"", size: int = 0x20000) -> tuple[Core, Memory]:
    """A core of the image's configuration with the image loaded, and a memory that begins with `fill`."""
    core, memory = Core(load_config(image.config)), Memory(size)
    memory.write(0, fill)
    memory.write(IMAGE_AT, image.memory_bytes())
    core.load_image(memory, IMAGE_AT, len(image.instructions), len(image.constants))
    return core, memory


def run(text: str, fill: bytes = b"", length: int = 0, m: int = 1, **options):
    core, memory = loaded(assemble(text), fill)
    return core, memory, core.run(memory, (DATA, OUT), 0, length, m, **options)


class Programs:
    """Random instructions that are mostly legal: operands in separate thirds of the scratchpad, small shapes."""

    def __init__(self, seed: int, config_name: str) -> None:
        self.rng = random.Random(seed)
        self.config = load_config(config_name)

    def number(self, low: int, high: int) -> int:
        return self.rng.choice([low, high, self.rng.randint(low, high), self.rng.randint(low, high)])

    def area(self, region: int, pitch: int) -> str:
        size = self.config.spad_words // 4
        return f"[{region * size + self.rng.randrange(size // 4)}:{pitch}]"

    def regions(self) -> list[int]:
        return self.rng.sample(range(4), 4)

    def product(self) -> str:
        rng, (out, left, right, aux) = self.rng, self.regions()
        flag = rng.choice(["", "residual=1", "rowmul=1"])
        return (
            f"MM m={rng.randint(1, 9)} n={rng.randint(1, 20)} k={rng.randint(1, 20)} {flag} "
            f"unsigned_left={rng.randint(0, 1)} double_round={rng.randint(0, 1)} uniform={rng.randint(0, 1)} "
            f"right_mode={rng.choice(['panel', 'rows', 'transposed'])} const={rng.randrange(16)} "
            f"zp={self.number(-128, 127)} lo={self.number(-128, 0)} hi={self.number(0, 127)} "
            f"out={self.area(out, 6)} left={self.area(left, rng.randint(0, 6))} "
            f"right={self.area(right, rng.randint(0, 6))} aux={self.area(aux, rng.randint(0, 6))}"
        )

    def softmax(self) -> str:
        rng, (dst, src, rmul, _) = self.rng, self.regions()
        rows, step, length = rng.randint(1, 5), rng.randint(0, 3), rng.randint(1, 9)
        source = self.area(src, 6)
        return (
            f"SM rows={rows} n={length + (rows - 1) * step + rng.randrange(3)} len={length} step={step} "
            f"norm={rng.randint(0, 1)} emul={self.number(0, 65535)} scale={self.number(0, 2**31 - 1)} "
            f"dst={rng.choice([source, self.area(dst, 6)])} src={source} rmul={self.area(rmul, rng.randint(1, 3))}"
        )

    def vector(self) -> str:
        rng, (out, a, b, _) = self.rng, self.regions()
        if rng.random() < 0.3:
            return f"AMAX rows={rng.randint(1, 5)} n={rng.randint(1, 20)} out={self.area(out, 2)} src={self.area(a, 6)}"
        source = self.area(a, 6)
        return (
            f"VEC second={rng.randint(0, 1)} rows={rng.randint(1, 5)} n={rng.randint(1, 20)} "
            f"ma={self.number(-32768, 32767)} mb={self.number(-32768, 32767)} shift={self.number(0, 31)} "
            f"zp={self.number(-128, 127)} lo={self.number(-128, 127)} hi={self.number(-128, 127)} "
            f"out={rng.choice([source, self.area(out, 6)])} a={source} b={self.area(b, 6)}"
        )

    def transfer(self) -> str:
        rng, (here, ids, _, _) = self.rng, self.regions()
        shape = f"rows={rng.randint(1, 6)} words={rng.randint(1, 8)}"
        kind = rng.choice(["LD", "ST", "LDG"])
        if kind == "LDG":
            find = self.area(ids, 1)
            make = f"AMAX rows=6 n=8 out={find} src={self.area(here, 2)}\n"
            return f"{make}LDG {shape} limit=8 dst={self.area(here, 8)} ids={find} ext=win0[0x20:8]"
        name, window = ("dst", 0) if kind == "LD" else ("src", 1)
        return f"{kind} {shape} {name}={self.area(here, rng.randint(8, 9))} ext=win{window}[{rng.randrange(64)}:8]"

    def constant(self) -> Constant:
        rng = self.rng
        bias = rng.choice([0, -(2**31), 2**31 - 1, rng.randint(-40000, 40000)])
        mult, shift = rng.choice([(0, 5), (2**30 + rng.randrange(2**30), rng.randint(30, 44)), (5, 0), (2**31 - 1, 63)])
        return Constant(bias, mult, shift, self.number(-32768, 32767))

    def image(self, size: int) -> Image:
        makers = [self.product, self.softmax, self.vector, self.transfer]
        lines = "\n".join(self.rng.choice(makers)() for _ in range(size))
        words = assemble(lines + "\nHALT").instructions
        return Image(self.config.name, words, [self.constant() for _ in range(36)])


@pytest.mark.parametrize("config_name", CONFIG_NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_random_programs_equal_the_scalar_machine(config_name, seed):
    programs = Programs(seed, config_name)
    image = programs.image(60)
    fill = programs.rng.randbytes(0x4000)
    core, memory = loaded(image, fill)
    scalar = ScalarMachine(core.config.cols, core.config.spad_words, memory.data.tobytes(), image.constants)
    scalar.spad[:] = programs.rng.randbytes(len(scalar.spad))
    core.spad.data[:] = np.frombuffer(bytes(scalar.spad), np.uint8).reshape(core.spad.data.shape)
    entry = executed = 0
    while True:  # instructions that dispatch refuses are skipped: their faults are test_resolve's matter
        outcome = core.run(memory, (DATA, OUT), entry, 0, 1)
        for resolved in outcome.resolved:
            if resolved.op is not None:
                scalar.execute(resolved.op)
        executed += len(outcome.retirements)
        if outcome.fault is None:
            break
        assert outcome.fault.name in ("bank", "overlap", "dimension"), outcome.fault
        entry = outcome.fault.pc + 1
    assert executed >= 30
    assert core.spad.data.tobytes() == bytes(scalar.spad)
    assert memory.data.tobytes() == bytes(scalar.memory)


def test_one_program_serves_every_block_and_cache_length():
    text = "LD rows=M words=1 dst=[0:1] ext=win0[0:1 @ LEN]\nST rows=M words=1 src=[0:1] ext=win1[0:1 @ M]\nHALT"
    fill = bytes(range(64))
    for length, m in ((0, 1), (3, 2), (5, 0)):
        _, memory, outcome = run(text, fill, length, m)
        at = OUT.base + 4 * m
        assert outcome.fault is None and len(outcome.retirements) == 2
        assert memory.read(at, 4 * m).tobytes() == fill[4 * length : 4 * (length + m)]
        assert not memory.read(at + 4 * m, 64).any()


def test_retirements_and_write_sets():
    text = """
        LD rows=2 words=1 dst=[0x10:2] ext=win0[0:1]
        VEC rows=0 n=4 out=[0:1] a=[0x10:1]
        RQ rows=1 n=3 ma=1 lo=-128 hi=127 out=[0x20:1] a=[0x10:1]
        ST rows=1 words=1 src=[0x20:1] ext=win1[2:1]
        HALT
    """
    _, _, outcome = run(text, bytes(range(1, 17)), record_writes=True)
    assert [(one.seq, one.pc, one.op, one.unit, one.dst) for one in outcome.retirements] == [
        (0, 0, "LD", "load", (0x10, 0x13)),
        (1, 1, "VEC", "vector", None),
        (2, 2, "VEC", "vector", (0x20, 0x21)),
        (3, 3, "ST", "store", (OUT.base + 8, OUT.base + 12)),
    ]
    writes = [one.writes for one in outcome.retirements]
    assert writes[0].words == {0x10: b"\1\2\3\4", 0x12: b"\5\6\7\10"}
    assert writes[1].words == {} and writes[1].external == []
    assert writes[2].words == {0x20: b"\1\2\3\0"}, "the padding byte is zero"
    assert writes[3].words == {} and writes[3].external == [(OUT.base + 8, b"\1\2\3\0")]
    assert outcome.resolved[-1].halt


def test_a_precise_fault_keeps_what_is_older_and_starts_nothing_younger():
    text = "LD rows=1 words=1 dst=[0:1] ext=win0[0:1]\nLD rows=1 words=1 dst=[1:1] ext=win3[0:1]\n" + (
        "LD rows=1 words=1 dst=[2:1] ext=win0[0:1]\nHALT"
    )
    core, _, outcome = run(text, b"\xff" * 16)
    assert outcome.fault == FaultReport("window", 1, 0)
    assert core.spad.written[:3].tolist() == [True, False, False]
    assert len(outcome.retirements) == 1


def test_running_off_the_end_and_too_many_rows():
    core, memory = loaded(Image("nano", assemble("LD\n" * 512).instructions))
    assert core.run(memory, (), 510, 0, 1).fault == FaultReport("pc", 512, 512)
    assert core.run(memory, (), 0, 320, 1).fault == FaultReport("len_m", 0, 321)


def test_registers_saturate_at_sixteen_bits():
    core, memory = loaded(Image("nano", assemble("HALT").instructions))
    assert core.run(memory, (), 1 << 16, 0, 1).fault == FaultReport("pc", 0xFFFF, 0xFFFF)
    assert core.run(memory, (), 1 << 20, 1 << 16, 1 << 31).fault == FaultReport("len_m", 0xFFFF, 0x1FFFE)


@pytest.mark.parametrize(
    ("instruction", "name", "address"),
    [
        ("LD rows=3 words=2 dst=[0:2] ext=win2[0:3]", "read_decerr", 0x20004),
        ("LD rows=1 words=8 dst=[0:1] ext=win2[0:1]", "read_decerr", 0x20000),
        ("ST rows=1 words=64 src=[0:1] ext=win2[0:1]", "write_decerr", 0x20000),
        ("LDG rows=2 words=1 limit=3 dst=[0:1] ids=[0x10:1] ext=win0[0:1]", "gather_id", 0xFFFFFFFF),
        ("LDG rows=2 words=1 limit=2 dst=[0:1] ids=[0x10:1] ext=win0[0:1]", "gather_id", 2),
    ],
)
def test_imprecise_faults_name_the_address(instruction, name, address):
    text = f"LD rows=1 words=64 dst=[0:1] ext=win0[0:1]\nLD rows=2 words=1 dst=[0x10:1] ext=win0[64:1]\n{instruction}\n"
    core, memory = loaded(assemble(text + "HALT"), bytes(256) + b"\2\0\0\0\xff\xff\xff\xff")
    windows = (DATA, OUT, Window(0x20000 - 20, 0x1000, True))
    outcome = core.run(memory, windows, 0, 0, 1)
    assert outcome.fault == FaultReport(name, 2, address)
    assert outcome.retirements[-1].fault == name


def test_reads_of_words_never_written_are_listed():
    text = "RQ rows=1 n=4 ma=1 out=[8:1] a=[0:1]\nAMAX rows=1 n=4 out=[9:1] src=[8:1]\nHALT"
    core, _, outcome = run(text)
    assert outcome.fault is None
    assert core.undefined_reads == [(0, "a")]


def test_a_causal_softmax_reads_no_score_beyond_a_row():
    text = "LD rows=2 words=1 dst=[0:2] ext=win0[0:1]\n" + (
        "SM rows=2 n=8 len=3 step=1 emul=900 scale=1 dst=[0x20:2] src=[0:2] rmul=[0x40:1]\nHALT"
    )
    core, _, _ = run(text, bytes(range(8)))
    assert core.undefined_reads == []


def test_images_too_large_and_memory_ends_are_refused():
    core, memory = Core(NANO), Memory(64)
    with pytest.raises(ValueError, match="513 instructions and 0 constants: nano holds 512 and 512"):
        core.load_image(memory, 0, 513, 0)
    with pytest.raises(BusError) as caught:
        core.load_image(memory, 32, 2, 0)
    assert caught.value.address == 64
    with pytest.raises(BusError):
        memory.write(60, bytes(5))
    assert not memory.data.any()


def test_the_golden_device_follows_the_protocol():
    text = ".entry copy\nLD rows=1 words=M dst=[0:1] ext=win0[0:1]\nST rows=1 words=M src=[0:1] ext=win1[0:1]\nHALT"
    seen = []

    def predict(config, outcome):
        seen.append((config.name, [resolved.pc for resolved in outcome.resolved]))
        return {"total": 40}

    async def session(device: GoldenDevice):
        await device.load_image(assemble(text), IMAGE_AT)
        await device.write(DATA.base, b"GA2!more")
        await device.set_windows([DATA, OUT])
        first = await device.run("copy", 0, 1)
        second = await device.run(0, 0, 2)
        return first, second, await device.read(OUT.base, 8)

    device = GoldenDevice(NANO, predict=predict)
    first, second, data = run_sync(session(device))
    assert data == b"GA2!more"
    assert seen == [("nano", [0, 1, 2])] * 2
    assert (first.start_cycle, first.irq_cycle, second.irq_cycle) == (0, 40, 80)
    assert first.fault is None and first.counters == {"total": 40}
    scratchpad, written = device.scratchpad_array()
    assert scratchpad[:8].tobytes() == b"GA2!more" and int(written.sum()) == 8
    assert device.memory_array()[OUT.base] == ord("G")
    with pytest.raises(KeyError, match="no entry 'paste': the image has copy"):
        run_sync(device.run("paste", 0, 1))
    with pytest.raises(ImageError, match="the image is for wide, the core is nano"):
        run_sync(device.load_image(Image("wide", []), 0))
