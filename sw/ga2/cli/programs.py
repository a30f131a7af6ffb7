# SPDX-License-Identifier: Apache-2.0
"""`ga2 asm` and `ga2 disasm`: program images from text and back."""

from pathlib import Path
from typing import Annotated

import typer

from ga2.cli.errors import UserError
from ga2.isa.assembler import AsmError, assemble_file
from ga2.isa.disassembler import disassemble
from ga2.isa.image import Image, ImageError


def asm(
    source: Annotated[Path, typer.Argument(help="assembly text", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--output", help="the image to write", show_default=False)],
) -> None:
    """Assemble a program."""
    try:
        assemble_file(source).save(output)
    except (AsmError, ImageError) as error:
        raise UserError(str(error)) from None
    except UnicodeDecodeError:
        raise UserError(f"{source}: not a text file") from None
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}") from None


def disasm(image: Annotated[Path, typer.Argument(help="a program image", show_default=False)]) -> None:
    """Print a program image as assembly text, which assembles to the same bytes."""
    try:
        text = disassemble(Image.load(image))
    except ImageError as error:
        raise UserError(str(error)) from None
    print(text, end="")
