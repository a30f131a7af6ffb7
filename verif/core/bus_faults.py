# SPDX-License-Identifier: Apache-2.0
"""Faults that the memory's answers cause: error responses, in programs and in LOAD, and ids beyond a gather's limit."""

import random
from dataclasses import replace

from ga2.device.protocol import FaultReport
from ga2.isa.encoding import encode
from verif.core.hostile_device import PATIENCE
from verif.core.player import Player, put
from verif.core.precise_programs import HALT
from verif.core.random_programs import FILL_ADDRESS, IDS_BELOW, Generator, finished
from verif.core.scenario import Scenario, alone, own, patience, program_with, start_load, stopped
from verif.env.retirement import expected_retirements
from verif.programs.program import IMAGE_ADDRESS

GATHER_ROWS = 8


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
        put(player.memory, program)
        for address, data in program.memory.items():
            await player.rtl.write(address, data)
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


async def gather_id(player: Player, rng: random.Random, variant: int) -> None:
    """An id at the limit or far beyond it, in the row that the variant names."""
    row = variant % GATHER_ROWS
    while True:
        seed = rng.getrandbits(32)
        generator = Generator(player.config, seed)
        if max(generator.m, 2 * player.config.rows) > row:
            break
    while True:
        gather = generator.working("LDG")
        word = encode(gather)
        rows = gather.fields["rows"].imm + generator.state.affine(gather.fields["rows"])
        if rows > row and not generator.writes_ids(word):
            break
    older = [generator.instruction() for _ in range(rng.randint(0, 5))]
    body = [*generator.prologue(), *older, word, *(generator.instruction() for _ in range(3)), HALT]
    program = finished(generator, seed, body)
    outcome, _ = alone(player, program)
    bad = rng.choice([IDS_BELOW, IDS_BELOW + 1, 0xFFFF, 0x1_0000, 0x8000_0000, 0xFFFF_FFFF])
    fill, at = bytearray(program.memory[FILL_ADDRESS]), row * player.config.cols
    fill[at : at + 4] = bad.to_bytes(4, "little")
    program.memory[FILL_ADDRESS] = bytes(fill)
    await player.behave(rng, ready=0.4)
    await player.load(program)
    fault = player.meaning(program).fault
    assert fault is not None and (fault.name, fault.address) == ("gather_id", bad), fault
    await player.rtl.begin("main", program.length, program.m)
    await player.rtl.until_interrupt(patience(player, outcome))
    await stopped(player, program, fault, list(expected_retirements(outcome)))
