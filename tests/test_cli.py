# SPDX-License-Identifier: Apache-2.0
"""The command line without a simulator: results, one clear line for bad input, exit codes, nothing half-written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from ga2.cli.main import main; main()"]


def ga2(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `ga2` as a user would."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)} | env
    return subprocess.run([*COMMAND, *arguments], env=environment, capture_output=True, text=True, check=False)


def assert_refused(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """Exit code 2, nothing on stdout, one line on stderr that holds `words`."""
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    for word in words:
        assert word in result.stderr


def test_json_on_stdout_is_one_object() -> None:
    result = ga2("decode", "--backend", "golden", "--tokens", "6", "--json", "-")
    assert result.returncode == 0, result.stderr
    decoded = json.loads(result.stdout)
    assert decoded["tokens"] == decoded["plain_tokens"] == [0, 3, 2, 13, 4, 7, 6]
    assert decoded["equal"] is True and decoded["golden_match"] is None
    assert (decoded["backend"], decoded["config"], decoded["sim"]) == ("golden", "nano", None)
    assert decoded["cycles"]["plain"] == decoded["counters"]["plain"]["total"]
    assert decoded["speedup"] == pytest.approx(decoded["cycles"]["plain"] / decoded["cycles"]["speculative"], abs=1e-3)


def test_k_zero_is_plain_decoding(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    assert ga2("decode", "--backend", "golden", "--k", "0", "--tokens", "5", "--json", str(path)).returncode == 0
    decoded = json.loads(path.read_text())
    assert (decoded["proposed"], decoded["accepted"], decoded["blocks"], decoded["programs"]) == (0, 0, 5, 5)
    assert os.listdir(tmp_path) == ["out.json"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--target", "nobody"), ("nobody", "structured, random, sharp")),
        (("--draft", "none"), ("none", "matmul, table")),
        (("--k", "16"), ("0 to 15", "16")),
        (("--k", "-1"), ("0 to 15",)),
        (("--k", "many"), ("--k", "integer")),
        (("--tokens", "321"), ("320", "MAX_LEN")),
        (("--tokens", "0"), ("1 to 320",)),
        (("--start", "16"), ("0 to 15",)),
        (("--noise", "nan"), ("noise",)),
        (("--noise", "-1"), ("noise",)),
        (("--target-seed", "-1"), ("seed",)),
        (("--config", "huge"), ("huge", "nano, wide, small, base")),
        (("--backend", "paper"), ("golden, rtl",)),
        (("--sim", "modelsim"), ("icarus, verilator",)),
        (("--unknown", "1"), ("--unknown",)),
        (("--json", "/nowhere/at/all.json"), ("/nowhere/at/all.json",)),
        (("--json", "/"), ("directory",)),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert_refused(ga2("decode", *arguments), *words)


@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_a_missing_simulator_is_one_line(sim: str, tmp_path: Path) -> None:
    script = f"import sys; sys.prefix = {str(tmp_path)!r}; from ga2.cli.main import main; main()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PATH": str(tmp_path)}
    command = [sys.executable, "-c", script, "decode", "--sim", sim]
    assert_refused(subprocess.run(command, env=environment, capture_output=True, text=True, check=False), "make setup")


def test_assemble_and_disassemble(tmp_path: Path) -> None:
    source, image, again = tmp_path / "p.s", tmp_path / "p.bin", tmp_path / "q.bin"
    source.write_text(".config nano\n.entry main\nHALT\n")
    assert ga2("asm", str(source), "-o", str(image)).returncode == 0
    listing = ga2("disasm", str(image))
    assert "HALT" in listing.stdout
    source.write_text(listing.stdout)
    assert ga2("asm", str(source), "-o", str(again)).returncode == 0
    assert image.read_bytes() == again.read_bytes()


def test_a_damaged_program_is_refused(tmp_path: Path) -> None:
    source, image = tmp_path / "p.s", tmp_path / "p.bin"
    source.write_text(".config nano\n.entry main\nHALT\n")
    ga2("asm", str(source), "-o", str(image))
    raw = bytearray(image.read_bytes())
    raw[30] ^= 1
    image.write_bytes(raw)
    assert_refused(ga2("disasm", str(image)), str(image))
    assert_refused(ga2("disasm", str(tmp_path / "missing.bin")), "missing.bin")


def test_wrong_assembly_writes_nothing(tmp_path: Path) -> None:
    source, image = tmp_path / "p.s", tmp_path / "p.bin"
    source.write_text(".config nano\nJUMP nowhere\n")
    assert_refused(ga2("asm", str(source), "-o", str(image)), "p.s:2:")
    assert os.listdir(tmp_path) == ["p.s"]
    assert_refused(ga2("asm", str(tmp_path / "missing.s"), "-o", str(image)), "missing.s")
    assert_refused(ga2("asm", str(source)), "output")
