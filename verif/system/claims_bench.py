# SPDX-License-Identifier: Apache-2.0
"""What speculation rests on, on the simulated core: the chained draft, overlap with loads.

Row invariance has a campaign of its own (`exactness_job.py`), causality is in `checks_bench.py`. Every program is
compared with the golden model as well.
"""

import os

import cocotb
import numpy as np

from ga2.spec import load_config
from ga2.speculation.session import Session, load
from ga2.stimulus import CHAIN_STEPS, build_session, run_steps, verifier_steps
from verif.locate.located_device import LocatedDevice

CONFIG = load_config(os.environ["GA2_CONFIG"])
OVERLAP = 0.40  # of the matrix unit's busy cycles in a verifier of four rows, at least, a load runs beside it


@cocotb.test()
async def a_chained_draft_needs_no_host(dut) -> None:
    """Guess s + 1 is gathered by guess s on the core: the float draft's tokens, for every token at once and alone."""
    device = await LocatedDevice.started(dut, CONFIG)
    for form in ("matmul", "table"):
        for noise in (0.0, 4.0):
            session = build_session(CONFIG, draft=form, noise=noise)
            await load(device, session)
            for tokens in ([session.vocabulary - 1], list(range(session.vocabulary))):
                seen = await chain(device, session, form, tokens)
                wanted = tokens
                for step in range(CHAIN_STEPS):
                    wanted = [session.table_choice[token] for token in wanted]
                    assert seen[step] == wanted, f"{form}, noise {noise}, guess {step}"
    assert device.difference is None, device.report


async def chain(device: LocatedDevice, session: Session, form: str, tokens: list[int]) -> list[list[int]]:
    """The guesses of a chained draft program, by step, a row a token."""
    program = session.model.programs[f"{form}_chain_{CHAIN_STEPS}"]
    ids = program.inputs["ids"]
    await device.write(ids.address, ids.pack(np.array(tokens)[:, np.newaxis]))
    result = await device.run(program.name, 0, len(tokens))
    assert result.fault is None, result.fault
    symbols = [program.outputs[f"choice_{step}"] for step in range(CHAIN_STEPS)]
    data = [await device.read(symbol.address, len(tokens) * symbol.pitch) for symbol in symbols]
    return [symbol.unpack(raw).ravel().tolist() for symbol, raw in zip(symbols, data, strict=True)]


@cocotb.test()
async def weights_load_while_the_array_works(dut) -> None:
    """Of a four-row verifier's matrix cycles, a good part overlaps with loads."""
    device = await LocatedDevice.started(dut, CONFIG)
    session = build_session(CONFIG)
    steps = verifier_steps(session, [at % session.vocabulary for at in range(12)], [[0, 3, 2, 13]])
    counters = (await run_steps(device, session, steps)).runs[-1].result.counters
    share = counters["matrix_and_load"] / counters["matrix"]
    dut._log.info("matrix and load together: %.3f of the matrix unit's cycles", share)
    assert share >= OVERLAP, counters
    assert device.difference is None, device.report
