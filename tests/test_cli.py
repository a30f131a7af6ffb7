# SPDX-License-Identifier: Apache-2.0
"""The command line without a simulator: results, one clear line for bad input, exit codes, nothing half-written."""

import json
import os
import struct
import subprocess
import sys
import zlib
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
    assert decoded["programs"] == decoded["blocks"] + decoded["proposed"]
    assert decoded["speedup"] == pytest.approx(decoded["cycles"]["plain"] / decoded["cycles"]["speculative"], abs=1e-3)


def test_a_program_a_block() -> None:
    result = ga2("decode", "--backend", "golden", "--tokens", "6", "--form", "block", "--json", "-")
    decoded = json.loads(result.stdout)
    assert decoded["equal"] is True and decoded["programs"] == decoded["blocks"] == 2


def test_a_block_that_does_not_fit_is_one_line() -> None:
    arguments = ("--form", "block", "--k", "15", "--tokens", "16")
    assert_refused(ga2("decode", *arguments), "matmul_block_15", "find no place in the 4096 words of nano")


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
        (("--form", "both"), ("both", "separate, block")),
        (("--k", "16"), ("0 to 15", "16")),
        (("--k", "-1"), ("0 to 15",)),
        (("--k", "many"), ("--k", "integer", "auto")),
        (("--end", "16"), ("end", "0 to 15")),
        (("--draft", "suffix", "--noise", "3"), ("noise", "matmul and table", "suffix")),
        (("--draft", "file"), ("unknown draft 'file'", "trigram")),
        (("--draft-file", "/nowhere.yaml"), ("/nowhere.yaml", "No such file")),
        (("--k", "auto", "--config", "huge"), ("huge", "nano, wide, small, base")),
        (("--tokens", "321"), ("320", "MAX_LEN")),
        (("--tokens", "0"), ("1 to 320",)),
        (("--start", "16"), ("0 to 15",)),
        (("--noise", "nan"), ("noise",)),
        (("--noise", "-1"), ("noise",)),
        (("--noise", "1e308"), ("noise", "1000000")),
        (("--target-seed", "-1"), ("seed",)),
        (("--config", "huge"), ("huge", "nano, wide, small, base")),
        (("--backend", "paper"), ("golden, rtl",)),
        (("--sim", "modelsim"), ("icarus, verilator",)),
        (("--unknown", "1"), ("--unknown",)),
        (("--json", "/nowhere/at/all.json"), ("/nowhere/at/all.json",)),
        (("--json", "/"), ("directory",)),
        (("--json", "x" * 300), ("File name too long",)),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert_refused(ga2("decode", *arguments), *words)


def test_k_adapts_and_an_end_token_stops() -> None:
    asked = ("--draft", "table", "--k", "auto", "--tokens", "12", "--end", "1")
    decoded = json.loads(ga2("decode", "--backend", "golden", *asked, "--json", "-").stdout)
    assert decoded["tokens"] == decoded["plain_tokens"] == [0, 3, 2, 13, 4, 7, 6, 1]
    assert (decoded["k"], decoded["draft_on"]) == ("auto", "chip")
    assert sum(decoded["guesses"]) == decoded["proposed"] and len(decoded["guesses"]) == decoded["blocks"]
    assert decoded["accepted"] + decoded["blocks"] == 7 + decoded["discarded"]


def test_a_draft_with_another_vocabulary_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    path = tmp_path / "draft.yaml"
    path.write_text("vocabulary: 4\norder: 1\nnext: [1, 2, 3, 0]\n")
    arguments = ("--draft-file", str(path), "--json", str(tmp_path / "out.json"))
    assert_refused(ga2("decode", *arguments, GA2_BUILD_DIR=str(tmp_path / "build")), str(path), "4 tokens", "has 16")
    assert os.listdir(tmp_path) == ["draft.yaml"]
    assert_refused(ga2("decode", *arguments, "--draft", "table"), "choose one")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--block", "3", "--tokens", "8"), ("no block 3", "has 2")),
        (("--block", "0", "--tokens", "4"), ("no block 0", "has 1", "from 1")),
        (("--block", "two"), ("--block", "integer")),
        (("--k", "0"), ("k must be from 1 to 15",)),
        (("--k", "16"), ("k must be from 1 to 15",)),
        (("--config", "huge"), ("huge", "nano, wide, small, base")),
        (("--sim", "modelsim"), ("icarus, verilator",)),
        (("--tokens", "4", "--output", "/dev/null/waves"), ("/dev/null/waves", "ot a directory")),
    ],
)
def test_a_block_that_cannot_be_dumped_is_one_line(
    arguments: tuple[str, ...], words: tuple[str, ...], tmp_path: Path
) -> None:
    assert_refused(ga2("waves", *arguments, GA2_BUILD_DIR=str(tmp_path / "build")), *words)
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize("command", ["decode", "waves"])
@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_a_missing_simulator_is_one_line(command: str, sim: str, tmp_path: Path) -> None:
    script = f"import sys; sys.prefix = {str(tmp_path)!r}; from ga2.cli.main import main; main()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PATH": str(tmp_path)}
    call = [sys.executable, "-c", script, command, "--sim", sim]
    assert_refused(subprocess.run(call, env=environment, capture_output=True, text=True, check=False), "make setup")


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


