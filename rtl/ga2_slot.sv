// SPDX-License-Identifier: Apache-2.0
// One slot of the dispatch window: an instruction in flight, what it touches, and whom it waits for.
//
// While a younger instruction is being dispatched its operands pass by one a cycle (the probe); the slot compares each
// and answers in the cycle after, when its kind comes, whether that operand must wait for it:
//   read  after write   whatever the units
//   write after read    different units only (a unit's own reads and writes stay in program order)
//   write after write   different units only
//   same bank and port  different units; on the matrix unit also a streaming operand against an older aux read

module ga2_slot
  import ga2_pkg::*;
#(
    parameter int ADDR_BITS = 13,  // holds any scratchpad word address and one past the last
    parameter int BANKS    = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic kill_i,

    // Allocation: everything about the instruction, in one cycle.
    input logic                     alloc_i,
    input logic                     alloc_done_i,    // a no-op: born finished
    input logic [WindowSlots-1:0]   alloc_deps_i,
    input logic [2:0]               alloc_unit_i,
    input logic [3:0]               alloc_valid_i,   // operands: destination, first, second, aux
    input logic [3:0]               alloc_write_i,
    input logic [3:0][ADDR_BITS-1:0] alloc_lo_i,
    input logic [3:0][ADDR_BITS-1:0] alloc_hi_i,
    input logic [3:0][BANKS-1:0]    alloc_banks_i,
    input logic                     alloc_ext_valid_i,
    input logic                     alloc_ext_write_i,
    input logic [32:0]              alloc_ext_lo_i,
    input logic [32:0]              alloc_ext_hi_i,

    // The operand that passes by: its words in the scratchpad.
    input  logic                probe_spad_i,
    input  logic [ADDR_BITS-1:0] probe_lo_i,
    input  logic [ADDR_BITS-1:0] probe_hi_i,
    input  logic [BANKS-1:0]    probe_banks_i,
    input  logic [2:0]          probe_unit_i,
    // The cycle after: its kind, and its bytes outside.
    input  logic                probe_inner_i,   // in the scratchpad
    input  logic                probe_ext_i,
    input  logic                probe_write_i,
    input  logic                probe_stream_i,  // left or right of a product
    input  logic [32:0]         probe_ext_lo_i,
    input  logic [32:0]         probe_ext_hi_i,
    output logic                hit_o,

    // Completions of this cycle, and the slot's life.
    input  logic [WindowSlots-1:0] done_i,
    input  logic                   done_self_i,
    input  logic                   free_i,
    output logic                   valid_o,
    output logic                   finished_o,  // may be freed
    output logic                   clear_o,     // nothing older holds it back
    output logic                   waiting_o    // something older holds it back
);

  logic                     valid_q, finished_q, clear_q;
  logic [WindowSlots-1:0]   deps_q;
  logic [2:0]               unit_q;
  logic [3:0]               op_valid_q, op_write_q;
  logic [3:0][ADDR_BITS-1:0] lo_q, hi_q;
  logic [3:0][BANKS-1:0]    banks_q;
  logic                     ext_valid_q, ext_write_q;
  logic [32:0]              ext_lo_q, ext_hi_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin  // life
    if (!rst_ni) begin
      valid_q    <= 1'b0;
      finished_q <= 1'b0;
      clear_q    <= 1'b0;
      deps_q     <= '0;
    end else if (kill_i) begin
      valid_q    <= 1'b0;
      finished_q <= 1'b0;
      clear_q    <= 1'b0;
      deps_q     <= '0;
    end else if (alloc_i) begin
      valid_q    <= 1'b1;
      finished_q <= alloc_done_i;
      clear_q    <= (alloc_deps_i & ~done_i) == '0;
      deps_q     <= alloc_deps_i & ~done_i;
    end else if (valid_q) begin
      clear_q <= (deps_q & ~done_i) == '0;
      deps_q  <= deps_q & ~done_i;
      if (done_self_i) finished_q <= 1'b1;
      if (free_i) valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin  // claims
    if (alloc_i) begin
      unit_q      <= alloc_unit_i;
      op_valid_q  <= alloc_valid_i;
      op_write_q  <= alloc_write_i;
      lo_q        <= alloc_lo_i;
      hi_q        <= alloc_hi_i;
      banks_q     <= alloc_banks_i;
      ext_valid_q <= alloc_ext_valid_i;
      ext_write_q <= alloc_ext_write_i;
      ext_lo_q    <= alloc_ext_lo_i;
      ext_hi_q    <= alloc_ext_hi_i;
    end
  end

  logic       same_unit_q, live;
  logic [3:0] operand_hit;

  always_ff @(posedge clk_i) same_unit_q <= unit_q == probe_unit_i;
  assign live      = valid_q && !finished_q && !done_self_i;

  for (genvar i = 0; i < 4; i++) begin : gen_operand
    logic overlap_q, meet_q, ordered, port;
    always_ff @(posedge clk_i) begin
      if (probe_spad_i) begin
        overlap_q <= probe_lo_i < hi_q[i] && lo_q[i] < probe_hi_i;
        meet_q    <= |(banks_q[i] & probe_banks_i);
      end
    end
    assign ordered = probe_write_i ? !same_unit_q : op_write_q[i];
    assign port = meet_q && (
        same_unit_q ? (probe_stream_i && i == 3 && !op_write_q[i]) : (op_write_q[i] == probe_write_i));
    assign operand_hit[i] = op_valid_q[i] && ((overlap_q && ordered) || port);
  end

  logic ext_overlap, ext_ordered;
  assign ext_overlap = probe_ext_lo_i < ext_hi_q && ext_lo_q < probe_ext_hi_i;
  assign ext_ordered = probe_write_i ? !same_unit_q : ext_write_q;

  assign hit_o = live && ((probe_inner_i && |operand_hit)
                       || (probe_ext_i && ext_valid_q && ext_overlap && ext_ordered));

  assign valid_o    = valid_q;
  assign finished_o = valid_q && finished_q;
  assign clear_o    = clear_q;
  assign waiting_o  = valid_q && !clear_q;

endmodule
