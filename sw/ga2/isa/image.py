# SPDX-License-Identifier: Apache-2.0
"""Program images: the instructions and constants of one model, and the entries of its programs.

File layout, little-endian:

    offset  bytes
    0       4    magic "GA2I"
    4       2    version
    6       2    length of the configuration's name
    8       4    instructions
    12      4    constants
    16      4    length of the notes: a JSON object {"entries": {name: pc}, "notes": {pc: text}}
    20      4    CRC-32 of everything after the header, then of the header's first 20 bytes
    24           configuration name, instructions (32 bytes each), constants (16 bytes each), JSON
"""

import errno
import json
import os
import re
import struct
import tempfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from ga2.isa.encoding import CONSTANT_BYTES, WORD_BYTES, Constant, EncodeError, word_bytes
from ga2.spec import CONFIG_NAMES, Config, load_config

MAGIC = b"GA2I"
VERSION = 1
ENTRY_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_HEAD = struct.Struct("<4sHHIII")
_CRC = struct.Struct("<I")


class ImageError(ValueError):
    """A file that is no image, or an image that does not fit its configuration; one line says why."""


@dataclass(frozen=True)
class Image:
    """One model's programs: `instructions` are 256-bit words, `entries` name the pc at which a program starts."""

    config: str
    instructions: list[int]
    constants: list[Constant] = field(default_factory=list)
    entries: dict[str, int] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)

    def check(self, core: Config | None = None) -> None:
        """ImageError unless everything fits the configuration, the names are clean and entries point inside.

        With `core`, also unless that is the configuration that the image was made for.
        """
        if self.config not in CONFIG_NAMES:
            raise ImageError(f"unknown configuration '{self.config}': choose one of {', '.join(CONFIG_NAMES)}")
        if core is not None and core.name != self.config:
            raise ImageError(f"the image is for {self.config}, the core is {core.name}")
        config = core or load_config(self.config)
        for what, count, depth in (
            ("instructions", len(self.instructions), config.imem_depth),
            ("constants", len(self.constants), config.cmem_depth),
        ):
            if count > depth:
                raise ImageError(f"{count} {what}, but {self.config} holds {depth}")
        for pc, word in enumerate(self.instructions):
            if not 0 <= word < 1 << (8 * WORD_BYTES):
                raise ImageError(f"instruction {pc} is not a {8 * WORD_BYTES}-bit word")
        for name, pc in self.entries.items():
            if not 0 <= pc < len(self.instructions):
                raise ImageError(f"entry '{name}' is at {pc}, beyond the {len(self.instructions)} instructions")
            if not ENTRY_NAME.fullmatch(name):
                raise ImageError(f"entry name {name!r}: letters, digits, '_', '.', '-', not beginning with a digit")
        for pc, note in self.notes.items():
            clean = note and note == note.strip() and note.isprintable()
            if not 0 <= pc < len(self.instructions) or not clean:
                raise ImageError(f"note {note!r} at {pc}: one line of printable text beside an instruction that exists")

    def memory_bytes(self) -> bytes:
        """What the core's LOAD command reads: the instructions, then the constants."""
        code = b"".join(word_bytes(word) for word in self.instructions)
        return code + b"".join(constant.to_bytes() for constant in self.constants)

    def to_bytes(self) -> bytes:
        """The file's bytes; ImageError if the image itself is wrong."""
        self.check()
        name = self.config.encode()
        notes = {str(pc): text for pc, text in self.notes.items()}
        text = json.dumps({"entries": self.entries, "notes": notes}, sort_keys=True).encode()
        try:
            body = name + self.memory_bytes() + text
        except EncodeError as error:
            raise ImageError(str(error)) from None
        head = _HEAD.pack(MAGIC, VERSION, len(name), len(self.instructions), len(self.constants), len(text))
        return head + _CRC.pack(zlib.crc32(head, zlib.crc32(body))) + body

    def save(self, path: str | Path) -> None:
        """Write the file whole or not at all."""
        write_whole(Path(path), self.to_bytes())

    @classmethod
    def from_bytes(cls, raw: bytes) -> "Image":
        """Read a file's bytes back; ImageError says in one line what is wrong with them."""
        start = _HEAD.size + _CRC.size
        if raw[: len(MAGIC)] != MAGIC:
            raise ImageError("not a GA2 program image (wrong magic)")
        if len(raw) < start:
            raise ImageError(f"truncated: {len(raw)} bytes, the header alone has {start}")
        _, version, name_length, instr_count, const_count, text_length = _HEAD.unpack_from(raw)
        if version != VERSION:
            raise ImageError(f"version {version}, this program reads version {VERSION}")
        code_length = instr_count * WORD_BYTES
        const_length = const_count * CONSTANT_BYTES
        size = start + name_length + code_length + const_length + text_length
        if len(raw) != size:
            raise ImageError(f"{len(raw)} bytes, but its header describes {size}: truncated or damaged")
        body = raw[start:]
        if _CRC.unpack_from(raw, _HEAD.size)[0] != zlib.crc32(raw[: _HEAD.size], zlib.crc32(body)):
            raise ImageError("checksum mismatch: the file is damaged")
        code = body[name_length : name_length + code_length]
        consts = body[name_length + code_length :][:const_length]
        try:
            text = json.loads(body[size - start - text_length :])
            image = cls(
                config=body[:name_length].decode(),
                instructions=[int.from_bytes(row, "little") for row in _chunks(code, WORD_BYTES)],
                constants=[Constant.from_bytes(row) for row in _chunks(consts, CONSTANT_BYTES)],
                entries={str(name): int(pc) for name, pc in text["entries"].items()},
                notes={int(pc): str(note) for pc, note in text["notes"].items()},
            )
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ImageError(f"entries or notes are unreadable: {error}") from None
        image.check()
        return image

    @classmethod
    def load(cls, path: str | Path) -> "Image":
        """Read an image file; ImageError names the file and what is wrong with it."""
        try:
            raw = Path(path).read_bytes()
        except OSError as error:
            raise ImageError(f"{path}: {error.strerror}") from None
        try:
            return cls.from_bytes(raw)
        except ImageError as error:
            raise ImageError(f"{path}: {error}") from None


def _chunks(raw: bytes, size: int) -> list[bytes]:
    return [raw[at : at + size] for at in range(0, len(raw), size)]


def write_whole(path: Path, data: bytes) -> None:
    """Write through a temporary file beside `path`, so that a reader sees the old content or the new, never half.

    A link keeps pointing where it does; a device or a pipe is written and stays what it is. An OSError names `path`.
    """
    try:
        if path.is_dir():
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _replace(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix=".ga2.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