@pytest.mark.parametrize("output", ["nowhere/p.bin", ".", "x" * 300])
def test_an_output_that_cannot_be_written_is_named(output: str, tmp_path: Path) -> None:
    source = tmp_path / "p.s"
    source.write_text("HALT\n")
    assert_refused(ga2("asm", str(source), "-o", str(tmp_path / output)), str(tmp_path / output))
    assert os.listdir(tmp_path) == ["p.s"]


@pytest.mark.parametrize("line", ["LD rows=007", ".word " + "9" * 6000, ".const bias=0x" + "f" * 6000])
def test_numbers_that_python_cannot_read_are_one_line(line: str, tmp_path: Path) -> None:
    source, image = tmp_path / "p.s", tmp_path / "p.bin"
    source.write_text(line + "\n")
    assert_refused(ga2("asm", str(source), "-o", str(image)), "p.s:1:")
    assert os.listdir(tmp_path) == ["p.s"]


@pytest.mark.parametrize(
    "text", ["[" * 200000, '{"entries": {"a": 1e999}, "notes": {}}', '{"entries": {}, "notes": {"0": "\\ud800"}}']
)
def test_a_forged_image_is_refused(text: str, tmp_path: Path) -> None:
    body = b"nano" + bytes(32) + text.encode()
    head = struct.pack("<4sHHIII", b"GA2I", 1, 4, 1, 0, len(text))
    image = tmp_path / "p.bin"
    image.write_bytes(head + struct.pack("<I", zlib.crc32(head, zlib.crc32(body))) + body)
    assert_refused(ga2("disasm", str(image)), str(image))


def test_a_pipe_and_a_link_stay_what_they_are(tmp_path: Path) -> None:
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file.json"
    os.mkfifo(pipe)
    link.symlink_to(file)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for path in (pipe, link):
            result = ga2("decode", "--backend", "golden", "--tokens", "2", "--json", str(path))
            assert (result.returncode, result.stderr) == (0, "")
        assert json.loads(os.read(reader, 1 << 16)) == json.loads(file.read_text())
    finally:
        os.close(reader)
    assert pipe.is_fifo() and link.is_symlink()


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_one_line(unbuffered: str) -> None:
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONUNBUFFERED": unbuffered,
    }
    command = [*COMMAND, "decode", "--backend", "golden", "--tokens", "2", "--json", "-"]
    with open("/dev/full", "w") as full:
        result = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 1 and len(result.stderr.splitlines()) == 1, result.stderr


def test_the_command_alone_prints_its_help() -> None:
    result = ga2()
    assert (result.returncode, result.stderr) == (2, "") and "decode" in result.stdout


def test_version_and_short_help() -> None:
    assert ga2("--version").stdout.startswith("ga2 ")
    assert "Usage" in ga2("asm", "-h").stdout


def test_a_byte_order_mark_is_no_text_and_an_empty_file_no_program(tmp_path: Path) -> None:
    source, image = tmp_path / "program.s", tmp_path / "program.bin"
    source.write_bytes(b"\xef\xbb\xbfHALT\r\n")
    assert ga2("asm", str(source), "-o", str(image)).returncode == 0
    image.unlink()
    source.write_text("; nothing yet\n")
    assert_refused(ga2("asm", str(source), "-o", str(image)), "no instruction")
    assert not image.exists()
