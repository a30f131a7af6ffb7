# SPDX-License-Identifier: Apache-2.0
"""Waveforms without a simulator: what instructions are called, which programs are a block, who is blamed, the files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from vcd import VCDWriter

from ga2.decoding import Request
from ga2.decoding.backends import MEMORY_BYTES
from ga2.decoding.parts import player_of, session_of
from ga2.device.compare import Contents
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import run_sync
from ga2.isa.encoding import decode as decode_word
from ga2.spec import CONFIG_NAMES, load_config
from ga2.speculation.chip import decode
from ga2.stimulus import build_session
from ga2.waves.blame import first_wrong
from ga2.waves.dump import CYCLE_PS, PROBE, TOP, Dump, DumpError, text_of
from ga2.waves.expected import NoSuchBlock, Recorder, expected_block
from ga2.waves.savefile import save_file
from ga2.waves.signals import groups
from ga2.waves.texts import TEXT_BYTES, texts, write_hex
from ga2.waves.window import BlockWindow

NANO = load_config("nano")
NOISY = Request(noise=4.0, tokens=12)
FORMS = (NOISY, replace(NOISY, form="block"), Request(target="random", draft="trigram", tokens=12))


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_every_instruction_is_called_by_its_mnemonic(config: str) -> None:
    model = build_session(config, target="random").model
    named = texts(model)
    for pc, word in enumerate(model.image.instructions):
        assert named[pc].split()[0] == decode_word(word).op
        assert len(named[pc]) <= TEXT_BYTES and named[pc].isascii()
    assert any(text.startswith("MM q = x.Wq[") for text in named.values())
    assert {"LDG x = E[ids]", "MM scores = q.keys^T", "SM probabilities = softmax(scores)", "ST k -> k_cache"} <= set(
        named.values()
    )
    assert any(text.startswith("MM h = x + attention.Wo[") for text in named.values())
    assert any(text.startswith("MM f = relu(h.W1[") for text in named.values())


def test_texts_travel_as_right_aligned_ascii(tmp_path: Path) -> None:
    write_hex(tmp_path / "lanes.hex", ["HALT", ""])
    first, second = (tmp_path / "lanes.hex").read_text().splitlines()
    assert len(first) == len(second) == 2 * TEXT_BYTES
    assert (text_of(int(first, 16)), text_of(int(second, 16))) == ("HALT", "")


@pytest.mark.parametrize("request_", FORMS, ids=["separate", "block", "host"])
@pytest.mark.parametrize("block", [1, 2, 4])
def test_the_window_announces_the_programs_of_one_block(request_: Request, block: int) -> None:
    session = session_of(request_, NANO)
    expected = expected_block(NANO, session, request_, block, MEMORY_BYTES)
    announced: list[tuple[str, bool]] = []

    async def announce(title: str, last: bool) -> None:
        announced.append((title, last))

    window = BlockWindow(GoldenDevice(NANO, MEMORY_BYTES), announce, session, block)
    decoded = run_sync(
        decode(window, session, k=request_.k, start=request_.start, tokens=expected.emitted,
               player_of=player_of(request_))
    )  # fmt: skip
    assert decoded.blocks_run[block - 1] == expected.block and len(decoded.blocks_run) == block
    where = f"LEN={expected.length} M={expected.m}"
    guesses = [(f"guess {number}", False) for number in (1, 2, 3)]
    assert announced == {
        "separate": [*guesses, (f"verify {where}", True)],
        "block": [(f"block {where}", True)],
        "host": [(f"verify {where}", True)],
    }["host" if request_.guesses_on_host else request_.form]
    assert [(seen.entry, seen.length, seen.m) for seen in window.programs] == [
        (each.run.entry, each.run.length, each.run.m) for each in expected.programs
    ]


def test_a_block_without_a_program_of_its_own_is_dumped_as_programs() -> None:
    """The last rows of the cache have no room for k guesses; the block program of the fewer may be missing."""
    request = replace(NOISY, form="block", tokens=NANO.max_len)
    session = session_of(replace(request, tokens=12), NANO)  # one with k guesses alone
    blocks = run_sync(
        decode(GoldenDevice(NANO, MEMORY_BYTES), session, k=request.k, start=0, tokens=request.tokens,
               player_of=player_of(request))
    ).blocks_run  # fmt: skip
    clipped = [number for number, block in enumerate(blocks, 1) if 1 <= len(block.guesses) < request.k]
    assert clipped
    for number in (clipped[0] - 1, clipped[0]):
        expected = expected_block(NANO, session, request, number, MEMORY_BYTES)
        assert expected.block == blocks[number - 1]
        assert len(expected.programs) == (expected.m if number == clipped[0] else 1)


def test_a_block_is_described_by_what_was_committed_before_it() -> None:
    config, session = NANO, session_of(NOISY, NANO)
    blocks = [expected_block(config, session, NOISY, number, MEMORY_BYTES) for number in (1, 2, 3)]
    assert blocks[0].before == (0,) and blocks[0].length == 0
    for earlier, later in zip(blocks, blocks[1:], strict=False):
        assert later.before == earlier.before + earlier.block.emitted
        assert later.length == len(later.before) - 1
    for block in blocks:
        assert [each.resolved[-1].halt for each in block.programs] == [True] * len(block.programs)
    with pytest.raises(NoSuchBlock, match=rf"no block 99: this decoding has {blocks[0].blocks}, counted from 1"):
        expected_block(config, session, NOISY, 99, MEMORY_BYTES)


def test_the_earliest_writer_of_a_wrong_byte_is_blamed() -> None:
    config, session = NANO, session_of(NOISY, NANO)
    recorder = Recorder()
    device = GoldenDevice(config, MEMORY_BYTES, recorder.predict)
    run_sync(decode(device, session, k=1, start=0, tokens=1))
    program, golden = recorder.programs[-1], device.contents()

    def seen(scratchpad: dict[int, int] | None = None, memory: dict[int, int] | None = None, x: int | None = None):
        copy = Contents(golden.memory.copy(), golden.scratchpad.copy(), golden.known.copy())
        for at, flip in (scratchpad or {}).items():
            copy.scratchpad[at] ^= flip
        for at, flip in (memory or {}).items():
            copy.memory[at] ^= flip
        if x is not None:
            copy.known[x] = False
        return first_wrong(program, golden, copy, config.cols)

    writes = {resolved.pc: resolved for resolved in program if resolved.writes}
    last = [pc for pc, resolved in writes.items() if resolved.instruction.op == "AMAX"][0]
    residual = [pc for pc, resolved in writes.items() if resolved.instruction.fields.get("residual")][0]
    choice, h = (writes[pc].writes[0].start * config.cols for pc in (last, residual))
    store = program[-2]  # the choice, just before HALT
    assert store.ext is not None
    assert seen() is None
    assert seen({choice: 1}).pc == last
    assert seen({h: 0x80, choice: 1}).pc == residual
    assert seen({choice: 1}).found.address == choice
    assert seen(memory={store.ext.lo: 4}).pc == store.pc
    assert seen({choice: 1}, {store.ext.lo: 1}).pc == last
    assert seen(x=choice).pc == last
    nobody = int(np.flatnonzero(~golden.known)[0])
    assert seen({nobody: 1}) is None


def every_signal() -> dict[str, int]:
    """The signals of the save file with plausible widths."""
    widths = {signal.name: 320 if signal.datafmt == "ascii" else 16 for group in groups() for signal in group.signals}
    single = {f"{TOP}.clk", f"{TOP}.irq", f"{TOP}.dut.start", f"{TOP}.trace_valid"}
    rest = {f"{TOP}.trace_{name}": 16 for name in ("pc", "opcode", "fault")}
    return widths | rest | dict.fromkeys(single, 1)


def write_dump(path: Path, signals: dict[str, int], changes: list[tuple[int, str, int]], cycles: int) -> Dump:
    """A dump of `cycles` cycles from 500 ns on: (cycle, signal, value); everything else is 0."""
    first = 500_000
    with path.open("w") as stream, VCDWriter(stream, timescale="1 ps", init_timestamp=first) as writer:
        variables = {}
        for name, width in signals.items():
            scope, _, leaf = name.rpartition(".")
            variables[name] = writer.register_var(scope, leaf, "wire", size=width, init=0)
        events = [(first + cycle * CYCLE_PS, name, value) for cycle, name, value in changes]
        for cycle in range(cycles):
            at = first + cycle * CYCLE_PS
            events += [(at, f"{TOP}.clk", 1), (at + CYCLE_PS // 2, f"{TOP}.clk", 0)]
        for at, name, value in sorted(events, key=lambda event: event[0]):
            writer.change(variables[name], at, value)
    return Dump(path)


def ascii_value(text: str) -> int:
    return int.from_bytes(text.encode(), "big")


def test_a_dump_is_read_in_cycles(tmp_path: Path) -> None:
    lane, halt = f"{PROBE}.softmax", ascii_value("HALT")
    changes = [
        (0, f"{TOP}.dut.start", 1), (1, f"{TOP}.dut.start", 0),
        (2, lane, ascii_value("SM one")), (5, lane, ascii_value("SM two")), (6, lane, 0),
        (7, f"{TOP}.trace_valid", 1), (7, f"{TOP}.trace_pc", 41), (7, f"{PROBE}.retire", halt),
        (8, f"{TOP}.trace_pc", 42), (9, f"{TOP}.trace_valid", 0), (9, f"{TOP}.irq", 1),
    ]  # fmt: skip
    dump = write_dump(tmp_path / "d.vcd", every_signal(), changes, 10)
    assert (dump.start, dump.cycles()) == (500_000, 10)
    assert [(span.text, span.first, span.last) for span in dump.spans(lane)] == [("SM one", 2, 5), ("SM two", 5, 6)]
    assert [(each.cycle, each.pc, each.text) for each in dump.retirements()] == [(7, 41, "HALT"), (8, 42, "HALT")]
    assert (dump.rises(f"{TOP}.dut.start"), dump.rises(f"{TOP}.irq")) == ([0], [9])
    with pytest.raises(DumpError, match="no signal ga2_tb.nothing"):
        dump.width("ga2_tb.nothing")
    with pytest.raises(DumpError, match="no such dump"):
        Dump(tmp_path / "missing.vcd")


def test_the_save_file_names_only_what_the_dump_holds(tmp_path: Path) -> None:
    signals = every_signal()
    changes = [(0, f"{TOP}.dut.start", 1), (1, f"{TOP}.dut.start", 0), (19, f"{TOP}.irq", 1)]
    dump = write_dump(tmp_path / "d.vcd", signals, changes, 20)
    text = save_file(dump, tmp_path / "d.vcd", ["block 1 of 3: LEN = 0, M = 4"])
    traces = [line.rpartition(" ")[2] for line in text.splitlines() if line.startswith("+{")]
    assert len(traces) == sum(len(group.signals) for group in groups())
    for trace in traces:
        name, _, _ = trace.rpartition("[") if trace.endswith(":0]") else (trace, "", "")
        assert trace == (name if signals[name] == 1 else f"{name}[{signals[name] - 1}:0]")
    assert "[*] block 1 of 3: LEN = 0, M = 4" in text
    assert f'[dumpfile] "{tmp_path / "d.vcd"}"' in text
    assert "[markername] ASTART 1" in text and "[markername] Birq" in text
    assert "500000 500000 690000 -1" in text  # the primary marker, a and b
    missing = f"{TOP}.dut.u_backend.u_softmax.rd_en_o"
    del signals[missing]
    poorer = write_dump(tmp_path / "e.vcd", signals, changes, 20)
    with pytest.raises(DumpError, match=missing):
        save_file(poorer, tmp_path / "e.vcd", [])


def test_groups_show_one_block_at_a_glance_and_every_unit() -> None:
    first, *others = groups()
    assert not first.closed and all(group.closed for group in others)
    titles = " ".join(group.title for group in others)
    for word in ("AXI4-LITE", "DISPATCH", "LOAD", "MATRIX", "VECTOR", "SOFTMAX", "STORE", "AXI4 MASTER", "COUNTERS"):
        assert word in titles
    for group in groups():
        assert len({signal.name for signal in group.signals}) == len(group.signals)


def test_a_clipped_last_block_is_dumped_whole() -> None:
    request = replace(NOISY, tokens=1)
    expected = expected_block(NANO, session_of(request, NANO), request, 1, MEMORY_BYTES)
    assert expected.blocks == 1 and expected.emitted >= 1 and len(expected.programs) == 4
