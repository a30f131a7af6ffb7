# SPDX-License-Identifier: Apache-2.0
"""A model on its way through the compiler: what was asked for, and what the passes so far have made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from capra.fuse import FusionOptions
from capra.graph import Graph
from capra.layout import Layout
from capra.lower import Lowered
from capra.place import Placement
from capra.quantise import QuantSpec
from capra.schedule import Timeline
from ga2.isa.encoding import Constant, Instruction
from ga2.spec import Config


@dataclass(frozen=True)
class Choice:
    """What distinguishes two plans of one graph: words of weights loaded ahead, the allocator's order, and the cycles
    that a unit may idle for something more urgent."""

    prefetch_words: int
    variant: int
    patience: int = 0


@dataclass(frozen=True)
class Unit:
    """One program. Every pass fills in its part; what a pass has not reached yet is empty."""

    graph: Graph
    placement: Placement = field(default_factory=lambda: Placement({}, {}))
    choice: Choice = Choice(0, 0)
    lowered: Lowered = field(default_factory=Lowered)
    timeline: Timeline = field(default_factory=lambda: Timeline([], {}, {}))
    addresses: Mapping[str, int] = field(default_factory=dict)
    instructions: tuple[Instruction, ...] = ()


@dataclass(frozen=True)
class Work:
    """All programs of a model, which share quantisation, layout and constants.

    ranges: largest magnitude by tensor role. tuned: take the fastest of several plans, else the first that fits.
    per_column: a scale a column of the weights that stream as panels, else one a weight.
    """

    config: Config
    ranges: Mapping[str, float]
    units: tuple[Unit, ...]
    options: FusionOptions = FusionOptions()
    tuned: bool = True
    per_column: bool = True
    spec: QuantSpec = field(default_factory=lambda: QuantSpec({}))
    layout: Layout = field(default_factory=lambda: Layout({}, (0, 0, 0, 0), {}))
    constants: tuple[Constant, ...] = ()

    @property
    def graphs(self) -> list[Graph]:
        """The programs' graphs."""
        return [unit.graph for unit in self.units]
