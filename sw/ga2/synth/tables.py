# SPDX-License-Identifier: Apache-2.0
"""The documents' tables of synthesis, from the record alone. Text says so where the sources have changed since."""

from ga2.markdown import table
from ga2.spec import CONFIG_NAMES
from ga2.synth.measured import Measurement, load, outdated
from ga2.synth.netlist import CELL_TYPES

NOTHING = "-"
_SHORT = {
    "LUT4": "LUT4", "TRELLIS_FF": "flip-flops", "CCU2C": "carry cells", "MULT18X18D": "multipliers",
    "DP16KD": "block RAMs", "TRELLIS_DPR16X4": "small RAMs",
}


def _ordered() -> dict[str, Measurement]:
    entries = load()
    return {config: entries[config] for config in CONFIG_NAMES if config in entries}


def fastest(config: str) -> float | None:
    """The routed clock of a configuration in MHz, best seed; None if it has not been measured."""
    entry = load().get(config)
    return entry.best_mhz if entry else None


def tokens_per_second(config: str, cycles: int, tokens: int) -> str:
    """The table cell for `tokens` tokens in `cycles` cycles at the routed clock."""
    clock = fastest(config)
    return f"{clock * 1e6 * tokens / cycles:,.0f}" if clock else NOTHING


def staleness() -> str:
    """A sentence naming the measurements that the sources have outrun, or nothing."""
    old = outdated(_ordered())
    if not old:
        return ""
    names = " and ".join(f"`{config}`" for config in old)
    return f"\n\n**The RTL has changed since {names} was synthesised: run `make synth`, then `make generate`.**"


def _with_state(text: str) -> str:
    """A table or list with what must be said of its source."""
    return text + staleness() if _ordered() else "Nothing is on record yet: run `make synth`, then `make generate`."


def _clock(entry: Measurement) -> str:
    values = sorted(entry.fmax_mhz.values())
    spread = f" ({values[0]:.1f} to {values[-1]:.1f} over {len(values)} seeds)" if len(values) > 1 else ""
    return f"{entry.best_mhz:.1f} MHz, seed {entry.seed}{spread}"


def cells_table() -> str:
    """Cells and clock of every configuration on record."""
    entries = _ordered()
    lines: list[list[object]] = [
        [f"`{config}`", *(f"{entry.cells[kind]:,}" for kind in CELL_TYPES), _clock(entry)]
        for config, entry in entries.items()
    ]
    return _with_state(table(["configuration", *(_SHORT[kind] for kind in CELL_TYPES), "Fmax, routed"], lines))


def conditions() -> str:
    """Device and tool versions of the measurements."""
    lines: list[list[object]] = [
        [f"`{config}`", entry.device, ", ".join(f"{name} {text}" for name, text in entry.tools.items()), entry.digest]
        for config, entry in _ordered().items()
    ]
    return _with_state(table(["configuration", "device", "tools", "digest of the sources"], lines))


def modules_table() -> str:
    """Area by module: a module's own cells, all its instances together, those below it apart."""
    parts = []
    for config, entry in _ordered().items():
        total = max(1, entry.cells["LUT4"])
        lines: list[list[object]] = [
            [f"`{module}`", f"{cells['LUT4'] / total:.1%}", *(f"{cells[kind]:,}" for kind in CELL_TYPES)]
            for module, cells in entry.modules.items()
        ]
        header = [f"`{config}`: module", "share of LUT4", *(_SHORT[kind] for kind in CELL_TYPES)]
        parts.append(table(header, lines))
    return _with_state("\n\n".join(parts))


def paths() -> str:
    """The critical path of every configuration on record, in words."""
    lines = []
    for config, entry in _ordered().items():
        path = entry.path
        lines.append(
            f"- `{config}`: {path.delay_ns:.2f} ns, {path.logic_ns:.2f} logic and {path.routing_ns:.2f} routing, over "
            f"{path.levels} cells, from `{path.start}` (`{path.start_module}`) to `{path.end}` (`{path.end_module}`), "
            f"through {', '.join(f'`{module}`' for module in path.through) or 'no other cell'}."
        )
    return _with_state("\n".join(lines))
