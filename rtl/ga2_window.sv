// SPDX-License-Identifier: Apache-2.0
// The dispatch window: slots in program order, filled at the tail, finished in any order, freed at the head.
//
//   dispatch --alloc--> [ tail ... slots ... head ] --retire--> trace
//   units    --done---------^
//
// An instruction's dependencies point to older slots only, so the oldest never waits.

module ga2_window
  import ga2_pkg::*;
#(
    parameter int ADDR_BITS = 13,
    parameter int BANKS    = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic kill_i,
    input logic start_i,  // a program starts: sequence numbers from 0

    // Allocation at the tail.
    output logic                    full_o,
    output logic                    empty_o,
    output logic [2:0]              tail_o,
    input logic                     alloc_i,
    input logic                     alloc_done_i,
    input logic [WindowSlots-1:0]   alloc_deps_i,
    input logic [2:0]               alloc_unit_i,
    input logic [15:0]              alloc_pc_i,
    input logic [7:0]               alloc_opcode_i,
    input logic [3:0]               alloc_valid_i,
    input logic [3:0]               alloc_write_i,
    input logic [3:0][ADDR_BITS-1:0] alloc_lo_i,
    input logic [3:0][ADDR_BITS-1:0] alloc_hi_i,
    input logic [3:0][BANKS-1:0]    alloc_banks_i,
    input logic                     alloc_ext_valid_i,
    input logic                     alloc_ext_write_i,
    input logic [32:0]              alloc_ext_lo_i,
    input logic [32:0]              alloc_ext_hi_i,

    // The operand that passes by; in the cycle after its kind, and who makes it wait.
    input  logic [2:0]             probe_unit_i,
    input  logic                   probe_spad_i,
    input  logic                   probe_ext_i,
    input  logic                   probe_inner_i,
    input  logic                   probe_write_i,
    input  logic                   probe_stream_i,
    input  logic [ADDR_BITS-1:0]    probe_lo_i,
    input  logic [ADDR_BITS-1:0]    probe_hi_i,
    input  logic [BANKS-1:0]       probe_banks_i,
    input  logic [32:0]            probe_ext_lo_i,
    input  logic [32:0]            probe_ext_hi_i,
    output logic [WindowSlots-1:0] hits_o,

    // Units.
    input  logic [WindowSlots-1:0] done_i,
    output logic [WindowSlots-1:0] clear_o,
    output logic                   waiting_o,

    // Program counters, for faults: of the slot that a unit names, and of the oldest.
    input  logic [2:0]  pc_slot_i,
    output logic [15:0] pc_o,
    output logic [15:0] oldest_pc_o,

    // Retirement, in program order.
    output logic        retire_valid_o,
    output logic [31:0] retire_seq_o,
    output logic [15:0] retire_pc_o,
    output logic [7:0]  retire_opcode_o,
    output logic [2:0]  retire_unit_o,
    output logic [31:0] retire_dst_lo_o,
    output logic [31:0] retire_dst_hi_o
);

  logic [2:0]             head_q, tail_q;
  logic [31:0]            seq_q;
  logic [WindowSlots-1:0] valid, finished, waiting;

  // What retirement reports, by slot, and the program counters once more for faults: small memories, a port each.
  localparam int ReportBits = 16 + 8 + 3 + 32 + 32;
  logic [ReportBits-1:0] report_q [WindowSlots];
  logic [15:0]           pc_q [WindowSlots];
  logic [31:0]           dst_lo, dst_hi;

  assign full_o         = valid[tail_q];
  assign empty_o        = valid == '0;
  assign tail_o         = tail_q;
  assign waiting_o      = |waiting;
  assign retire_valid_o = finished[head_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin  // pointers
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      seq_q  <= '0;
    end else if (kill_i) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      if (alloc_i) tail_q <= tail_q + 3'd1;
      if (retire_valid_o) head_q <= head_q + 3'd1;
      if (start_i) seq_q <= '0;
      else if (retire_valid_o) seq_q <= seq_q + 32'd1;
    end
  end

  assign dst_lo = alloc_ext_write_i ? alloc_ext_lo_i[31:0] : 32'(alloc_lo_i[0]);
  assign dst_hi = alloc_ext_write_i ? alloc_ext_hi_i[31:0] : 32'(alloc_hi_i[0]);

  always_ff @(posedge clk_i) begin  // report
    if (alloc_i) begin
      report_q[tail_q] <= {alloc_pc_i, alloc_opcode_i, alloc_unit_i, dst_lo, dst_hi};
      pc_q[tail_q]     <= alloc_pc_i;
    end
  end

  assign {retire_pc_o, retire_opcode_o, retire_unit_o, retire_dst_lo_o, retire_dst_hi_o} = report_q[head_q];
  assign retire_seq_o = seq_q;
  assign pc_o         = pc_q[pc_slot_i];
  assign oldest_pc_o  = empty_o ? alloc_pc_i : retire_pc_o;  // nothing in flight: the one being dispatched

  for (genvar s = 0; s < WindowSlots; s++) begin : gen_slot
    ga2_slot #(
        .ADDR_BITS(ADDR_BITS),
        .BANKS   (BANKS)
    ) u_slot (
        .clk_i,
        .rst_ni,
        .kill_i,
        .alloc_i          (alloc_i && tail_q == 3'(s)),
        .alloc_done_i,
        .alloc_deps_i,
        .alloc_unit_i,
        .alloc_valid_i,
        .alloc_write_i,
        .alloc_lo_i,
        .alloc_hi_i,
        .alloc_banks_i,
        .alloc_ext_valid_i,
        .alloc_ext_write_i,
        .alloc_ext_lo_i,
        .alloc_ext_hi_i,
        .probe_unit_i,
        .probe_spad_i,
        .probe_ext_i,
        .probe_inner_i,
        .probe_write_i,
        .probe_stream_i,
        .probe_lo_i,
        .probe_hi_i,
        .probe_banks_i,
        .probe_ext_lo_i,
        .probe_ext_hi_i,
        .hit_o            (hits_o[s]),
        .done_i,
        .done_self_i      (done_i[s]),
        .free_i           (retire_valid_o && head_q == 3'(s)),
        .valid_o          (valid[s]),
        .finished_o       (finished[s]),
        .clear_o          (clear_o[s]),
        .waiting_o        (waiting[s])
    );
  end

endmodule
