# SPDX-License-Identifier: Apache-2.0
"""Random programs on the core: after each, external memory, scratchpad and every counter equal the golden model's."""

import os

import cocotb

from ga2.device.golden import GoldenDevice
from ga2.device.rtl import RtlDevice
from ga2.spec import load_config
from verif.core.random_programs import random_program
from verif.locate.located_device import LocatedDevice
from verif.programs.program import IMAGE_ADDRESS, MEMORY_BYTES

PROGRAM_LENGTH = {False: 30, True: 6}


async def run_programs(dut, faulty: bool) -> None:
    """Run the seeds that the environment names, all on one core, without a reset between them."""
    config = load_config(os.environ["GA2_CONFIG"])
    first, count = int(os.environ["GA2_FIRST_SEED"]), int(os.environ["GA2_PROGRAMS"])
    rtl = RtlDevice(dut, config, MEMORY_BYTES)
    await rtl.start()
    device = LocatedDevice(rtl, GoldenDevice(config, MEMORY_BYTES))
    for seed in range(first, first + count):
        program = random_program(config, seed, PROGRAM_LENGTH[faulty], faulty)
        for address, data in program.memory.items():
            await device.write(address, data)
        await device.load_image(program.image, IMAGE_ADDRESS)
        await device.set_windows(program.windows)
        result = await device.run("main", program.length, program.m)
        assert device.difference is None, f"seed {seed}: {device.report}"
        assert (result.fault is not None) == faulty, f"seed {seed}: {result.fault}"
        dut._log.info("seed %d: equal, fault %s", seed, result.fault)


@cocotb.test()
async def legal_programs(dut) -> None:
    await run_programs(dut, faulty=False)


@cocotb.test()
async def faulty_programs(dut) -> None:
    """Precise faults: the same code, pc and address; everything older done, nothing younger; the next program right."""
    await run_programs(dut, faulty=True)
