# SPDX-License-Identifier: Apache-2.0
"""The tables of the page on blocks as single programs, from the timing model alone."""

from ga2.bench.blocks import NOISES, SIZES, bound_of, compared, every, sizes_of_programs
from ga2.bench.document import markdown
from ga2.bench.tables import Table
from ga2.bench.tasks import GUESSES
from ga2.spec import CONFIG_NAMES, load_config


def comparison() -> str:
    """Both forms of every decoding."""
    rows = []
    for one in every():
        separate, block = one.separate, one.block
        rows.append((
            one.config, f"{one.noise:g}", str(one.guesses), f"{block.accepted} of {block.proposed}",
            "the same" if one.equal else "DIFFERENT", f"{separate.programs} / {block.programs}",
            f"{separate.cycles:,}", f"{block.cycles:,}", f"{100 * one.saved:.0f} %",
            f"{one.speedup(separate):.2f}", f"{one.speedup(block):.2f}",
        ))  # fmt: skip
    header = ("configuration", "noise", "k", "accepted", "tokens and blocks", "programs", "cycles, separate",
              "cycles, block", "saved", "speed-up, separate", "speed-up, block")  # fmt: skip
    return markdown(Table(header, tuple(rows)))


def bounds_table() -> str:
    """Three guesses of the perfect draft: cycles of both forms, and what no core could go below."""
    rows = []
    for config in CONFIG_NAMES:
        one = compared(config, NOISES[0], GUESSES)
        for form in (one.separate, one.block):
            least = bound_of(config, form)
            share = max(least.bus, least.array) / form.cycles
            rows.append((config, "separate" if form is one.separate else "block", f"{form.cycles:,}",
                         f"{least.bus:,}", f"{least.array:,}", f"{share:.2f}"))  # fmt: skip
    header = ("configuration", "form", "cycles", "bus bound", "array bound", "larger bound / cycles")
    return markdown(Table(header, tuple(rows)))


def room() -> str:
    """What the programs take of the instruction memory."""
    rows = []
    for config in CONFIG_NAMES:
        others, sizes = sizes_of_programs(config)
        rows.append((config, str(load_config(config).imem_depth), str(others), *map(str, sizes)))
    header = ("configuration", "instruction memory", "all other programs", *(f"k = {k}" for k in SIZES))
    return markdown(Table(header, tuple(rows)))
