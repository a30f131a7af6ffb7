# SPDX-License-Identifier: Apache-2.0
"""`ga2 generate` and `ga2 lint`: what a developer runs."""

from typing import Annotated

import typer

from ga2 import generate as generator
from ga2.cli.errors import FAILURE
from ga2.fusesoc import core_file
from ga2.sim.lint import lint as lint_sources


def generate(
    check: Annotated[bool, typer.Option("--check", help="write nothing, fail if a file has drifted")] = False,
) -> None:
    """Write the files that follow from spec/ and from the folders of sources."""
    drifted = generator.main(check)
    if not core_file.main(check):
        drifted = [*drifted, "fusesoc.core"]
    for path in drifted:
        print(f"{path}: {'differs from its source; run: make generate' if check else 'written'}")
    if check and drifted:
        raise typer.Exit(FAILURE)


def lint() -> None:
    """Check the SystemVerilog of every configuration."""
    if not lint_sources():
        raise typer.Exit(FAILURE)
