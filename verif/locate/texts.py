# SPDX-License-Identifier: Apache-2.0
"""What the instructions of a failed program are called in its waveform."""

from ga2.isa.disassembler import disassemble_word
from ga2.waves.texts import TEXT_BYTES
from verif.locate.failed_program import FailedProgram


def instruction_texts(failed: FailedProgram) -> list[str]:
    """A text for each address of the instruction memory: mnemonic and note, or as much of the assembly as fits."""
    image = failed.program.image
    texts = []
    for pc, word in enumerate(image.instructions):
        assembly = " ".join(disassemble_word(word).split())
        text = f"{assembly.split()[0]} {image.notes[pc]}" if pc in image.notes else assembly
        texts.append(text.encode("ascii", "replace").decode()[:TEXT_BYTES])
    return texts + [""] * (failed.config.imem_depth - len(texts))
