# SPDX-License-Identifier: Apache-2.0
"""The single sources are consistent, and everything generated from them is up to date."""

import pytest
from pydantic import ValidationError

from ga2 import generate
from ga2.spec import CONFIG_NAMES, COUNTERS, ISA, REGISTERS, load_config

POSITION = {"rows": 32, "m": 32, "words": 48, "n": 48, "k": 64, "len": 64}
OPERAND = {"dst": 96, "out": 96, "src": 128, "left": 128, "a": 128, "ids": 128, "right": 160, "b": 160,
           "aux": 192, "rmul": 192, "ext": 192}


@pytest.mark.parametrize("path", [*generate.FILES, *generate.REGIONS])
def test_generated_files_have_not_drifted(path: str) -> None:
    assert (generate.ROOT / path).read_text() == generate.expected(path), f"run `ga2 generate`: {path} has drifted"


def test_dimensions_and_operands_lie_in_the_same_places() -> None:
    """rtl/ga2_decode.sv decodes one position for all instructions."""
    for spec in ISA.instructions.values():
        for field in spec.fields:
            if field.kind == "dim":
                assert field.lsb == POSITION[field.name], f"{spec.name}.{field.name}"
            if field.kind in ("operand", "ext"):
                assert field.lsb == OPERAND[field.name], f"{spec.name}.{field.name}"


def test_codes_and_offsets_are_unique() -> None:
    opcodes = [spec.opcode for spec in ISA.instructions.values()]
    faults = [fault.code for fault in ISA.faults.values()]
    offsets = [register.offset for register in REGISTERS.values()] + [counter.offset for counter in COUNTERS]
    for values in (opcodes, faults, offsets):
        assert len(values) == len(set(values))


def test_an_impossible_configuration_is_refused() -> None:
    nano = load_config("nano").model_dump()
    with pytest.raises(ValidationError, match="rows must not exceed cols"):
        type(load_config("nano"))(**{**nano, "rows": 8})
    with pytest.raises(ValueError, match=f"choose one of {', '.join(CONFIG_NAMES)}"):
        load_config("mini")
