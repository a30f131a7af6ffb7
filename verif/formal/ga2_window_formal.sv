// SPDX-License-Identifier: Apache-2.0
// ga2_window: slots are filled in a ring and freed in program order, each once it is finished; a slot is clear exactly
// when everything that it was told to wait for is done; the oldest waits for nobody, so that as long as units answer
// nothing waits for ever. Which operands must wait is the proof `slot`.
//
// Assumed: no allocation when full; an instruction is told to wait for unfinished ones only; done only for an
// unfinished instruction that is clear; a unit ends the oldest instruction within ANSWER cycles.

module ga2_window_formal
  import ga2_pkg::*;
#(
  parameter int ANSWER = 12
) (
  input logic                   clk_i,
  input logic                   kill_i,
  input logic                   start_i,
  input logic                   alloc_i,
  input logic                   alloc_done_i,
  input logic [WindowSlots-1:0] alloc_deps_i,
  input logic [2:0]             alloc_unit_i,
  input logic [15:0]            alloc_pc_i,
  input logic [7:0]             alloc_opcode_i,
  input logic [12:0]            alloc_lo_i,        // of the destination
  input logic [12:0]            alloc_hi_i,
  input logic [32:0]            alloc_ext_lo_i,
  input logic [32:0]            alloc_ext_hi_i,
  input logic [WindowSlots-1:0] done_i,
  input logic [2:0]             slot_i,            // any slot, chosen once
  input logic                   watch_i            // this allocation is the watched one
);

  localparam int ReportBits = 16 + 8 + 3 + 32 + 32;

  logic                   rst_n, full, empty, retire, outside;
  logic [2:0]             tail, head, retire_unit;
  logic [WindowSlots-1:0] clear, in_use, finished, unfinished;
  logic [31:0]            retire_seq, retire_lo, retire_hi;
  logic [15:0]            retire_pc, slot_pc, oldest_pc;
  logic [7:0]             retire_opcode;
  logic [ReportBits-1:0]  report, retire_report;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));
  ga2_formal_steady #(.WIDTH(3)) u_slot_chosen (.clk_i, .rst_ni(rst_n), .value_i(slot_i));

  assign outside = alloc_unit_i == UnitStore;

  ga2_window #(.ADDR_BITS(13), .BANKS(8)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .start_i,
    .full_o(full), .empty_o(empty), .tail_o(tail), .alloc_i, .alloc_done_i, .alloc_deps_i, .alloc_unit_i, .alloc_pc_i,
    .alloc_opcode_i, .alloc_valid_i('0), .alloc_write_i('0), .alloc_lo_i({39'b0, alloc_lo_i}),
    .alloc_hi_i({39'b0, alloc_hi_i}), .alloc_banks_i('0), .alloc_ext_valid_i(outside), .alloc_ext_write_i(outside),
    .alloc_ext_lo_i, .alloc_ext_hi_i,
    .probe_unit_i('0), .probe_spad_i(1'b0), .probe_ext_i(1'b0), .probe_inner_i(1'b0), .probe_write_i(1'b0),
    .probe_stream_i(1'b0), .probe_lo_i('0), .probe_hi_i('0), .probe_banks_i('0), .probe_ext_lo_i('0),
    .probe_ext_hi_i('0), .hits_o(), .done_i, .clear_o(clear), .waiting_o(),
    .pc_slot_i(slot_i), .pc_o(slot_pc), .oldest_pc_o(oldest_pc),
    .retire_valid_o(retire), .retire_seq_o(retire_seq), .retire_pc_o(retire_pc), .retire_opcode_o(retire_opcode),
    .retire_unit_o(retire_unit), .retire_dst_lo_o(retire_lo), .retire_dst_hi_o(retire_hi)
  );
  assign head          = u_dut.head_q;
  assign in_use        = u_dut.valid;
  assign finished      = u_dut.finished;
  assign unfinished    = in_use & ~finished;
  assign report        = {alloc_pc_i, alloc_opcode_i, alloc_unit_i, outside ? alloc_ext_lo_i[31:0] : 32'(alloc_lo_i),
                          outside ? alloc_ext_hi_i[31:0] : 32'(alloc_hi_i)};
  assign retire_report = {retire_pc, retire_opcode, retire_unit, retire_lo, retire_hi};

  // What `slot_i` was told to wait for, how many slots are in use, and one allocation until it retires ----------------

  logic [WindowSlots-1:0] told_q;
  logic [3:0]             count_q, ahead_q;
  logic [2:0]             watched_slot_q;
  logic [ReportBits-1:0]  watched_report_q;
  logic                   watched_q, waited_q;
  logic [31:0]            retired_q;
  logic [15:0]            slot_pc_q;
  logic [7:0]             age_q, unanswered_q;  // cycles: as the oldest; of those unfinished
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      told_q       <= '0;
      count_q      <= '0;
      watched_q    <= 1'b0;
      retired_q    <= '0;
      age_q        <= '0;
      unanswered_q <= '0;
      waited_q     <= 1'b0;
    end else begin
      waited_q <= in_use[slot_i] && !clear[slot_i];
      told_q  <= (alloc_i && tail == slot_i ? alloc_deps_i : told_q) & ~done_i;
      count_q <= kill_i ? '0 : count_q + 4'(alloc_i) - 4'(retire);
      if (!kill_i) retired_q <= start_i ? '0 : retired_q + 32'(retire);
      if (kill_i) watched_q <= 1'b0;
      else if (alloc_i && watch_i && !watched_q) watched_q <= 1'b1;
      else if (retire && ahead_q == '0) watched_q <= 1'b0;
      age_q        <= kill_i || retire || count_q == '0 ? '0 : age_q + 8'd1;
      unanswered_q <= !kill_i && unfinished[head] && !done_i[head] ? unanswered_q + 8'd1 : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (alloc_i && tail == slot_i) slot_pc_q <= alloc_pc_i;
    if (alloc_i && watch_i && !watched_q) begin
      ahead_q          <= count_q - 4'(retire);
      watched_slot_q   <= tail;
      watched_report_q <= report;
    end else if (retire) begin
      ahead_q <= ahead_q - 4'd1;
    end
  end

  for (genvar s = 0; s < WindowSlots; s++) begin : gen_slot
    logic [WindowSlots-1:0] older;
    for (genvar t = 0; t < WindowSlots; t++) begin : gen_older
      assign older[t] = 3'(t - head) < 3'(s - head);
    end
    always_comb begin
      if (rst_n) begin
        oldest_waits_for_nobody: assert (!(unfinished[s] && (unfinished & older) == '0) || clear[s]);
        if (slot_i == 3'(s) && in_use[s]) begin
          clear_when_all_done: assert (clear[s] == (told_q == '0));
          inv_told: assert (told_q == u_dut.gen_slot[s].u_slot.deps_q);
        end
        inv_ring: assert (in_use[s] == (4'(3'(s - head)) < count_q));
        inv_older: assert (!in_use[s] || (u_dut.gen_slot[s].u_slot.deps_q & ~(unfinished & older)) == '0);
        inv_clear: assert (!in_use[s] || clear[s] == (u_dut.gen_slot[s].u_slot.deps_q == '0));
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      assume_room: assume (!(alloc_i && full));
      assume_deps: assume (!alloc_i || (alloc_deps_i & ~unfinished) == '0);
      assume_done: assume ((done_i & ~(unfinished & clear)) == '0);
      assume_answer: assume (!(unanswered_q == 8'(ANSWER) && clear[head]) || done_i[head]);

      retires_when_finished: assert (retire == (in_use[head] && finished[head]));
      retires_in_order: assert (!(watched_q && ahead_q == '0 && retire) || retire_report == watched_report_q);
      retires_numbered: assert (retire_seq == retired_q);
      retires_in_time: assert (age_q <= 8'(ANSWER + 1));
      full_when_eight: assert (full == (count_q == 4'd8));
      empty_when_none: assert (empty == (count_q == '0));
      pc_of_slot: assert (!in_use[slot_i] || slot_pc == slot_pc_q);
      pc_of_oldest: assert (oldest_pc == (count_q == '0 ? alloc_pc_i : retire_pc));

      inv_ends: assert (count_q <= 4'd8 && 3'(head + count_q[2:0]) == tail);
      inv_watched: assert (!watched_q || (ahead_q < count_q && 3'(head + ahead_q[2:0]) == watched_slot_q
          && u_dut.report_q[watched_slot_q] == watched_report_q));
      inv_answers: assert (unanswered_q <= 8'(ANSWER) && (!unfinished[head] || age_q == unanswered_q));

      reach_full_of_waiting: cover (full && (unfinished & ~clear) == 8'b11111110);
      reach_out_of_order: cover (in_use[head] && !finished[head] && finished[3'(head + 3'd1)]);
      reach_wait_ends: cover (in_use[slot_i] && clear[slot_i] && waited_q && watched_q && retire);
      reach_wrapped: cover (retire && retire_seq == 32'd9);
    end
  end

endmodule
