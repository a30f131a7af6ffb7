# SPDX-License-Identifier: Apache-2.0
"""The bench's tables as headings and cells: what the terminal shows and what the documents hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from capra.resident import LOADER
from ga2.bench.predict import Spent, predicted
from ga2.bench.promises import Figures, judge, load_promises
from ga2.bench.tasks import DECODINGS, GUESSES, PASSES, tasks
from ga2.spec import COUNTERS, load_config
from ga2.synth.tables import tokens_per_second

EARLIER = "earlier chip (one int8 a word; GA2 packs four)"
TITLES = {"plain": "plain", "speculative": f"k = {GUESSES}", "layer": "the layer"}
PARTITION = {counter.name: counter.name.removeprefix("part_") for counter in COUNTERS if counter.kind == "partition"}
PART_TITLES = {"array": "array stepping", "vector": "vector or softmax", "load": "load beat or wait",
               "store": "store beat or wait"}  # fmt: skip


@dataclass(frozen=True)
class Table:
    """Headings, and rows of as many cells; the first `words` columns are words, the others figures."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


def part_title(counter: str) -> str:
    """What a partition counter counts, in a few words."""
    return PART_TITLES.get(PARTITION[counter], PARTITION[counter])


def promises_table(figures: Figures, configs: Sequence[str]) -> Table:
    """Every promise beside the earlier chip, with our figure and both limits."""
    rows = []
    for one in (judge(promise, figures) for promise in load_promises() if promise.config in configs):
        promise = one.promise
        rows.append((promise.says, promise.config, promise.text(promise.earlier_figure),
                     promise.measured_text(one.ours), promise.limit_text(promise.must), promise.limit_text(promise.aim),
                     one.verdict))  # fmt: skip
    return Table(("what", "on", EARLIER, "GA2", "must", "aim", "kept"), tuple(rows), 2)


def shown(configs: Sequence[str]) -> list[tuple[str, str]]:
    """(configuration, task) of the tables: both decodings everywhere, and the layer where it is run."""
    return [(config, task) for config in configs for task in ("plain", "speculative", "layer") if task in tasks(config)]


def committed(task: str) -> int:
    """Tokens that a task commits: those asked for, or the single row of a pass."""
    return DECODINGS["plain" if task == "resident" else task].tokens if task not in PASSES else 1


def cycles_table(figures: Figures, configs: Sequence[str]) -> Table:
    """Cycles, what the bus and the array take at least, and what that is in tokens a second."""
    rows = []
    for config, task in shown(configs):
        spent, count = figures(config, task), committed(task)
        rows.append((config, TITLES[task], f"{spent.cycles:,}", f"{spent.bound.bus:,}", f"{spent.bound.array:,}",
                     f"{spent.share:.2f}", tokens_per_second(config, spent.cycles, count),
                     f"{spent.weight_bytes / count:,.0f}"))  # fmt: skip
    header = ("configuration", "run", "cycles", "bus bound", "array bound", "larger bound / cycles", "tokens/s",
              "weight bytes a token")  # fmt: skip
    return Table(header, tuple(rows), 2)


def _part(spent: Spent, counter: str) -> str:
    cycles = spent.counters[counter]
    return f"{cycles:,} ({100 * cycles / spent.cycles:.0f} %)"


def partition_table(figures: Figures, configs: Sequence[str]) -> Table:
    """Where every cycle went."""
    rows = []
    for config, task in shown(configs):
        spent = figures(config, task)
        rows.append((config, TITLES[task], f"{spent.cycles:,}", *(_part(spent, counter) for counter in PARTITION)))
    return Table(("configuration", "run", "cycles", *map(part_title, PARTITION)), tuple(rows), 2)


def resident_table(figures: Figures, configs: Sequence[str]) -> Table:
    """Plain decoding with the weights in the scratchpad, beside that which reads them for every token."""
    rows = []
    for config in configs:
        plain, kept = figures(config, "plain"), figures(config, "resident")
        loader = next(ran for ran in predicted(config, "resident") if ran.program == LOADER)
        size = load_config(config).spad_bytes // 1024
        rows.append((config, f"{size} KiB", f"{loader.counters['total']:,}", f"{plain.cycles:,}", f"{kept.cycles:,}",
                     f"{plain.cycles / kept.cycles:.2f}", f"{kept.bound.bus:,}", f"{kept.bound.array:,}",
                     f"{kept.share:.2f}"))  # fmt: skip
    header = ("configuration", "scratchpad", "loading, once", "streamed", "resident", "speed-up", "bus bound",
              "array bound", "larger bound / cycles")  # fmt: skip
    return Table(header, tuple(rows))
