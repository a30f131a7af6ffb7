# SPDX-License-Identifier: Apache-2.0
"""One block of a decoding on the simulated core, dumped: carries out the job in the folder that $GA2_JOB names.

job.json names a configuration, a request, the block's number, the tokens up to its end and the texts of the lanes;
result.json receives what happened. The dump, block.fst, is left in the simulation's folder.
"""

import json
import logging
import os
from dataclasses import asdict
from functools import partial
from pathlib import Path

import cocotb

from ga2.decoding.backends import JOB_VARIABLE
from ga2.decoding.parts import player_of, session_of
from ga2.decoding.request import Request
from ga2.device.checked import CheckedDevice
from ga2.device.golden import GoldenDevice
from ga2.device.rtl import DeviceError, RtlDevice
from ga2.spec import load_config
from ga2.speculation.chip import DecodeError, decode
from ga2.waves.blame import first_wrong
from ga2.waves.expected import Recorder
from ga2.waves.texts import write_hex
from ga2.waves.window import BlockWindow


class BlamingDevice(CheckedDevice):
    """Compared with golden; `blame` says in which instruction the first program that differs went wrong."""

    def __init__(self, rtl: RtlDevice, golden: GoldenDevice, recorder: Recorder) -> None:
        super().__init__(rtl, golden)
        self.rtl, self.golden, self.recorder = rtl, golden, recorder
        self.blame: tuple[int, str] | None = None

    async def run(self, entry, length, m):
        equal_before = self.difference is None
        result = await super().run(entry, length, m)
        if equal_before and self.difference is not None and result.fault is None:
            found = first_wrong(
                self.recorder.programs[-1], self.golden.contents(), await self.rtl.contents(), self.config.cols
            )
            self.blame = None if found is None else (found.pc, str(found.found))
        return result


@cocotb.test()
async def wave_job(dut) -> None:
    logging.getLogger("cocotb.ga2_tb").setLevel(logging.WARNING)
    folder = Path(os.environ[JOB_VARIABLE])
    job = json.loads((folder / "job.json").read_text())
    config, request = load_config(job["config"]), Request(**job["request"])
    recorder = Recorder()
    rtl = RtlDevice(dut, config, job["memory_bytes"])
    checked = BlamingDevice(rtl, GoldenDevice(config, job["memory_bytes"], recorder.predict), recorder)
    session = session_of(request, config)
    write_hex(Path("lanes.hex"), job["texts"])

    async def announce(title: str, last: bool) -> None:
        write_hex(Path("label.hex"), [title])
        await rtl.dump_next(last=last)

    window = BlockWindow(checked, announce, session, job["block"])
    await rtl.start()
    error = None
    tokens: list[int] = []
    with (folder / "progress").open("w", buffering=1) as lines:
        report = partial(print, 0, file=lines)
        try:
            decoded = await decode(
                window, session, k=request.k, start=request.start, tokens=job["tokens"],
                player_of=player_of(request), progress=report,
            )  # fmt: skip
            tokens = [int(token) for token in decoded.tokens]
        except (DecodeError, DeviceError) as stopped:
            error = str(stopped)
    result = {
        "programs": [asdict(program) for program in window.programs],
        "tokens": tokens,
        "error": error,
        "difference": None if checked.difference is None else str(checked.difference),
        "blame": checked.blame,
    }
    (folder / "result.json").write_text(json.dumps(result))
