# SPDX-License-Identifier: Apache-2.0
"""A program that fills the whole scratchpad and brings new scratch memory, after a cut left both half-written."""

from functools import lru_cache

from ga2.isa.encoding import Dim, Ext, Instruction, Operand, encode
from ga2.isa.image import Image
from ga2.spec import load_config
from verif.programs.layout import SCRATCH_ADDRESS, SCRATCH_BYTES, TABLE, TABLE_ADDRESS, TABLE_BYTES, fixed_windows
from verif.programs.program import ENTRY, Program
from verif.programs.regions import Region

HALT = encode(Instruction("HALT"))


@lru_cache
def filling_program(config_name: str, last: int = HALT) -> Program:
    """Each bank from the table, which is as large as the largest bank. Stores reach no region but scratch.

    last: the word behind the loads; one that dispatch refuses ends the program by a fault.
    """
    config = load_config(config_name)
    words = config.bank_words
    assert words * config.cols <= TABLE_BYTES
    loads = [
        Instruction("LD", {"rows": Dim(1), "words": Dim(words), "dst": Operand(bank * words, words),
                           "ext": Ext(0, words, TABLE)})
        for bank in range(config.banks)
    ]  # fmt: skip
    image = Image(config.name, [*map(encode, loads), last], [], {ENTRY: 0})
    regions = (
        Region(address=TABLE_ADDRESS, size=TABLE_BYTES, kind="random", seed=0),
        Region(address=SCRATCH_ADDRESS, size=SCRATCH_BYTES, kind="random", seed=1),
    )
    memory = {region.address: region.contents(config.cols) for region in regions}
    return Program(0, image, memory, fixed_windows(config), 0, 0, "filling the scratchpad")
