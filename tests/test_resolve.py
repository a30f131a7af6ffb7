# SPDX-License-Identifier: Apache-2.0
"""Dispatch: every fault alone and in its order, intervals against the words really touched, dependencies."""

import random

import pytest

from ga2.device.protocol import FaultReport, Window
from ga2.golden.hazards import depends
from ga2.golden.resolve import Resolved, State, check_start, resolve
from ga2.isa.assembler import assemble
from ga2.spec import CONFIG_NAMES, load_config
from ga2.timing.ops import LdOp, StOp

NANO = load_config("nano")  # 4096 words of 4 bytes, banks of 512 words
WINDOWS = (Window(0x1000, 0x100), Window(0x2000, 0x100, True), Window(0x3002, 0x100), Window(0x4000, 0x4000))
STATE = State(12, 4, WINDOWS)


def resolved(text: str, state: State = STATE, pc: int = 5) -> Resolved | FaultReport:
    return resolve(assemble(text).instructions[0], pc, NANO, state)


def good(text: str, state: State = STATE) -> Resolved:
    result = resolved(text, state)
    assert isinstance(result, Resolved), result
    return result


MM = "MM m=4 n=8 k=16 out=[0x600:2] left=[0:4] right=[0x200:0]"
SM = "SM rows=2 n=8 len=4 step=4 dst=[0x100:2] src=[0:2] rmul=[0x200:1]"
VADD = "VADD rows=2 n=8 out=[0x400:2] a=[0:2] b=[0x200:2]"

FAULTS = [
    (".word 0x00", "illegal", 0x00),
    (".word 0x1ff", "illegal", 0xFF),
    (".word 0x17f", "illegal", 0x7F),
    (".word 0x3020", "illegal", 0x20),
    (".word 0x0620", "illegal", 0x20),
    ("LD rows=4095+LEN words=1", "dimension", 4107),
    ("LD rows=4095+M words=4095+LEN", "dimension", 4099),
    ("LD words=4095+LEN", "dimension", 4107),
    ("MM n=1 k=4095+LEN", "dimension", 4107),
    (MM.replace("k=16", "k=0"), "dimension", 0),
    (MM.replace("0x600:2", "0x600:1"), "dimension", 1),
    (SM.replace("len=4", "len=0"), "dimension", 0),
    (SM.replace("step=4", "step=5"), "dimension", 9),
    (SM.replace("dst=[0x100:2]", "dst=[0x100:1]"), "dimension", 1),
    (SM.replace("rmul=[0x200:1]", "rmul=[0x200]"), "dimension", 0),
    (VADD.replace("0x400:2", "0x400:1"), "dimension", 1),
    ("AMAX rows=2 n=8 out=[0x400:0] src=[0:2]", "dimension", 0),
    ("LD rows=2 words=3 dst=[0:2] ext=win0[0:3]", "dimension", 2),
    ("LDG rows=2 words=3 limit=4 dst=[0:2] ids=[0x10:1] ext=win3[0:4]", "dimension", 2),
    (f"{MM} const=505", "constant", 505),
    (f"{MM} const=512 uniform=1", "constant", 512),
    (MM.replace("0x600:2", "0xfff:2"), "scratchpad", 0xFFF),
    (MM.replace("0:4]", "0xfff:4]"), "scratchpad", 0xFFF),
    (MM.replace("0x200:0", "0xfe1:0"), "scratchpad", 0xFE1),
    (MM.replace("0x200:0", "0xff1:1") + " right_mode=rows", "scratchpad", 0xFF1),
    (MM.replace("0x200:0", "0xfe1:4") + " right_mode=transposed", "scratchpad", 0xFE1),
    (f"{MM} residual=1 aux=[0xff9:2]", "scratchpad", 0xFF9),
    (f"{MM} rowmul=1 aux=[0xffd:1]", "scratchpad", 0xFFD),
    (SM.replace("0x200:1", "0xfff:1"), "scratchpad", 0xFFF),
    ("LD rows=1 words=1 dst=[0xffff:4095 @ 3*LEN] ext=win0[0:0]", "scratchpad", 0xFFFF + 36 * 4095),
    ("LD rows=1 words=1 dst=[0:1] ext=win2[1:1]", "alignment", 4),
    ("LDG rows=1 words=1 limit=2 dst=[0:1] ids=[1:1] ext=win3[0:3]", "alignment", 0),
    ("LDG rows=1 words=1 limit=2 dst=[0:1] ids=[1:1] ext=win3[0:0]", "alignment", 0),
    ("LDG rows=1 words=1 limit=2 dst=[0:1] ids=[1:1] ext=win3[0:2048]", "alignment", 0),
    ("LDG rows=1 words=5 limit=2 dst=[0:5] ids=[8:1] ext=win3[0:4]", "alignment", 0),
    ("LDG rows=1 words=4 limit=2 dst=[0:4] ids=[8:1] ext=win3[2:4]", "alignment", 8),
    ("LD rows=2 words=1 dst=[0:1] ext=win0[0:64]", "window", 0),
    ("LD rows=1 words=2 dst=[0:1] ext=win0[63:1]", "window", 252),
    ("LD rows=1 words=1 dst=[0:1] ext=win0[0xffffffff:1]", "window", 0xFFFFFFFC),
    ("LDG rows=1 words=4 limit=1025 dst=[0:4] ids=[8:1] ext=win3[0:4]", "window", 0),
    ("ST rows=1 words=1 src=[0:1] ext=win0[2:1]", "read_only", 8),
    (MM.replace("0x200:0", "0x100:0"), "bank", 0x100),
    (f"{MM} residual=1 aux=[0x3fe:1]", "bank", 0x3FE),
    (VADD.replace("0x200:2", "0:2"), "bank", 0),
    (MM.replace("0x600:2", "0x00c:2"), "overlap", 0x00C),
    (f"{MM} residual=1 aux=[0x601:2]", "overlap", 0x600),
    (f"{MM} rowmul=1 aux=[0x600:2]", "overlap", 0x600),
    (VADD.replace("0x400:2", "0:3"), "overlap", 0),
    (SM.replace("0x100:2", "0:3"), "overlap", 0),
    (SM.replace("0x200:1", "0x102:1"), "overlap", 0x100),
    (SM.replace("0x200:1", "0x003:1"), "overlap", 0x100),
    ("AMAX rows=1 n=4 out=[0:1] src=[0:1]", "overlap", 0),
    ("LDG rows=1 words=1 limit=1 dst=[0:1] ids=[0:1] ext=win3[0:1]", "overlap", 0),
]


