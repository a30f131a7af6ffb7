# SPDX-License-Identifier: Apache-2.0
"""The tuner's choice: one of those that are tried."""

from capra.graph import Graph
from capra.tune import choices
from capra.verify.errors import require
from capra.work import Choice
from ga2.spec import Config


def verify_choice(choice: Choice, graph: Graph, config: Config) -> None:
    """It was among the plans that the timing model compared."""
    require(choice in choices(config, graph), f"{choice} was never tried")
