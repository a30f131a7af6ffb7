# SPDX-License-Identifier: Apache-2.0
"""Who waits for whom in a core that does not end: state.txt of `verif/tb/ga2_event_log.sv` in words."""

from collections.abc import Mapping
from pathlib import Path

from ga2.isa.disassembler import disassemble_word
from ga2.isa.image import Image
from ga2.spec import ISA
from verif.locate.events import UNITS

STATE = Path("state.txt")
SLOTS = 8  # of the window
DISPATCH = (  # the states of rtl/ga2_dispatch.sv, in order
    "is idle",
    "decodes",
    "prepares the operands",
    "checks the fields",
    "resolves operands",
    "waits for a free slot of the window",
    "has met HALT and waits for the window to empty",
    "has met a fault and waits for the window to empty",
)
SOFTMAX = (  # the states of rtl/ga2_softmax.sv
    "idle",
    "looking for a row's maximum",
    "in the exponentials",
    "waiting for a division",
    "normalising",
    "draining",
)
Facts = dict[str, int | None]
State = dict[str, list[Facts]]


def read_state(path: Path = STATE) -> State | None:
    """The lines by their first word; None if there is no such file. A value with an x is None."""
    if not path.is_file():
        return None
    found: State = {}
    for line in path.read_text().splitlines():
        word, *pairs = line.split()
        values = (pair.partition("=") for pair in pairs)
        found.setdefault(word, []).append({name: int(text) if text.isdigit() else None for name, _, text in values})
    return found


def explain(state: State, image: Image) -> list[str]:
    """In lines: dispatch, every instruction in flight from the oldest on, and what it waits for."""
    (core,) = state["core"]
    if core["loading"]:
        return [f"cycle {core['cycle']}: an image is being loaded; {_load(state)}"]
    slots = sorted(state.get("slot", []), key=lambda slot: _age(slot, state))
    lines = [f"cycle {core['cycle']}: dispatch at pc {core['pc']} {DISPATCH[core['dispatch'] or 0]}"]
    if not slots:
        lines.append("the window is empty: no unit has anything to do")
    return lines + [f"pc {slot['pc']} {_text(slot, image)}: {_why(slot, state, image)}" for slot in slots]


def _age(slot: Facts, state: State) -> int:
    """Slots behind the oldest."""
    oldest = next((each["index"] for each in state["slot"] if each["oldest"]), 0)
    return ((slot["index"] or 0) - (oldest or 0)) % SLOTS


def _text(slot: Facts, image: Image) -> str:
    pc = slot["pc"] or 0
    if pc >= len(image.instructions):
        return "(beyond the image)"
    note = f" ({image.notes[pc]})" if pc in image.notes else ""
    return disassemble_word(image.instructions[pc]).split()[0] + note


def _unit(slot: Facts, image: Image) -> str:
    word = image.instructions[slot["pc"] or 0] if (slot["pc"] or 0) < len(image.instructions) else 0
    spec = ISA.by_opcode.get(word & 0xFF)
    return spec.unit if spec else "control"


def _why(slot: Facts, state: State, image: Image) -> str:
    if slot["finished"]:
        return "done, retires after the older ones"
    if not slot["clear"]:
        pcs = [f"pc {each['pc']}" for each in state["slot"] if (slot["deps"] or 0) >> (each["index"] or 0) & 1]
        return f"waits for {' and '.join(pcs)}" if pcs else (
            "is held back though nothing that it depends on is in flight"
        )
    unit = _unit(slot, image)
    facts = next(each for each in state["unit"] if UNITS[each["number"] or 0] == unit)
    if _queued(slot, facts, state, image):
        if facts["head"] != slot["index"]:
            return f"free to start, waits in the {unit} queue behind an older instruction"
        if not facts["ready"]:
            return f"free to start, but the {unit} unit is not ready: {_doing(unit, state)}"
        return f"free to start and first in the {unit} queue, the unit is ready, yet it is not taken in"
    return f"the {unit} unit works on it: {_doing(unit, state)}"


def _queued(slot: Facts, facts: Facts, state: State, image: Image) -> bool:
    """Whether it still lies in its unit's queue: the youngest `queued` of the unit's instructions do."""
    mine = [
        each
        for each in sorted(state["slot"], key=lambda each: _age(each, state))
        if _unit(each, image) == _unit(slot, image) and not each["finished"]
    ]
    return mine.index(slot) >= len(mine) - (facts["queued"] or 0)


def _doing(unit: str, state: State) -> str:
    if unit == "load":
        return _load(state)
    if unit == "store":
        return _store(state)
    if unit == "matrix":
        return "the array steps" if state["matrix"][0]["stepping"] else "the array rests, the drain has not ended"
    if unit == "softmax":
        return f"it is {SOFTMAX[state['softmax'][0]['state'] or 0]}"
    return "it has not said that it is done"


def _offered(channel: Mapping[str, int | None], name: str, what: str) -> str:
    return f"{name} offers {what} and the memory does not take it" if channel["valid"] and not channel["ready"] else ""


def _load(state: State) -> str:
    load, (ar,), (r,) = state["load"][0], state["ar"], state["r"]
    if load["stopped"]:
        return "it has stopped after an error"
    parts = [_offered(ar, "AR", f"a burst at {ar['addr'] or 0:#x}")]
    if load["bursts"]:
        beat = "offered" if r["valid"] else "not come"
        parts.append(
            f"{load['bursts']} read bursts are unfinished, the oldest at {load['addr'] or 0:#x}: "
            f"its beat {load['beat']} has {beat}"
        )
    elif not parts[0]:
        parts.append("no burst is outstanding" + (", ids are being read" if load["gather"] else ""))
    return "; ".join(part for part in parts if part)


def _store(state: State) -> str:
    store, (aw,), (w,), (b,) = state["store"][0], state["aw"], state["w"], state["b"]
    if store["stopped"]:
        return "it has stopped after an error"
    parts = [
        _offered(aw, "AW", f"a burst at {aw['addr'] or 0:#x}"),
        _offered(w, "W", "a beat"),
        f"{store['unread']} bursts are not yet read from the scratchpad" if store["unread"] else "",
    ]
    if store["bursts"]:
        answer = "offered" if b["valid"] else "not come"
        parts.append(
            f"{store['bursts']} write bursts are unanswered, the oldest at {store['addr'] or 0:#x}: its B has {answer}"
        )
    return "; ".join(part for part in parts if part) or "no burst is outstanding"
