# SPDX-License-Identifier: Apache-2.0
"""A change of the compiler that is meant to change no program changes none: digests of every shipped model's listing.

Where programs are meant to change, `python tests/test_listings.py` writes the digests anew.
"""

import hashlib
import json
from pathlib import Path

import pytest

from ga2.isa.disassembler import disassemble
from ga2.models.targets import TARGET_KINDS
from ga2.spec import CONFIG_NAMES
from ga2.stimulus import build_session

RECORD = Path(__file__).with_name("listings.json")


def digest(config: str, target: str) -> str:
    """Of all programs and constants of a target with its drafts, as text."""
    return hashlib.sha256(disassemble(build_session(config, target).model.image).encode()).hexdigest()


@pytest.mark.parametrize("target", TARGET_KINDS)
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_the_programs_are_those_on_record(config: str, target: str) -> None:
    assert digest(config, target) == json.loads(RECORD.read_text())[config][target]


if __name__ == "__main__":
    found = {config: {target: digest(config, target) for target in TARGET_KINDS} for config in CONFIG_NAMES}
    RECORD.write_text(f"{json.dumps(found, indent=1)}\n")
