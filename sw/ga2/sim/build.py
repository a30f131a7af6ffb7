# SPDX-License-Identifier: Apache-2.0
"""Compiled simulations, cached by the hash of everything that went into them.

A build is made in a temporary folder and renamed when it is complete: an interrupted one leaves nothing, and two
runs at once never see half of one.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version as package_version
from pathlib import Path

from ga2.sim import tools
from ga2.sim.errors import BuildError, tail
from ga2.sim.process import call_runner, python_path
from ga2.sim.sources import ROOT, catalogue, closure, overlaid
from ga2.spec import Config, load_config

CORE_TESTBENCH = "ga2_tb"
AXI_TESTBENCH = "ga2_axi_tb"
HOSTILE_TESTBENCH = "ga2_hostile_tb"
CORE_FIELDS = (
    *("rows", "cols", "bus_bytes", "lanes", "spad_bytes", "banks", "imem_depth", "cmem_depth"),
    *("max_len", "m_max", "read_outstanding", "write_outstanding"),
)
# cocotb asks Verilator to make every signal visible, which costs most of its speed; ports are enough for most.
PORTS_ONLY = "--no-public-flat-rw --public-depth 1"
# Warnings are the lint's business. Unassigned values are random, to be seen as Icarus shows X.
VERILATOR = ["-Wno-fatal", "--x-assign", "unique", "--x-initial", "unique"]
OPTIONS = {"icarus": [], "verilator": [*VERILATOR, "-CFLAGS", "-O2"]}
# Dumping doubles the code, and one block is a short run: split for two compilers, not optimised. 320 bits hold a text.
DUMPING = ["--trace-fst", "--trace-max-width", "320", "--no-trace-params", "--output-split", "10000", "-CFLAGS", "-O0"]
PROBE_OPTIONS = {"icarus": [], "verilator": [*VERILATOR, *DUMPING]}
# Counting multiplies the code. The programs of coverage are short: their Python takes longer than unoptimised code.
COUNTING = ["--coverage-line", "--coverage-toggle", "--output-split", "10000", "-CFLAGS", "-O0"]
CODE_COVERAGE = "GA2_CODE_COVERAGE"
"""The folder that gets the line and toggle counts of every Verilator run; its builds are apart from the usual ones."""


@dataclass(frozen=True)
class Build:
    """A compiled simulation: its folder, simulator and top module.

    With `waves` it dumps everything from its first moment; with `probe` its testbench says what it dumps, and when.
    With `counts` (Verilator only) it counts lines and toggles.
    """

    directory: Path
    sim: str
    top: str
    waves: bool = False
    probe: bool = False
    counts: bool = False

    @property
    def options(self) -> list[str]:
        """The simulator's own."""
        if self.counts:
            return [*VERILATOR, *COUNTING]
        return (PROBE_OPTIONS if self.probe else OPTIONS)[self.sim]


def build_root() -> Path:
    """Where builds and runs are kept: `build/` of the repository, or $GA2_BUILD_DIR."""
    return Path(os.environ.get("GA2_BUILD_DIR", ROOT / "build")).resolve()


def core_parameters(config: Config) -> dict[str, int]:
    """The SystemVerilog parameters of the core for a configuration: its fields, in capitals."""
    return {name.upper(): getattr(config, name) for name in CORE_FIELDS}


def _digest(sources: Sequence[Path], *facts: object) -> str:
    digest = hashlib.sha256()
    for path in sources:
        digest.update(f"{path.name}\n".encode())
        digest.update(path.read_bytes())
    digest.update(repr(facts).encode())
    return digest.hexdigest()[:16]


@contextmanager
def _locked(name: str) -> Iterator[None]:
    """One process at a time makes the build `name`; the lock ends with the process, however it ends."""
    locks = build_root() / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def is_whole(program: Path) -> bool:
    """Whether Icarus wrote a program (sim.vvp) to its end: iverilog succeeds even if the disk got full.

    The file ends with a table of source names, which says at its head how many there are.
    """
    _, head, table = program.read_text(errors="replace").rpartition(":file_names ")
    count, *names = table.splitlines() or [""]
    return bool(head and names) and count == f"{len(names)};" and names[-1].endswith('";')


def _keep_executable(directory: Path, sim: str, top: str) -> None:
    """Drop Verilator's C++ and object files: tens of megabytes that nothing reads again."""
    if sim == "verilator":
        for path in directory.iterdir():
            if path.name not in (top, "build.log"):
                path.unlink() if path.is_file() else shutil.rmtree(path)


