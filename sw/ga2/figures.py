# SPDX-License-Identifier: Apache-2.0
"""The measured tables of the README: cycles of the timing model, to which every run on the RTL is held."""

from ga2.bench.predict import spent
from ga2.bench.tasks import GUESSES, TOKENS
from ga2.decoding.backends import on_golden
from ga2.decoding.recorded import recorded_runs
from ga2.markdown import table
from ga2.spec import CONFIG_NAMES
from ga2.synth.tables import NOTHING, fastest, staleness, tokens_per_second


def recorded_table() -> str:
    """The recorded runs on `nano`, beside the earlier chip."""
    rows = recorded_runs()
    outcomes = on_golden("nano", [row.request for row in rows], lambda *_: None)
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
    plain, speculative = spent(config, "plain"), spent(config, "speculative")
    return {"plain": plain.cycles / TOKENS, f"k = {GUESSES}": speculative.cycles / TOKENS}


def configuration_cycles() -> str:
    """Plain and speculative decoding of the structured target on every configuration."""
    lines: list[list[object]] = []
    for config in CONFIG_NAMES:
        plain, speculative = spent(config, "plain"), spent(config, "speculative")
        clock = fastest(config)
        lines.append([f"`{config}`", f"{plain.cycles:,}", f"{plain.bound.bus:,}", f"{plain.bus_share:.2f}",
                      f"{speculative.cycles:,}", f"{plain.cycles / speculative.cycles:.2f}",
                      f"{clock:.1f} MHz" if clock else NOTHING, tokens_per_second(config, plain.cycles, TOKENS),
                      tokens_per_second(config, speculative.cycles, TOKENS)])  # fmt: skip
    header = ["configuration", "plain cycles", "bus bound (beats)", "share", f"k = {GUESSES} cycles", "speed-up",
              "Fmax on ECP5", "plain tokens/s", f"k = {GUESSES} tokens/s"]
    return table(header, lines) + staleness()
