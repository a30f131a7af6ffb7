# SPDX-License-Identifier: Apache-2.0
"""Faults that the memory's answers cause: error responses, in programs and in LOAD, and ids beyond a gather's limit."""

import random
from dataclasses import replace

from ga2.device.protocol import FaultReport, Window
from ga2.isa.encoding import Dim, Ext, Instruction, Operand, encode
from ga2.spec import Config
from ga2.timing.bursts import PAGE_BYTES
from verif.core.hostile_device import PATIENCE
from verif.core.player import Player
from verif.core.scenario import SETTINGS, Scenario, alone, own, patience, program_with, start_load, stopped
from verif.env.retirement import expected_retirements
from verif.programs.drawing import Drawing
from verif.programs.endings import HALT
from verif.programs.layout import SCRATCH_ADDRESS, SPARE
from verif.programs.program import IMAGE_ADDRESS, Program
from verif.programs.regions import ID_BYTES

GATHER_ROWS = 8
ID_ADDRESS = SCRATCH_ADDRESS - PAGE_BYTES


def bus_error(kind: str, response: str) -> Scenario:
    """SLVERR or DECERR on the beat (a write: the burst) that the variant names; one in four lies in the prologue."""

    async def play(player: Player, rng: random.Random, variant: int) -> None:
        program, outcome, accesses = program_with(player, rng, kind)
        chosen = accesses if variant % 4 == 3 else own(accesses)
        bus = player.config.bus_bytes
        beats = [at for each in chosen if each[0] == kind for at in range(each[1], each[1] + each[2], bus)]
        bad = beats[rng.randrange(len(beats)) if variant % 4 == 3 else variant % len(beats)]
        await player.behave(rng, ready=0.4)
        await player.load(program)
        player.memory.bad = (kind, bad)
        player.rtl.fail(kind, bad, response)
        fault = player.meaning(program).fault
        player.memory.bad = None
        assert fault is not None
        await player.rtl.begin("main", program.length, program.m)
        await player.rtl.until_interrupt(patience(player, outcome))
        fault = replace(fault, name=f"{kind}_{response}")
        await stopped(player, program, fault, list(expected_retirements(outcome)))

    return play


def load_error(response: str) -> Scenario:
    """An error on the beat of the image that the variant names."""

    async def play(player: Player, rng: random.Random, variant: int) -> None:
        program, *_ = program_with(player, rng)
        await player.place(program)
        beats = len(program.image.memory_bytes()) // player.config.bus_bytes
        place = (0, beats - 1, rng.randrange(beats), variant % beats)[variant % 4]
        bad = IMAGE_ADDRESS + place * player.config.bus_bytes
        await player.behave(rng, ready=0.4)
        player.rtl.fail("read", bad, response)
        await start_load(player, program)
        await player.rtl.until_interrupt(PATIENCE)
        await player.check_status_fault(FaultReport(f"read_{response}", 0, bad))
        await player.check_untouched(program)
        player.rtl.heal()
        await player.clear()

    return play


async def load_refused(player: Player, rng: random.Random, variant: int) -> None:
    """An image at a crooked address, or with more instructions or constants than the core holds."""
    config = player.config
    crooked = rng.randrange(1, config.cols)
    many = rng.choice([1, 1, 300])
    register, value, fault = (
        ("IMAGE_ADDR", crooked, "alignment"),
        ("IMAGE_INSTRS", config.imem_depth + many, "pc"),
        ("IMAGE_CONSTS", config.cmem_depth + many, "constant"),
    )[variant % 3]
    for name, usual in (("IMAGE_ADDR", IMAGE_ADDRESS), ("IMAGE_INSTRS", 1), ("IMAGE_CONSTS", 0)):
        await player.rtl.set(name, value if name == register else usual)
    player.trace.begin()
    await player.rtl.command("load")
    await player.rtl.until_interrupt(PATIENCE)
    await player.check_status_fault(FaultReport(fault, 0, value))
    await player.clear()


def _gather_beyond(config: Config, rng: random.Random, row: int) -> tuple[Program, int] | None:
    """A program whose gather takes the id of `row` from ID_ADDRESS, and an id that is too large for it.

    None if the drawn gather has no such row. The id is loaded just before it, through the window that else is empty.
    """
    seed = rng.getrandbits(32)
    drawing = Drawing(config, seed, SETTINGS, random.Random(seed), spare=False)
    generator = drawing.generator
    generator.prologue()
    generator.body(rng.randint(0, 5))
    older, gather = [*generator.words], generator.working("LDG")
    if gather is None or gather.fields["rows"].imm + generator.state.affine(gather.fields["rows"]) <= row:
        return None
    generator.body(3)
    ids, limit = gather.fields["ids"], gather.fields["limit"]
    place = ids.base + (generator.state.affine(ids) + row) * ids.pitch
    load = Instruction("LD", {"rows": Dim(1), "words": Dim(1), "dst": Operand(place, 1), "ext": Ext(0, 1, SPARE)})
    generator.set_window(SPARE, Window(ID_ADDRESS, config.cols))
    words = [*older, encode(load), encode(gather), *generator.words[len(older) :], HALT]
    return drawing.case(words).to_program(), rng.choice([limit, limit + 1, 0xFFFF, 1 << 16, 1 << 31, (1 << 32) - 1])


async def gather_id(player: Player, rng: random.Random, variant: int) -> None:
    """An id at the limit or far beyond it, in the row that the variant names."""
    found = None
    while found is None:
        found = _gather_beyond(player.config, rng, variant % GATHER_ROWS)
    program, bad = found
    program.memory[ID_ADDRESS] = bytes(player.config.cols)
    outcome, _ = alone(player, program)
    program.memory[ID_ADDRESS] = bad.to_bytes(ID_BYTES, "little").ljust(player.config.cols, b"\0")
    await player.behave(rng, ready=0.4)
    await player.load(program)
    fault = player.meaning(program).fault
    assert fault is not None and (fault.name, fault.address) == ("gather_id", bad), fault
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.until_interrupt(patience(player, outcome))
    await stopped(player, program, fault, list(expected_retirements(outcome)))
