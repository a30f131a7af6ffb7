# SPDX-License-Identifier: Apache-2.0
"""The files of a captured block, each written whole: the dump, the save file and the picture."""

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ga2.isa.image import write_whole
from ga2.waves.capture import Capture
from ga2.waves.dump import Dump, DumpError
from ga2.waves.facts import BLOCK_FACTS, facts, problems, run_problems
from ga2.waves.picture import picture
from ga2.waves.savefile import save_file


@dataclass(frozen=True)
class Written:
    """Where the files are, the block's facts, and what is wrong with the block (one line each)."""

    dump: Path
    save_file: Path
    picture: Path
    facts: list[str]
    problems: list[str]


def publish(captured: Capture, folder: Path, name: str) -> Written:
    """Write `name`.fst, .gtkw and .png into `folder`. DumpError if the decoding ended before the block."""
    if not captured.dump.is_file():
        wrong = "; ".join(run_problems(captured))
        raise DumpError(f"block {captured.expected.number} was not reached: {wrong or 'it ended before'}")
    dump = Dump(captured.dump)
    found = problems(captured, dump)
    lines = facts(captured, dump)
    dump_path, save_path, picture_path = (folder / f"{name}.{suffix}" for suffix in ("fst", "gtkw", "png"))
    text = save_file(dump, dump_path, [*lines, *found])
    image = picture(dump, lines[:BLOCK_FACTS])
    _copy_whole(captured.dump, dump_path)
    write_whole(save_path, text.encode())
    write_whole(picture_path, image)
    return Written(dump_path, save_path, picture_path, lines, found)


def _copy_whole(source: Path, target: Path) -> None:
    """A copy that is complete or not there, whoever writes the same file meanwhile."""
    handle, temporary = tempfile.mkstemp(prefix=".ga2.", dir=target.parent)
    os.close(handle)
    try:
        shutil.copyfile(source, temporary)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
