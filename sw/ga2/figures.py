# SPDX-License-Identifier: Apache-2.0
"""The measured tables of the README: cycles of the timing model, to which every run on the RTL is held.

The bound is what the bus must carry at least: every token's pass reads each weight once, one embedding row, one id,
and the keys and values of the cache.
"""

from functools import lru_cache

from ga2.decoding.backends import on_golden
from ga2.decoding.recorded import recorded_runs
from ga2.decoding.request import Outcome, Request
from ga2.markdown import table
from ga2.models.shapes import WEIGHT_SHAPES, WIDTH
from ga2.spec import CONFIG_NAMES, Config, load_config
from ga2.synth.tables import NOTHING, fastest, staleness, tokens_per_second

TOKENS = 32
WEIGHTS = sum(rows * columns for name, (rows, columns) in WEIGHT_SHAPES.items() if name != "E")
VERIFIER_K = 3


def bus_bound(config: Config, tokens: int = TOKENS) -> int:
    """Beats that plain decoding of `tokens` tokens cannot do without."""
    beats = 0
    for length in range(tokens):
        data = WEIGHTS + WIDTH + 2 * WIDTH * length
        beats += data // config.bus_bytes + config.beats_per_word
    return beats


@lru_cache
def _runs(config: str, requests: tuple[Request, ...]) -> list[Outcome]:
    return on_golden(config, requests, lambda *_: None)


def recorded_table() -> str:
    """The recorded runs on `nano`, beside the earlier chip."""
    rows = recorded_runs()
    outcomes = _runs("nano", tuple(row.request for row in rows))
    plain = {row.request.target: out.cycles for row, out in zip(rows, outcomes, strict=True) if row.request.k == 0}
    lines: list[list[object]] = []
    for row, out in zip(rows, outcomes, strict=True):
        speedup = plain[row.request.target] / out.cycles
        lines.append([row.title, f"{out.accepted} of {out.proposed}", out.blocks, f"{out.cycles:,}",
                      f"{speedup:.2f}", tokens_per_second("nano", out.cycles, row.request.tokens),
                      f"{row.cycles:,}", f"{row.speedup:.2f}"])
    header = ["run", "accepted", "blocks", "cycles", "speed-up", "tokens/s", "earlier cycles", "earlier speed-up"]
    return table(header, lines) + staleness()


def decoding_cycles(config: str) -> dict[str, float]:
    """Cycles a token of the structured target: plain, and speculative with the perfect matmul draft."""
    plain, speculative = _runs(config, (Request(k=0), Request(k=VERIFIER_K)))
    return {"plain": plain.cycles / TOKENS, f"k = {VERIFIER_K}": speculative.cycles / TOKENS}


def configuration_cycles() -> str:
    """Plain and speculative decoding of the structured target on every configuration."""
    lines: list[list[object]] = []
    for config in map(load_config, CONFIG_NAMES):
        plain, speculative = _runs(config.name, (Request(k=0), Request(k=VERIFIER_K)))
        bound, clock = bus_bound(config), fastest(config.name)
        lines.append([f"`{config.name}`", f"{plain.cycles:,}", f"{bound:,}", f"{bound / plain.cycles:.2f}",
                      f"{speculative.cycles:,}", f"{plain.cycles / speculative.cycles:.2f}",
                      f"{clock:.1f} MHz" if clock else NOTHING,
                      tokens_per_second(config.name, plain.cycles, TOKENS),
                      tokens_per_second(config.name, speculative.cycles, TOKENS)])
    header = ["configuration", "plain cycles", "bus bound (beats)", "share", f"k = {VERIFIER_K} cycles", "speed-up",
              "Fmax on ECP5", "plain tokens/s", f"k = {VERIFIER_K} tokens/s"]
    return table(header, lines) + staleness()
