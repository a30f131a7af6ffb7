# SPDX-License-Identifier: Apache-2.0
"""`build/bench/summary.json`: every figure of a bench, for programs to read."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from capra.resident import LOADER
from ga2.bench.predict import predicted
from ga2.bench.promises import Figures, Judged, judge, load_promises
from ga2.bench.tables import EARLIER, PARTITION, committed
from ga2.bench.tasks import tasks
from ga2.isa.image import write_whole
from ga2.sim.build import build_root
from ga2.synth.tables import fastest


def contents(figures: Figures, configs: Sequence[str], programs: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """What the file says. programs: by simulator and configuration, how many ran with every counter as predicted."""
    judged = [judge(promise, figures) for promise in load_promises() if promise.config in configs]
    return {
        "memory": "reference memory",
        "earlier": EARLIER,
        "equal_on_rtl": {sim: dict(counted) for sim, counted in programs.items()},
        "promises": [_promise(one) for one in judged],
        "configurations": {config: _configuration(figures, config) for config in configs},
    }


def _promise(one: Judged) -> dict[str, Any]:
    promise = one.promise
    return {
        "promise": promise.says,
        "configuration": promise.config,
        "figure": promise.figure,
        "earlier": promise.earlier_figure,
        "ga2": one.ours,
        "better": promise.better,
        "must": promise.must,
        "aim": promise.aim,
        "verdict": one.verdict,
    }


def _configuration(figures: Figures, config: str) -> dict[str, Any]:
    clock = fastest(config)
    return {"fmax_mhz": clock, "runs": {task: _run(figures, config, task, clock) for task in tasks(config)}}


def _run(figures: Figures, config: str, task: str, clock: float | None) -> dict[str, Any]:
    spent, count = figures(config, task), committed(task)
    ran = predicted(config, task)
    loading = [one.counters["total"] for one in ran if one.program == LOADER]
    return {
        "programs": len(ran) - len(loading),
        "cycles": spent.cycles,
        "bus_bound": spent.bound.bus,
        "array_bound": spent.bound.array,
        "share_of_larger_bound": round(spent.share, 4),
        "tokens": count,
        "tokens_per_second": clock * 1e6 * count / spent.cycles if clock else None,
        "weight_bytes_a_token": spent.weight_bytes / count,
        "loading_cycles": sum(loading),  # of resident weights, once, outside `cycles`
        "partition": {name: spent.counters[counter] for counter, name in PARTITION.items()},
        "counters": spent.counters,
    }


def save(made: Mapping[str, Any]) -> Path:
    """Write the summary whole or not at all; the file's path."""
    path = build_root() / "bench" / "summary.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, f"{json.dumps(dict(made), indent=2)}\n".encode())
    return path