@pytest.mark.parametrize(("text", "name", "address"), FAULTS)
def test_each_fault(text, name, address):
    assert resolved(text) == FaultReport(name, 5, address)


ORDER = [
    ("MM m=4095+LEN n=8 k=0 const=600 out=[0xffff:0]", "dimension"),
    (MM.replace("k=16", "k=0") + " const=600", "dimension"),
    (MM.replace("0x600:2", "0xfff:2") + " const=600", "constant"),
    (MM.replace("0x600:2", "0xfff:2").replace("0x200:0", "0:0"), "scratchpad"),
    ("LD rows=1 words=1 dst=[0xffff:1] ext=win2[0xffff:1]", "scratchpad"),
    ("LD rows=1 words=1 dst=[0:1] ext=win2[0xffff:1]", "alignment"),
    ("ST rows=1 words=1 src=[0:1] ext=win0[0xffff:1]", "window"),
    (MM.replace("0x200:0", "0:0").replace("0x600:2", "0:2"), "bank"),
]


@pytest.mark.parametrize(("text", "name"), ORDER)
def test_the_first_check_that_fails_wins(text, name):
    fault = resolved(text)
    assert isinstance(fault, FaultReport) and fault.name == name


def test_the_program_counter_comes_first():
    assert resolve(0, NANO.imem_depth, NANO, STATE) == FaultReport("pc", 512, 512)


def test_zero_rows_or_words_skip_every_later_check():
    for text in ("LD rows=0 words=5 dst=[0xffff:0]", "MM m=M n=0 k=0 const=9999", "ST words=1", "SM rows=LEN"):
        operation = good(text, State(0, 4))
        assert operation.no_op and operation.operand_count == 0 and operation.op is None
    assert not good("HALT").no_op


def test_empty_gather_tables_are_legal():
    operation = good("LDG rows=1 words=4 limit=0 dst=[0:4] ids=[8:1] ext=win3[8:8]")
    assert operation.ext is not None and (operation.ext.lo, operation.ext.hi) == (0x4020, 0x4020)


@pytest.mark.parametrize(
    "text",
    [
        "LD rows=1 words=1 dst=[0xfff:1] ext=win0[63:1]",
        "LDG rows=1 words=1 limit=4 dst=[0:1] ids=[8:1] ext=win3[0:1024]",
        SM,
        f"{MM} const=504",
    ],
)
def test_the_last_word_pitch_length_and_constant_are_legal(text):
    good(text)


def test_a_gather_table_is_aligned_by_its_absolute_address():
    state = State(0, 1, (Window(0x1010, 0x100),))
    text = "LDG rows=1 words=4 limit=2 dst=[0:4] ids=[8:1] ext=win0[{}:8]"
    assert resolved(text.format(0), state) == FaultReport("alignment", 5, 0)
    good(text.format(4), state)


