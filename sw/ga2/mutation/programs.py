# SPDX-License-Identifier: Apache-2.0
"""The first judge of a mutant: the listings of every shipped model must be those of `tests/listings.json`.

The numbers of the models do not depend on the compiler: they are made once, before it is imported. Nothing is
imported before it is asked for: the host loop, which calibrates models, may be what is mutated.
"""

import hashlib
import json
from functools import cache

from ga2.isa.disassembler import disassemble
from ga2.models.shapes import Array, Weights
from ga2.models.targets import TARGET_KINDS, make_target
from ga2.sim.sources import ROOT
from ga2.spec import CONFIG_NAMES, load_config

RECORD = ROOT / "tests" / "listings.json"
CHAIN_STEPS = 3
SEED = 1


@cache
def numbers(kind: str) -> tuple[Weights, dict[str, float], dict[str, Array]]:
    """What `capra.compile_model` takes: weights, ranges, drafts."""
    from ga2.models.calibration import draft_ranges, target_ranges
    from ga2.models.draft_int8 import fitted_matmul_weight, separated
    from ga2.models.drafts import make_table

    weights = make_target(kind, SEED)
    lifted = separated(make_table(kind, weights, 0.0, SEED))
    drafts = {"matmul": fitted_matmul_weight(weights["E"], lifted), "table": lifted}
    return weights, target_ranges(kind, weights) | draft_ranges(weights["E"], drafts["matmul"], lifted), drafts


def difference() -> str:
    """The first model whose listing is not the one on record; empty if all are. Imports the compiler."""
    from capra import compile_model

    record = json.loads(RECORD.read_text())
    for config in CONFIG_NAMES:
        for kind in TARGET_KINDS:
            model = compile_model(load_config(config), *numbers(kind), chain_steps=CHAIN_STEPS)
            if hashlib.sha256(disassemble(model.image).encode()).hexdigest() != record[config][kind]:
                return f"the listing of {kind} on {config} differs"
    return ""
