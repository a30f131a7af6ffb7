# SPDX-License-Identifier: Apache-2.0
"""The passes that a choice decides, program by program: streaming, order, addresses."""

from dataclasses import replace

from capra.allocate import allocate
from capra.lower import lower
from capra.place import place
from capra.schedule import schedule
from capra.stream import stream
from capra.work import Unit, Work


def placed(work: Work, unit: Unit) -> Unit:
    """The program with buffers and views."""
    return replace(unit, placement=place(unit.graph, work.config))


def lowered(work: Work, unit: Unit) -> Unit:
    """The program as operations; weights come panel by panel."""
    return replace(unit, lowered=lower(unit.graph, unit.placement, work.spec, work.config, {}))


def streamed(work: Work, unit: Unit) -> Unit:
    """The lowered program with panels joined to the chunks that its choice asks for."""
    prefetch, patience = unit.choice.prefetch_words, unit.choice.patience
    joined = stream(unit.graph, unit.placement, work.spec, work.config, unit.lowered, prefetch, patience)
    return replace(unit, lowered=joined)


def scheduled(work: Work, unit: Unit) -> Unit:
    """The streamed program in order."""
    return replace(unit, timeline=schedule(unit.lowered, work.config, unit.choice.prefetch_words, unit.choice.patience))


def allocated(work: Work, unit: Unit) -> Unit:
    """The ordered program with an address for every buffer; AllocationError if one fits nowhere."""
    buffers, variant = unit.lowered.buffers, unit.choice.variant
    return replace(unit, addresses=allocate(unit.timeline.program, buffers, work.config, variant))
