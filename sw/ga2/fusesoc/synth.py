# SPDX-License-Identifier: Apache-2.0
"""The flow `ga2synth`: a configuration of the core in gates, or placed and routed on an ECP5, by `ga2.synth`."""

from typing import Any

from ga2 import synth
from ga2.fusesoc.edam import CONFIG_OPTION, Edam, configure_parameters, options
from ga2.fusesoc.stages import exit_on_interrupt
from ga2.synth.design import CORE, WRAPPER
from ga2.synth.nextpnr import DEVICE

TOPS = {"gates": CORE, "ecp5": WRAPPER}  # what is synthesised for each result


class Ga2synth:
    """What FuseSoC asks of a flow, without a tool of edalize's below it."""

    argtypes = ["vlogparam"]
    FLOW_OPTIONS = {
        **CONFIG_OPTION,
        "result": {"type": "str", "desc": f"gates: no device; ecp5: placed and routed on an {DEVICE}"},
        "seeds": {"type": "str", "desc": "Seeds of place and route; the fastest result counts", "list": True},
    }

    def __init__(self, edam: Edam, work_root: str, verbose: bool = False) -> None:
        exit_on_interrupt()
        self.work_root = work_root
        self.config = configure_parameters(edam) or "nano"
        self.result = options(edam).get("result", "")
        if self.result not in TOPS:
            raise RuntimeError(f"unknown result '{self.result}': choose one of {', '.join(TOPS)}")
        if edam["toplevel"] != TOPS[self.result]:
            raise RuntimeError(
                f"ga2synth synthesises {TOPS[self.result]} for '{self.result}', and not {edam['toplevel']}"
            )
        try:
            self.seeds = [int(seed) for seed in options(edam).get("seeds", [1])]
        except ValueError:
            raise RuntimeError(f"seeds must be whole numbers: {' '.join(options(edam)['seeds'])}") from None
        if not self.seeds or min(self.seeds) < 0 or len(set(self.seeds)) < len(self.seeds):
            raise RuntimeError(f"seeds must be different whole numbers from 0, at least one, not {self.seeds}")
        self._step = ""

    @classmethod
    def get_flow_options(cls) -> dict[str, Any]:
        """The flow's options."""
        return cls.FLOW_OPTIONS.copy()

    @classmethod
    def get_tool_options(cls, _flow_options: dict[str, Any]) -> dict[str, Any]:
        """None: the passes are `ga2.synth`'s."""
        return {}

    def configure(self) -> None:
        """Nothing is written ahead."""

    def build(self) -> None:
        """Synthesise; ToolMissing or BuildError, both RuntimeErrors, if that fails."""
        print(self._gates() if self.result == "gates" else self._ecp5())

    def run(self) -> None:
        """Nothing is left to do."""

    def _report(self, step: str, _done: float) -> None:
        if step != self._step:
            self._step = step
            print(f"{self.result} ({self.config}): {step}", flush=True)

    def _gates(self) -> str:
        found = synth.generic(self.config, self._report)
        cells = f"{sum(found.cells.values()):,} cells, {found.memory_bits:,} bits of memory, {found.depth} cells deep"
        return f"ga2_top ({self.config}) in gates: {cells}"

    def _ecp5(self) -> str:
        found = synth.synthesise(self.config, self.seeds, self._report)
        cells = ", ".join(f"{count:,} {kind}" for kind, count in found.cells.items())
        clock = f"{found.best_mhz:.1f} MHz with seed {found.seed} of {len(self.seeds)}"
        return f"ga2_top ({self.config}) on {found.device}: {cells}, {clock}"
