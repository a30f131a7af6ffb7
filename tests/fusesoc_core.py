# SPDX-License-Identifier: Apache-2.0
"""A small core of a user's, which depends on ga2:core:ga2, and how `fusesoc run` is called on it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ga2.sim.sources import ROOT

CORE = "ga2:core:ga2"
USER = "example:user:queue"
FUSESOC = Path(sys.executable).with_name("fusesoc")
TIMEOUT = 900  # seconds; an idle machine needs a tenth

CORE_FILE = """\
CAPI=2:
name: example:user:queue:1.0.0
description: A queue of a user's around the FIFO of GA2
filesets:
  rtl:
    file_type: systemVerilogSource
    files: [rtl/queue.sv]
    depend: [">=ga2:core:ga2:0.1.0"]
  broken:
    file_type: systemVerilogSource
    files: [rtl/broken.sv]
  benches:
    file_type: user
    files: [bench/passing.py, bench/failing.py, bench/empty.py, bench/silent.py, bench/absent.py, bench/endless.py]
targets:
  default: &default
    filesets: [rtl]
    toplevel: queue
  lint:
    <<: *default
    flow: ga2lint
    flow_options: {verilator_options: [-Wall]}
    parameters: [COLS]
  sim:
    <<: *default
    filesets_append: [benches]
    flow: ga2sim
    flow_options: {tool: icarus, config: wide, cocotb_module: bench.passing}
    parameters: [COLS]
  sim_broken:
    <<: *default
    filesets_append: [broken]
    flow: ga2sim
    flow_options: {tool: icarus, cocotb_module: bench.passing}
    toplevel: broken
parameters:
  COLS: {datatype: int, paramtype: vlogparam}
"""
QUEUE = """\
module queue #(parameter int COLS = 1) (
  input  logic              clk_i, rst_ni, push_i, pop_i,
  input  logic [8*COLS-1:0] data_i,
  output logic [8*COLS-1:0] data_o,
  output logic              empty_o, full_o
);
  ga2_fifo #(.WIDTH(8*COLS), .DEPTH(2)) u_fifo (
    .clk_i, .rst_ni, .push_i, .pop_i, .data_i, .data_o, .empty_o, .full_o
  );
endmodule
"""
BENCH = """\
import os
import cocotb
from cocotb.triggers import Timer

{decorator}
async def {name}(dut):
    await Timer(10, "ns")
    {body}
"""
TEST = "@cocotb.test()"
FILES = {
    "queue.core": CORE_FILE,
    "rtl/queue.sv": QUEUE,
    "rtl/broken.sv": "module broken (input logic a_i, output logic b_o;\nendmodule\n",
    "bench/passing.py": BENCH.format(
        decorator=TEST, name="word_is_wide", body='assert len(dut.data_i) == 64 == 8 * int(os.environ["GA2_COLS"])'
    ),
    "bench/failing.py": BENCH.format(decorator=TEST, name="never", body="assert len(dut.data_i) == 65"),
    "bench/empty.py": BENCH.format(decorator="# no test", name="nothing", body="pass"),
    "bench/silent.py": BENCH.format(decorator=TEST, name="gone", body="os._exit(0)"),
    "bench/absent.py": "import no_such_module\n",
    "bench/endless.py": BENCH.format(
        decorator=TEST,
        name="turns",
        body='open("started", "w").write(str(os.getpid()))\n    while True:\n        await Timer(1, "us")',
    ),
}


@dataclass(frozen=True)
class Finished:
    """A finished `fusesoc run`: its exit code, its output, and the last line of that."""

    code: int
    output: str

    @property
    def last(self) -> str:
        """What a user sees at the end."""
        return self.output.rstrip().rpartition("\n")[2]


def write_user_core(folder: Path) -> Path:
    """The user's core, written below `folder`; its root."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def fusesoc(cwd: Path, target: str, core: str, *options: str, env: Mapping[str, str] = {}) -> Finished:
    """`fusesoc run` in `cwd`, which keeps its build; the roots are GA2's and `cwd`."""
    done = subprocess.run(
        command(cwd, target, core, *options),
        cwd=cwd,
        env=environment() | dict(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    return Finished(done.returncode, done.stdout)


def command(cwd: Path, target: str, core: str, *options: str) -> list[str]:
    """The command line of `fusesoc run`."""
    roots = [f"--cores-root={ROOT}", f"--cores-root={cwd}"]
    return [str(FUSESOC), *roots, "run", f"--target={target}", core, *options]


def environment() -> dict[str, str]:
    """An environment in which nothing was activated or exported for GA2."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("COCOTB_", "GPI_", "PYTHONPATH"))}
    return env | {"PATH": "/usr/local/bin:/usr/bin:/bin"}
