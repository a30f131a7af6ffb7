# SPDX-License-Identifier: Apache-2.0
"""A compiled model ready for the host loop: which programs play target and draft, and what is loaded once."""

from dataclasses import dataclass

from capra import CompiledModel, Program
from capra.library import block_name
from capra.verify import not_invariant
from ga2.device.protocol import Device
from ga2.spec import Config

TARGET_PROGRAM = "target"


class NotInvariant(ValueError):
    """A program that cannot verify guesses: its rows depend on one another. The text names output and node."""


@dataclass(frozen=True)
class Session:
    """A model and the form of the draft that proposes.

    table_choice: the float draft table's choice after every token; what the draft's program must answer.
    NotInvariant if row i of some output of the target is not what the one-row step gives.
    """

    model: CompiledModel
    draft_form: str
    table_choice: tuple[int, ...]

    def __post_init__(self) -> None:
        for name, rows in not_invariant(self.target.graph).items():
            raise NotInvariant(f"program {self.target.name} cannot verify a block: its output {name} is {rows}")

    @property
    def config(self) -> Config:
        """The configuration that the model is compiled for."""
        return self.model.config

    @property
    def target(self) -> Program:
        """The target: the verifier and the plain step are the same program."""
        return self.model.programs[TARGET_PROGRAM]

    @property
    def draft(self) -> Program:
        """One guess of the draft."""
        return self.model.programs[f"draft_{self.draft_form}"]

    def block(self, guesses: int) -> Program | None:
        """The program of a whole block; None if the model has none with so many guesses."""
        return self.model.programs.get(block_name(self.draft_form, guesses))

    @property
    def verifiers(self) -> frozenset[str]:
        """The programs that end a block: the target, and every program of a whole block."""
        blocks = (self.block(guesses) for guesses in range(1, self.config.m_max))
        return frozenset({self.target.name, *(program.name for program in blocks if program is not None)})

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        return len(self.table_choice)


async def load(device: Device, session: Session) -> None:
    """Everything that is loaded once a model: windows, weights and tables, the image."""
    model = session.model
    await device.set_windows(model.windows)
    for address, data in model.memory.items():
        await device.write(address, data)
    await device.load_image(model.image, model.image_address)
