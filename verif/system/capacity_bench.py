# SPDX-License-Identifier: Apache-2.0
"""A configuration holds what it says: all of the tiny model's programs in one image, M up to M_MAX, LEN up to MAX_LEN.

The caches hold random bytes, so the largest programs need no prefill. Every run is compared with the golden model.
"""

import os

import cocotb
import numpy as np

from ga2.spec import load_config
from ga2.speculation.session import load
from ga2.stimulus import build_session
from verif.locate.located_device import LocatedDevice

CONFIG = load_config(os.environ["GA2_CONFIG"])
SIZES = (  # LEN, M of the target: the corners of what is legal, and no row at all
    (0, 1),
    (0, CONFIG.m_max),
    (CONFIG.max_len - CONFIG.m_max, CONFIG.m_max),
    (CONFIG.max_len - 1, 1),
    (CONFIG.max_len, 0),
)
DRAFT_ROWS = (1, CONFIG.m_max)


@cocotb.test()
async def every_program_at_its_largest(dut) -> None:
    """One image, loaded once; each of its programs at the smallest and the largest sizes."""
    device = await LocatedDevice.started(dut, CONFIG)
    session, rng = build_session(CONFIG, "random", 30), np.random.default_rng(1)
    await load(device, session)
    for cache in session.model.caches.values():
        assert cache.rows >= CONFIG.max_len, f"{cache.name} has {cache.rows} rows"
        await device.write(cache.address, rng.integers(0, 256, CONFIG.max_len * cache.pitch, np.uint8).tobytes())
    for name, program in session.model.programs.items():
        ids = program.inputs["ids"]
        for length, m in SIZES if program is session.target else ((0, rows) for rows in DRAFT_ROWS):
            await device.write(ids.address, ids.pack(rng.integers(0, session.vocabulary, (m, 1))))
            result = await device.run(name, length, m)
            assert result.fault is None, f"{name}, LEN {length}, M {m}: {result.fault}"
            assert device.difference is None, f"{name}, LEN {length}, M {m}: {device.report}"
            dut._log.info("%s, LEN %d, M %d: %d cycles", name, length, m, result.counters["total"])
