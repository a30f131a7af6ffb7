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
from ga2.speculation.session import Session
from ga2.stimulus import build_session

RECORD = Path(__file__).with_name("listings.json")


BLOCKS = (1, 3)
BLOCK_FORMS = ("matmul", "table")


def of_session(session: Session) -> str:
    """The digest of all programs and constants of a model, as text."""
    return hashlib.sha256(disassemble(session.model.image).encode()).hexdigest()


def digest(config: str, target: str) -> str:
    """Of a target with its drafts."""
    return of_session(build_session(config, target))


def block_digest(config: str, form: str) -> str:
    """Of the structured target with its drafts and the programs of whole blocks."""
    return of_session(build_session(config, draft=form, blocks=BLOCKS))


@pytest.mark.parametrize("target", TARGET_KINDS)
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_the_programs_are_those_on_record(config: str, target: str) -> None:
    assert digest(config, target) == json.loads(RECORD.read_text())[config][target]


@pytest.mark.parametrize("form", BLOCK_FORMS)
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_the_blocks_are_those_on_record(config: str, form: str) -> None:
    assert block_digest(config, form) == json.loads(RECORD.read_text())[config][f"{form} blocks"]


if __name__ == "__main__":
    found = {
        config: {target: digest(config, target) for target in TARGET_KINDS}
        | {f"{form} blocks": block_digest(config, form) for form in BLOCK_FORMS}
        for config in CONFIG_NAMES
    }
    RECORD.write_text(f"{json.dumps(found, indent=1)}\n")
