# SPDX-License-Identifier: Apache-2.0
"""The bins that one instruction hits, by name: `group/point/bin`. Sampling and the steering of stimuli both ask here.

    for context in contexts(config, State(length, m, windows), resolved, predicted(config, resolved)):
        wanted = instruction_bins(context) & load_holes(path)
"""

from verif.coverage import burst_bins, dimension_bins, field_bins, operand_bins, pair_bins, time_bins
from verif.coverage.context import Bins, Context

PARTS = (
    dimension_bins.dimension_bins,
    field_bins.field_bins,
    operand_bins.operand_bins,
    burst_bins.burst_bins,
    pair_bins.pair_bins,
    time_bins.time_bins,
)


def instruction_bins(context: Context) -> Bins:
    """Every bin that this instruction hits at its place; with `context.values` those of its bytes too."""
    return context.values.union(*(part(context) for part in PARTS))
