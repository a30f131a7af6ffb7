# SPDX-License-Identifier: Apache-2.0
"""Checks between passes: a pass that breaks what the next one relies on is stopped here, by name."""

from capra.verify.addresses import verify_allocation
from capra.verify.choices import verify_choice
from capra.verify.emission import verify_emission
from capra.verify.errors import VerifyError
from capra.verify.graphs import verify_graph, verify_pruned
from capra.verify.memory import verify_layout
from capra.verify.numbers import verify_quantisation
from capra.verify.operations import verify_operations
from capra.verify.order import verify_order
from capra.verify.places import verify_placement
from capra.verify.rewrites import verify_causal, verify_normalised, verify_relus, verify_residuals, verify_rewrite
from capra.verify.rows import Rows, not_invariant, output_rows, row_dependence, verify_same_rows
from capra.verify.streams import verify_streams

__all__ = [
    "Rows",
    "VerifyError",
    "not_invariant",
    "output_rows",
    "row_dependence",
    "verify_allocation",
    "verify_causal",
    "verify_choice",
    "verify_emission",
    "verify_graph",
    "verify_layout",
    "verify_normalised",
    "verify_operations",
    "verify_order",
    "verify_placement",
    "verify_pruned",
    "verify_quantisation",
    "verify_relus",
    "verify_residuals",
    "verify_rewrite",
    "verify_same_rows",
    "verify_streams",
]