def build(
    top: str,
    sim: str,
    *,
    parameters: Mapping[str, int | str] | None = None,
    extra_sources: Sequence[Path] = (),
    internals: bool = False,
    waves: bool = False,
    probe: bool = False,
    label: str = "",
) -> Build:
    """Compile module `top` and what it needs, unless the very same build is there already.

    `extra_sources` come after the files of `fusesoc.core`. `internals` lets a bench see signals below the top level
    in Verilator (Icarus always does), which is slower. Raises ToolMissing or BuildError.
    """
    version = tools.version(sim)
    if sim == "verilator" and any(map(str.isspace, str(build_root()))):
        raise BuildError(f"Verilator's make cannot build below {build_root()}, because the path has a blank: set "
                         "GA2_BUILD_DIR to a folder without one")  # fmt: skip
    sources = closure([top], overlaid([*catalogue(), *(Path(path).resolve() for path in extra_sources)]))
    if not any(path.stem == top for path in sources):
        raise BuildError(f"no source file for the top module '{top}': it belongs in {top}.sv, listed in fusesoc.core")
    parameters = dict(parameters or {})
    counts = sim == "verilator" and not probe and CODE_COVERAGE in os.environ
    options = Build(Path(), sim, top, waves, probe, counts).options
    key = _digest(sources, sim, top, parameters, options, internals, waves, version, package_version("cocotb"))
    name = "-".join(part for part in (sim, "counting" if counts else "", label or top, key) if part)
    made = Build(build_root() / "sim" / name, sim, top, waves, probe, counts)
    if made.directory.is_dir():
        return made
    with _locked(name):
        if not made.directory.is_dir():
            _compile(made, sources, parameters, internals)
    return made


def _compile(made: Build, sources: Sequence[Path], parameters: Mapping[str, int | str], internals: bool) -> None:
    made.directory.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".building-", dir=made.directory.parent))
    env = tools.environment() | {"PYTHONPATH": python_path()}
    env["GA2_VERILATOR_ARGS"] = "" if internals else PORTS_ONLY
    env["TMPDIR"] = str(work)  # a compiler that is killed leaves files there
    arguments = {
        "sources": [str(path) for path in sources],
        "hdl_toplevel": made.top,
        "parameters": dict(parameters),
        "build_args": made.options,
        "build_dir": str(work),
        "timescale": ["1ns", "1ps"],
        # To Icarus it adds a dump of everything, to Verilator the ability to dump.
        "waves": made.waves or (made.probe and made.sim == "verilator"),
        "always": True,
    }
    try:
        code = call_runner(made.sim, "build", arguments, directory=work, env=env)
        if code != 0:
            log = build_root() / f"{made.directory.name}.log"
            shutil.copyfile(work / "build.log", log)
            raise BuildError(f"{made.sim} could not build {made.top}; log: {log}\n{tail(log.read_text())}")
        if made.sim == "icarus" and not is_whole(work / "sim.vvp"):
            raise BuildError(f"icarus left half of {made.top}: is the disk of {work.parent} full?")
        _keep_executable(work, made.sim, made.top)
        work.chmod(0o755)
        work.rename(made.directory)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def build_core(config: str, sim: str, *, memory_bytes: int, waves: bool = False, probe: bool = False) -> Build:
    """The core of a named configuration in its testbench with the reference memory of a size.

    With `probe` the testbench can dump a block of a decoding (`verif/tb/ga2_wave_probe.sv`).
    """
    parameters = core_parameters(load_config(config)) | {"MEM_BYTES": memory_bytes}
    if probe:
        parameters["WAVES"] = 1
    return build(CORE_TESTBENCH, sim, parameters=parameters, waves=waves, probe=probe, label=config)


def build_axi(config: str, sim: str, *, waves: bool = False) -> Build:
    """The core of a named configuration with its data bus brought out, for an AXI slave in the bench."""
    parameters = core_parameters(load_config(config))
    return build(AXI_TESTBENCH, sim, parameters=parameters, waves=waves, label=f"axi-{config}")


def build_hostile(config: str, sim: str, *, memory_bytes: int, waves: bool = False) -> Build:
    """The core of a named configuration on a memory of a size that pauses, fails and stalls as it is told."""
    parameters = core_parameters(load_config(config)) | {"MEM_BYTES": memory_bytes}
    return build(HOSTILE_TESTBENCH, sim, parameters=parameters, waves=waves, label=f"hostile-{config}")
