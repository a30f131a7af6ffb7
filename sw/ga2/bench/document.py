# SPDX-License-Identifier: Apache-2.0
"""The bench's tables in the documents, from the timing model alone."""

from ga2.bench import tables
from ga2.bench.predict import spent
from ga2.bench.tables import Table
from ga2.markdown import table
from ga2.spec import CONFIG_NAMES
from ga2.synth.tables import staleness


def markdown(made: Table) -> str:
    """A table with the names of configurations as code."""
    return table(made.header, [[f"`{cell}`" if cell in CONFIG_NAMES else cell for cell in row] for row in made.rows])


def promises() -> str:
    """What the core is held to."""
    return markdown(tables.promises_table(spent, CONFIG_NAMES))


def cycles() -> str:
    """Cycles and bounds of every configuration."""
    return markdown(tables.cycles_table(spent, CONFIG_NAMES)) + staleness()


def partition() -> str:
    """Where the cycles go."""
    return markdown(tables.partition_table(spent, CONFIG_NAMES))


def resident() -> str:
    """Weights kept in the scratchpad."""
    return markdown(tables.resident_table(spent, CONFIG_NAMES))
