# SPDX-License-Identifier: Apache-2.0
"""What the instructions of a case are called in its waveform."""

from ga2.isa.disassembler import disassemble_word
from ga2.waves.texts import TEXT_BYTES
from verif.locate.case import Case


def instruction_texts(case: Case) -> list[str]:
    """A text for each address of the instruction memory: mnemonic and note, or as much of the assembly as fits."""
    image = case.program.image
    texts = []
    for pc, word in enumerate(image.instructions):
        assembly = " ".join(disassemble_word(word).split())
        text = f"{assembly.split()[0]} {image.notes[pc]}" if pc in image.notes else assembly
        texts.append(text.encode("ascii", "replace").decode()[:TEXT_BYTES])
    return texts + [""] * (case.config.imem_depth - len(texts))
