// SPDX-License-Identifier: Apache-2.0
// ga2_window and its slots: who must wait for whom is found by the contract's rules; an instruction is clear exactly when
// everything it was told to wait for is done; the oldest unfinished waits for nothing; retirement in program order.
//
// Two slots are chosen once: `old` and `new`. Assumed, as dispatch does: no allocation when full; an instruction depends
// only on unfinished ones; operands are those of the unit. Of the units: done only for an unfinished instruction that is
// clear.

module ga2_window_formal
  import ga2_pkg::*;
#(
  parameter int ADDR_BITS = 13,
  parameter int BANKS     = 8
) (
  input logic                      clk_i,
  input logic                      kill_i,
  input logic                      start_i,
  input logic                      alloc_i,
  input logic                      alloc_done_i,
  input logic [WindowSlots-1:0]    alloc_deps_i,
  input logic [2:0]                alloc_unit_i,
  input logic [15:0]               alloc_pc_i,
  input logic [7:0]                alloc_opcode_i,
  input logic [3:0]                alloc_valid_i,
  input logic [3:0][ADDR_BITS-1:0] alloc_lo_i,
  input logic [3:0][ADDR_BITS-1:0] alloc_hi_i,
  input logic [3:0][BANKS-1:0]     alloc_banks_i,
  input logic                      alloc_ext_valid_i,
  input logic [32:0]               alloc_ext_lo_i,
  input logic [32:0]               alloc_ext_hi_i,
  input logic [2:0]                probe_unit_i,
  input logic [2:0]                probe_index_i,  // of the operand that passes by; none: above 4
  input logic [ADDR_BITS-1:0]      probe_lo_i,
  input logic [ADDR_BITS-1:0]      probe_hi_i,
  input logic [BANKS-1:0]          probe_banks_i,
  input logic [32:0]               probe_ext_lo_i, // a cycle later
  input logic [32:0]               probe_ext_hi_i,
  input logic [WindowSlots-1:0]    done_i,
  input logic [2:0]                old_i,          // chosen once
  input logic [2:0]                new_i,
  input logic                      watch_i         // this allocation is the watched one
);

  logic                   rst_n, full, empty, retire;
  logic [2:0]             tail, head;
  logic [WindowSlots-1:0] hits, clear, in_use, finished, unfinished;
  logic [15:0]            retire_pc;
  logic [7:0]             retire_opcode;
  logic [2:0]             probe_unit_q, probe_index_q;
  logic                   alloc_store, alloc_softmax;
  assign alloc_store   = alloc_unit_i == UnitStore;
  assign alloc_softmax = alloc_unit_i == UnitSoftmax;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));
  ga2_formal_steady #(.WIDTH(6)) u_chosen (.clk_i, .rst_ni(rst_n), .value_i({old_i, new_i}));

  ga2_window #(.ADDR_BITS(ADDR_BITS), .BANKS(BANKS)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .start_i,
    .full_o(full), .empty_o(empty), .tail_o(tail), .alloc_i, .alloc_done_i, .alloc_deps_i, .alloc_unit_i, .alloc_pc_i,
    .alloc_opcode_i, .alloc_valid_i, .alloc_write_i({alloc_softmax, 3'b001}), .alloc_lo_i, .alloc_hi_i, .alloc_banks_i,
    .alloc_ext_valid_i, .alloc_ext_write_i(alloc_store), .alloc_ext_lo_i, .alloc_ext_hi_i,
    .probe_unit_i, .probe_spad_i(probe_index_i < 3'd4), .probe_ext_i(probe_index_q == 3'd4),
    .probe_inner_i(probe_index_q < 3'd4),
    .probe_write_i(probe_index_q == 3'd0 || (probe_index_q == 3'd3 && probe_unit_q == UnitSoftmax)
                   || (probe_index_q == 3'd4 && probe_unit_q == UnitStore)),
    .probe_stream_i(probe_unit_q == UnitMatrix && (probe_index_q == 3'd1 || probe_index_q == 3'd2)),
    .probe_lo_i, .probe_hi_i, .probe_banks_i, .probe_ext_lo_i, .probe_ext_hi_i, .hits_o(hits),
    .done_i, .clear_o(clear), .waiting_o(), .pc_slot_i(3'd0), .pc_o(), .oldest_pc_o(),
    .retire_valid_o(retire), .retire_seq_o(), .retire_pc_o(retire_pc), .retire_opcode_o(retire_opcode),
    .retire_unit_o(), .retire_dst_lo_o(), .retire_dst_hi_o()
  );
  assign head = u_dut.head_q;
  assign in_use = u_dut.valid;
  assign finished = u_dut.finished;
  assign unfinished = in_use & ~finished;

  // The claims of `old`, as they were allocated, and the operand of the cycle before --------------------------------

  logic [2:0]                old_unit_q;
  logic [4:0]                old_has_q;
  logic [4:0][ADDR_BITS-1:0] old_lo_q, old_hi_q;
  logic [4:0][BANKS-1:0]     old_banks_q;
  logic [32:0]               old_ext_lo_q, old_ext_hi_q;
  logic [ADDR_BITS-1:0]      probe_lo_q, probe_hi_q;
  logic [BANKS-1:0]          probe_banks_q;
  logic                      settled_q;  // `old` was in its slot in the cycle before
  logic [4:0]                waits;
  always_ff @(posedge clk_i) begin
    if (alloc_i && tail == old_i) begin
      old_unit_q   <= alloc_unit_i;
      old_has_q    <= {alloc_ext_valid_i, alloc_valid_i};
      old_lo_q     <= {ADDR_BITS'(0), alloc_lo_i};
      old_hi_q     <= {ADDR_BITS'(0), alloc_hi_i};
      old_banks_q  <= {BANKS'(0), alloc_banks_i};
      old_ext_lo_q <= alloc_ext_lo_i;
      old_ext_hi_q <= alloc_ext_hi_i;
    end
    probe_unit_q  <= probe_unit_i;
    probe_index_q <= probe_index_i;
    probe_lo_q    <= probe_lo_i;
    probe_hi_q    <= probe_hi_i;
    probe_banks_q <= probe_banks_i;
    settled_q     <= in_use[old_i];
  end
  for (genvar i = 0; i < 5; i++) begin : gen_hazard
    logic hazard;
    ga2_hazard #(.ADDR_BITS(ADDR_BITS), .BANKS(BANKS)) u_hazard (
      .old_unit_i(old_unit_q), .old_index_i(3'(i)), .old_lo_i(old_lo_q[i]), .old_hi_i(old_hi_q[i]),
      .old_banks_i(old_banks_q[i]), .old_ext_lo_i(old_ext_lo_q), .old_ext_hi_i(old_ext_hi_q),
      .new_unit_i(probe_unit_q), .new_index_i(probe_index_q), .new_lo_i(probe_lo_q), .new_hi_i(probe_hi_q),
      .new_banks_i(probe_banks_q), .new_ext_lo_i(probe_ext_lo_i), .new_ext_hi_i(probe_ext_hi_i),
      .overlap_o(), .meet_o(), .waits_o(hazard)
    );
    assign waits[i] = old_has_q[i] && probe_index_q <= 3'd4 && hazard;
  end

  // What `new` was told to wait for, and how many slots are in use ------------------------------------------------------

  logic [WindowSlots-1:0] told_q, before_old;
  logic [3:0]             count_q, ahead_q;
  logic [2:0]             watched_slot_q;
  logic [23:0]            watched_report_q;
  logic                   watched_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      told_q    <= '0;
      count_q   <= '0;
      watched_q <= 1'b0;
    end else begin
      told_q  <= (alloc_i && tail == new_i ? alloc_deps_i : told_q) & ~done_i;
      count_q <= kill_i ? '0 : count_q + 4'(alloc_i) - 4'(retire);
      if (kill_i) watched_q <= 1'b0;
      else if (alloc_i && watch_i && !watched_q) watched_q <= 1'b1;
      else if (retire && ahead_q == '0) watched_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (alloc_i && watch_i && !watched_q) begin
      ahead_q          <= count_q - 4'(retire);
      watched_slot_q   <= tail;
      watched_report_q <= {alloc_pc_i, alloc_opcode_i};
    end else if (retire) begin
      ahead_q <= ahead_q - 4'd1;
    end
  end

  for (genvar s = 0; s < WindowSlots; s++) begin : gen_slot
    logic [WindowSlots-1:0] older;
    for (genvar t = 0; t < WindowSlots; t++) begin : gen_older
      assign older[t] = 3'(t - head) < 3'(s - head);
    end
    assign before_old[s] = in_use[s] && 3'(s - head) < 3'(old_i - head);
    always_comb begin
      if (rst_n) begin
        inv_ring: assert (in_use[s] == (4'(3'(s - head)) < count_q));
        inv_older: assert (!in_use[s] || (u_dut.gen_slot[s].u_slot.deps_q & ~(unfinished & older)) == '0);
        inv_clear: assert (!in_use[s] || clear[s] == (u_dut.gen_slot[s].u_slot.deps_q == '0));
        if (old_i == 3'(s) && in_use[s]) begin
          inv_claims: assert (u_dut.gen_slot[s].u_slot.unit_q == old_unit_q
              && {u_dut.gen_slot[s].u_slot.ext_valid_q, u_dut.gen_slot[s].u_slot.op_valid_q} == old_has_q
              && u_dut.gen_slot[s].u_slot.op_write_q == {old_unit_q == UnitSoftmax, 3'b001}
              && u_dut.gen_slot[s].u_slot.ext_write_q == (old_unit_q == UnitStore)
              && u_dut.gen_slot[s].u_slot.lo_q == old_lo_q[3:0] && u_dut.gen_slot[s].u_slot.hi_q == old_hi_q[3:0]
              && u_dut.gen_slot[s].u_slot.banks_q == old_banks_q[3:0]
              && u_dut.gen_slot[s].u_slot.ext_lo_q == old_ext_lo_q && u_dut.gen_slot[s].u_slot.ext_hi_q == old_ext_hi_q);
        end
        if (old_i == 3'(s) && in_use[s] && settled_q) begin
          finds_hazard: assert (hits[s] == (unfinished[s] && !done_i[s] && waits != '0));
        end
        if (new_i == 3'(s) && in_use[s]) begin
          clear_when_all_done: assert (clear[s] == (told_q == '0));
          inv_told: assert (told_q == u_dut.gen_slot[s].u_slot.deps_q);
        end
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      assume_room: assume (!(alloc_i && full));
      assume_deps: assume (!alloc_i || (alloc_deps_i & ~(unfinished & ~done_i)) == '0);
      assume_done: assume ((done_i & ~(unfinished & clear)) == '0);

      oldest_waits_for_nothing: assert (!(unfinished[old_i] && (before_old & ~finished) == '0) || clear[old_i]);
      oldest_retires: assert (!(in_use != '0 && finished[head]) || retire);
      retires_only_finished: assert (!retire || (in_use[head] && finished[head]));
      retires_in_order: assert (!(watched_q && ahead_q == '0 && retire)
                                || {retire_pc, retire_opcode} == watched_report_q);
      full_when_eight: assert (full == (count_q == 4'd8));
      empty_when_none: assert (empty == (count_q == '0));

      inv_ends: assert (count_q <= 4'd8 && 3'(head + count_q[2:0]) == tail);
      inv_watched: assert (!watched_q || (ahead_q < count_q && 3'(head + ahead_q[2:0]) == watched_slot_q
          && u_dut.report_q[watched_slot_q][90:67] == watched_report_q));

      reach_full: cover (full && (unfinished & ~clear) == 8'b11111110);
      reach_out_of_order: cover (in_use[head] && !finished[head] && finished[3'(head + 3'd1)]);
      reach_hazard: cover (settled_q && hits[old_i] && probe_index_q == 3'd3);
      reach_hazard_outside: cover (settled_q && hits[old_i] && probe_index_q == 3'd4);
      reach_wait_ends: cover (in_use[new_i] && clear[new_i] && watched_q && retire);
    end
  end

endmodule