@pytest.mark.parametrize(
    "text",
    [
        f"{MM} residual=1 aux=[0x600:2]",
        VADD.replace("0x400:2", "0:2"),
        VADD.replace("0x400:2", "0x200:2"),
        SM.replace("0x100:2", "0:2"),
        MM.replace("0x600", "0x220"),
    ],
)
def test_in_place_and_shared_banks_between_read_and_write_are_legal(text):
    good(text)


def test_start_needs_room_for_the_block():
    assert check_start(NANO, State(304, 16), 7) is None
    assert check_start(NANO, State(305, 16), 7) == FaultReport("len_m", 7, 321)
    assert check_start(NANO, State(0, 17), 7) == FaultReport("len_m", 7, 17)


def test_dense_transfers_move_as_one_row():
    load = good("LD rows=LEN words=4 dst=[0x10:4] ext=win0[0:4]")
    assert load.op == LdOp(dst=0x10, dst_pitch=4, rows=1, words=48, ext_addr=0x1000, ext_pitch_bytes=16)
    store = good("ST rows=M words=1 src=[0x10:4] ext=win1[4:1 @ M]")
    assert store.op == StOp(src=0x10, src_pitch=4, rows=4, words=1, ext_addr=0x2020, ext_pitch_bytes=4)
    assert store.operand_count == 2


def touched(access) -> set[int]:
    return {access.start + row * access.pitch + word for row in range(access.rows) for word in range(access.words)}


@pytest.mark.parametrize("name", CONFIG_NAMES)
def test_intervals_and_banks_cover_exactly_what_is_touched(name):
    config, rng = load_config(name), random.Random(3)
    seen = 0
    for _ in range(400):
        m, n, k = rng.randrange(1, 9), rng.randrange(1, 40), rng.randrange(1, 40)
        mode, flag = rng.choice(["panel", "rows", "transposed"]), rng.choice(["residual=1", "rowmul=1", ""])
        third = config.spad_words // 3
        starts = [rng.randrange(third), third + rng.randrange(third // 2), 2 * third + rng.randrange(third // 2)]
        text = (
            f"MM m={m} n={n} k={k} right_mode={mode} {flag} uniform=1 "
            f"out=[{config.spad_words - 600}:40] left=[{starts[0]}:{rng.randrange(12)}] "
            f"right=[{starts[1]}:{rng.randrange(12)}] aux=[{starts[2]}:{rng.randrange(12)}]"
        )
        operation = resolve(assemble(text).instructions[0], 0, config, STATE)
        if isinstance(operation, FaultReport):
            continue
        seen += 1
        for access in operation.operands:
            words = touched(access)
            assert (min(words), max(words) + 1) == (access.lo, access.hi)
            banks = {word // config.bank_words for word in range(access.lo, access.hi)}
            assert access.banks == sum(1 << bank for bank in banks)
    assert seen > 50


def pair(new: str, old: str) -> bool:
    return depends(good(new), good(old))


def test_dependencies():
    load = "LD rows=1 words=8 dst=[{}:8] ext=win0[0:8]"
    amax = "AMAX rows=1 n=4 out=[{}:1] src=[{}:1]"
    store = "ST rows=1 words=8 src=[{}:8] ext=win1[{}:8]"
    fetch = "LD rows=1 words=8 dst=[0:8] ext=win1[{}:8]"
    assert pair(amax.format(0x400, 0), load.format(0)), "RAW"
    assert not pair(amax.format(0x400, 8), load.format(0)), "neighbouring words, other port"
    assert pair(load.format(0), amax.format(0x400, 0)), "WAR"
    assert pair(load.format(0x400), amax.format(0x400, 0)), "WAW"
    assert pair(load.format(0x410), amax.format(0x400, 0)), "write port of one bank"
    assert pair(store.format(0x10, 0), amax.format(0x400, 0)), "read port of one bank"
    assert not pair(store.format(0x210, 0), amax.format(0x400, 0))
    assert not pair(load.format(0), load.format(0)), "one unit writes in order"
    assert pair(amax.format(0, 0x10), amax.format(0x10, 8)), "RAW within one unit"
    assert not pair(amax.format(8, 0x10), amax.format(0x20, 8)), "WAR within one unit"
    assert pair(fetch.format(0), store.format(0x200, 4)), "external RAW"
    assert not pair(fetch.format(0), store.format(0x200, 8))
    assert pair(store.format(0x200, 4), fetch.format(0)), "external WAR"
    assert not pair(store.format(0x200, 0), store.format(0x200, 0)), "stores go out in order"
    drain = f"{MM} residual=1 aux=[0x400:2]"
    assert pair(MM.replace("left=[0:4]", "left=[0x500:4]"), drain), "the older drain reads while the newer streams"
    assert pair(MM.replace("right=[0x200:0]", "right=[0x500:0]"), drain)
    assert not pair(MM, drain)
    assert not pair(drain, MM)
