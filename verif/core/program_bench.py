# SPDX-License-Identifier: Apache-2.0
"""Random programs on the core: after each, all external memory, the scratchpad and every counter equal the golden model's."""

import os

import cocotb
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.rtl import RtlDevice
from ga2.spec import load_config

from verif.core.random_programs import IMAGE_ADDRESS, MEMORY_BYTES, random_program


@cocotb.test()
async def random_programs(dut) -> None:
    config = load_config(os.environ["GA2_CONFIG"])
    first, count = int(os.environ["GA2_FIRST_SEED"]), int(os.environ["GA2_PROGRAMS"])
    rtl = RtlDevice(dut, config, MEMORY_BYTES)
    await rtl.start()
    device = CheckedDevice(rtl, GoldenDevice(config, MEMORY_BYTES))
    for seed in range(first, first + count):
        program = random_program(config, seed)
        for address, data in program.memory.items():
            await device.write(address, data)
        await device.load_image(program.image, IMAGE_ADDRESS)
        await device.set_windows(program.windows)
        await device.run("main", program.length, program.m)
        assert device.difference is None, f"seed {seed}: {device.difference}"
        dut._log.info("seed %d: equal", seed)
