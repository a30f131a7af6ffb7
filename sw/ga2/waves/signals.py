# SPDX-License-Identifier: Apache-2.0
"""Which signals a viewer shows of a block, in which order and how: one group a unit, the block at a glance first."""

from collections.abc import Sequence
from dataclasses import dataclass

from vcd.gtkw import GTKWColor

from ga2.spec import COUNTERS, load_config
from ga2.waves.dump import LANES, PROBE, TOP

DUT, BACKEND = f"{TOP}.dut", f"{TOP}.dut.u_backend"
SLOTS = load_config("nano").window_slots
UNITS = (
    ("load", GTKWColor.orange, "ld", "LOAD"),
    ("matrix", GTKWColor.green, "mm", "MATRIX"),
    ("vector", GTKWColor.yellow, "vec", "VECTOR AND AMAX"),
    ("softmax", GTKWColor.violet, "sm", "SOFTMAX"),
    ("store", GTKWColor.blue, "st", "STORE"),
)
PORTS = {
    "load": "{b}.ld_wr_en {b}.ld_wr_addr {b}.ld_wr_data {t}.arvalid {t}.rvalid",
    "matrix": "{d}.stepping {b}.u_mm.left_en_o {b}.u_mm.left_addr_o {b}.u_mm.left_data_i {b}.u_mm.right_en_o"
    " {b}.u_mm.right_addr_o {b}.u_mm.right_data_i {b}.u_mm.aux_en_o {b}.u_mm.aux_addr_o {b}.u_mm.wr_en_o"
    " {b}.u_mm.wr_addr_o {b}.u_mm.wr_data_o {d}.cmem_en {d}.cmem_addr",
    "vector": "{b}.u_vec.a_en_o {b}.u_vec.a_addr_o {b}.u_vec.a_data_i {b}.u_vec.b_en_o {b}.u_vec.b_addr_o"
    " {b}.u_vec.wr_en_o {b}.u_vec.wr_addr_o {b}.u_vec.wr_data_o",
    "softmax": "{b}.u_softmax.rd_en_o {b}.u_softmax.rd_addr_o {b}.u_softmax.rd_data_i {b}.u_softmax.wr_en_o"
    " {b}.u_softmax.wr_addr_o {b}.u_softmax.wr_data_o",
    "store": "{b}.u_store.rd_en_o {b}.u_store.rd_addr_o {b}.u_store.rd_data_i {t}.awvalid {t}.wvalid {t}.bvalid",
}
AXIL = "awaddr awvalid awready wdata wvalid wready bvalid bready araddr arvalid arready rdata rvalid rready"
AXI = (
    "araddr arlen arvalid arready rdata rlast rresp rvalid rready"
    " awaddr awlen awvalid awready wdata wstrb wlast wvalid wready bresp bvalid bready"
)
DECIMAL = ("len", "m", "entry", "pc", "current_pc", "seq", "awlen", "arlen", "state_q")


@dataclass(frozen=True)
class Signal:
    """A signal of the dump, what it is called on the screen, and how its value is written: hex, dec, bin or ascii."""

    name: str
    alias: str
    datafmt: str = "hex"
    color: GTKWColor = GTKWColor.green


@dataclass(frozen=True)
class Group:
    """Signals under one heading; a closed group shows its heading only."""

    title: str
    signals: Sequence[Signal]
    closed: bool = True


def _plain(names: str) -> list[Signal]:
    paths = names.format(t=TOP, d=DUT, b=BACKEND).split()
    return [
        Signal(path, path.rpartition(".")[2], "dec" if path.rpartition(".")[2] in DECIMAL else "hex") for path in paths
    ]


def _text(name: str, alias: str, color: GTKWColor) -> Signal:
    return Signal(f"{PROBE}.{name}", alias, "ascii", color)


def _lanes(unit: str, color: GTKWColor) -> list[Signal]:
    return [_text(signal, lane, color) for lane, signal in LANES.items() if lane.partition(":")[0] == unit]


def _unit(unit: str, color: GTKWColor, short: str, title: str) -> Group:
    handshake = "{d}.%s_valid {d}.%s_ready {d}.%s_busy {b}.%s_done " % ((short,) * 4)
    return Group(title, [*_lanes(unit, color), *_plain(handshake + PORTS[unit])])


def groups() -> list[Group]:
    """Every group, in the order of an instruction's way: control, dispatch, units, bus, counters, retirement."""
    dispatch_lane, retire_lane = (_text(lane, lane, GTKWColor.indigo) for lane in ("dispatch", "retire"))
    spent = _text("spent", "cycle spent on", GTKWColor.normal)
    glance = [
        Signal(f"{TOP}.clk", "clk"),
        Signal(f"{DUT}.start", "START"),
        Signal(f"{TOP}.irq", "interrupt"),
        _text("program_name", "program", GTKWColor.normal),
        spent,
        dispatch_lane,
        *(lane for unit, color, _, _ in UNITS for lane in _lanes(unit, color)),
        retire_lane,
        Signal(f"{DUT}.read_beat", "beat read", color=GTKWColor.orange),
        Signal(f"{DUT}.write_beat", "beat written", color=GTKWColor.blue),
        Signal(f"{DUT}.stepping", "array steps"),
        Signal(f"{DUT}.waiting", "one waits for another", color=GTKWColor.red),
    ]
    control = _plain("{d}.start {d}.entry {d}.len {d}.m {d}.busy {d}.done {d}.fault {d}.fault_code")
    axil = [Signal(f"{TOP}.s_axil_{name}", name) for name in AXIL.split()]
    window = [_text(f"gen_slot[{slot}].instruction", f"slot {slot}", GTKWColor.indigo) for slot in range(SLOTS)]
    dispatch = _plain("{d}.current_pc {d}.u_frontend.u_dispatch.state_q {d}.alloc {d}.waiting {d}.u_frontend.full")
    clear = [Signal(f"{DUT}.u_frontend.u_window.{name}", name, "bin") for name in ("valid", "waiting", "finished")]
    counters = [
        Signal(f"{PROBE}.gen_counter[{index}].value", counter.name, "dec") for index, counter in enumerate(COUNTERS)
    ]
    bus = [Signal(f"{TOP}.{name}", name, "dec" if name in DECIMAL else "hex") for name in AXI.split()]
    trace = [
        Signal(f"{TOP}.trace_{name}", name, "dec" if name in DECIMAL else "hex")
        for name in ("valid", "seq", "pc", "opcode", "unit", "dst_lo", "dst_hi", "fault")
    ]
    return [
        Group("THE BLOCK AT A GLANCE", glance, closed=False),
        Group("AXI4-LITE AND CONTROL", [*control, *axil]),
        Group("DISPATCH AND WINDOW", [dispatch_lane, *dispatch, *window, *clear]),
        *(_unit(*unit) for unit in UNITS),
        Group("AXI4 MASTER", bus),
        Group("COUNTERS OF THE PROGRAM", [spent, *counters]),
        Group("RETIREMENT TRACE", [retire_lane, *trace]),
    ]
