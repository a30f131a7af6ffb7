// SPDX-License-Identifier: Apache-2.0
// ga2_frontend (dispatch, window, slots, issue queues): no hazard passes, nothing waits for ever, retirement in order.
//
// Two slots and an operand of each are chosen once: `old` and `new`. Where an operand lies is cut free (any interval and
// banks), because the rules must hold wherever it lies. Assumed: a program starts when none runs; a unit reports an
// operation done only once, after it has started it.

module ga2_window_formal
  import ga2_pkg::*;
  import ga2_ops_pkg::*;
#(
  parameter int SPAD_WORDS = 4096,
  parameter int BANKS      = 8
) (
  input logic                   clk_i,
  input logic                   kill_i,
  input logic                   start_i,
  input logic [15:0]            entry_i,
  input logic [15:0]            len_i,
  input logic [15:0]            m_i,
  input logic [3:0][31:0]       win_base_i,
  input logic [3:0][31:0]       win_size_i,
  input logic [3:0]             win_writable_i,
  input logic [InstrWidth-1:0]  imem_data_i,
  input logic [4:0]             ready_i,
  input logic [WindowSlots-1:0] done_i,
  // chosen once
  input logic [2:0]             old_i,
  input logic [2:0]             new_i,
  input logic [2:0]             old_index_i,
  input logic [2:0]             new_index_i,
  // this allocation is the watched one
  input logic                   watch_i
);

  localparam int AddrBits = $clog2(SPAD_WORDS) + 1;
  localparam logic [3:0] StPrepare = 4'd2, StCheck = 4'd3, StOperands = 4'd4, StAllocate = 4'd5;

  logic        rst_n, alloc, retire;
  logic [15:0] pc, retire_pc;
  logic [7:0]  retire_opcode;
  logic [31:0] retire_seq;
  logic [4:0]  valid;
  ld_op_t      ld_op;
  st_op_t      st_op;
  mm_op_t      mm_op;
  sm_op_t      sm_op;
  vec_op_t     vec_op;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));
  ga2_formal_steady #(.WIDTH(12)) u_chosen (
    .clk_i, .rst_ni(rst_n), .value_i({old_i, new_i, old_index_i, new_index_i})
  );

  ga2_frontend #(.SPAD_WORDS(SPAD_WORDS), .BANKS(BANKS)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i,
    .start_i, .entry_i, .len_i, .m_i, .win_base_i, .win_size_i, .win_writable_i,
    .finish_o(), .fault_o(), .fault_code_o(), .fault_addr_o(),
    .pc_o(pc), .active_o(), .alloc_o(alloc), .waiting_o(),
    .imem_en_o(), .imem_addr_o(), .imem_data_i,
    .ld_valid_o(valid[0]), .ld_ready_i(ready_i[0]), .ld_op_o(ld_op),
    .mm_valid_o(valid[1]), .mm_ready_i(ready_i[1]), .mm_op_o(mm_op),
    .vec_valid_o(valid[2]), .vec_ready_i(ready_i[2]), .vec_op_o(vec_op),
    .sm_valid_o(valid[3]), .sm_ready_i(ready_i[3]), .sm_op_o(sm_op),
    .st_valid_o(valid[4]), .st_ready_i(ready_i[4]), .st_op_o(st_op),
    .done_i,
    .pc_slot_i(3'd0), .slot_pc_o(), .oldest_pc_o(),
    .retire_valid_o(retire), .retire_seq_o(retire_seq), .retire_pc_o(retire_pc), .retire_opcode_o(retire_opcode),
    .retire_unit_o(), .retire_dst_lo_o(), .retire_dst_hi_o()
  );

  // The slots' registers, side by side ------------------------------------------------------------------------------

  logic [WindowSlots-1:0]                         in_use, finished, clear, unfinished;
  logic [WindowSlots-1:0][WindowSlots-1:0]        deps;
  logic [WindowSlots-1:0][2:0]                    units;
  logic [WindowSlots-1:0][4:0]                    has;      // operands; the external one on top
  logic [WindowSlots-1:0][3:0][AddrBits-1:0]      lo, hi;
  logic [WindowSlots-1:0][3:0][BANKS-1:0]         banks;
  logic [WindowSlots-1:0][32:0]                   ext_lo, ext_hi;
  logic [2:0]                                     head, tail;
  assign head = u_dut.u_window.head_q;
  assign tail = u_dut.u_window.tail_q;
  assign unfinished = in_use & ~finished;

  logic [4:0][2:0]             slot;                  // that a queue's head names
  logic [WindowSlots-1:0]      started_q, starts, waits;
  logic [WindowSlots-1:0][2:0] places_q;              // in the unit's queue
  logic [3:0]                  count_q;               // slots in use
  logic [2:0]                  unit;                  // of the instruction being dispatched
  logic                        no_op;

  for (genvar s = 0; s < WindowSlots; s++) begin : gen_slot
    assign in_use[s]   = u_dut.u_window.gen_slot[s].u_slot.valid_q;
    assign finished[s] = u_dut.u_window.gen_slot[s].u_slot.finished_q;
    assign clear[s]    = u_dut.u_window.gen_slot[s].u_slot.clear_q;
    assign deps[s]     = u_dut.u_window.gen_slot[s].u_slot.deps_q;
    assign units[s]    = u_dut.u_window.gen_slot[s].u_slot.unit_q;
    assign has[s]      = {u_dut.u_window.gen_slot[s].u_slot.ext_valid_q, u_dut.u_window.gen_slot[s].u_slot.op_valid_q};
    assign lo[s]       = u_dut.u_window.gen_slot[s].u_slot.lo_q;
    assign hi[s]       = u_dut.u_window.gen_slot[s].u_slot.hi_q;
    assign banks[s]    = u_dut.u_window.gen_slot[s].u_slot.banks_q;
    assign ext_lo[s]   = u_dut.u_window.gen_slot[s].u_slot.ext_lo_q;
    assign ext_hi[s]   = u_dut.u_window.gen_slot[s].u_slot.ext_hi_q;

    logic [WindowSlots-1:0] older;
    for (genvar t = 0; t < WindowSlots; t++) begin : gen_older
      assign older[t] = 3'(t - head) < 3'(s - head);
    end

    always_comb begin
      if (rst_n) begin
        inv_ring: assert (in_use[s] == (4'(3'(s - head)) < count_q));
        if (in_use[s]) begin
          inv_depends_on_older: assert ((deps[s] & ~(unfinished & older)) == '0);
          inv_clear: assert (clear[s] == (deps[s] == '0));
          inv_writes: assert (u_dut.u_window.gen_slot[s].u_slot.op_write_q == {units[s] == UnitSoftmax, 3'b001});
          inv_ext_writes: assert (u_dut.u_window.gen_slot[s].u_slot.ext_write_q == (units[s] == UnitStore));
          inv_slot_unit: assert (!waits[s] || units[s] <= UnitStore);
        end
      end
    end
  end

  // Starts ------------------------------------------------------------------------------------------------------------

  assign slot  = {st_op.slot, sm_op.slot, vec_op.slot, mm_op.slot, ld_op.slot};
  assign waits = unfinished & ~started_q;
  assign unit  = u_dut.u_dispatch.alloc_unit_o;
  assign no_op = u_dut.u_dispatch.alloc_done_o;

  always_comb begin
    starts = '0;
    for (int u = 0; u < 5; u++) if (valid[u] && ready_i[u]) starts[slot[u]] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      started_q <= '0;
      count_q   <= '0;
    end else if (kill_i) begin
      started_q <= '0;
      count_q   <= '0;
    end else begin
      started_q <= started_q | starts;
      if (alloc) started_q[tail] <= 1'b0;
      count_q <= count_q + 4'(alloc) - 4'(retire);
    end
  end

  logic [4:0][3:0] tails, heads;
  assign heads = {u_dut.u_store_queue.head_q, u_dut.u_softmax_queue.head_q, u_dut.u_vector_queue.head_q,
                  u_dut.u_matrix_queue.head_q, u_dut.u_load_queue.head_q};
  assign tails = {u_dut.u_store_queue.tail_q, u_dut.u_softmax_queue.tail_q, u_dut.u_vector_queue.tail_q,
                  u_dut.u_matrix_queue.tail_q, u_dut.u_load_queue.tail_q};

  always_ff @(posedge clk_i) if (alloc && unit <= UnitStore) places_q[tail] <= tails[unit][2:0];

  logic [4:0][WindowSlots-1:0][2:0] queued;
  for (genvar p = 0; p < WindowSlots; p++) begin : gen_place
    assign queued[0][p] = u_dut.u_load_queue.mem_q[p][$bits(ld_op_t)-1-:3];
    assign queued[1][p] = u_dut.u_matrix_queue.mem_q[p][$bits(mm_op_t)-1-:3];
    assign queued[2][p] = u_dut.u_vector_queue.mem_q[p][$bits(vec_op_t)-1-:3];
    assign queued[3][p] = u_dut.u_softmax_queue.mem_q[p][$bits(sm_op_t)-1-:3];
    assign queued[4][p] = u_dut.u_store_queue.mem_q[p][$bits(st_op_t)-1-:3];
  end

  logic [4:0]      some;
  logic [4:0][2:0] head_slot;
  assign some = {u_dut.u_store_queue.some_q, u_dut.u_softmax_queue.some_q, u_dut.u_vector_queue.some_q,
                 u_dut.u_matrix_queue.some_q, u_dut.u_load_queue.some_q};
  assign head_slot = {u_dut.u_store_queue.slot_q, u_dut.u_softmax_queue.slot_q, u_dut.u_vector_queue.slot_q,
                      u_dut.u_matrix_queue.slot_q, u_dut.u_load_queue.slot_q};
  for (genvar u = 0; u < 5; u++) begin : gen_queue
    ga2_queue_formal u_queue (
      .rst_ni(rst_n), .unit_i(3'(u)), .head_i(heads[u]), .tail_i(tails[u]), .some_i(some[u]), .slot_i(head_slot[u]),
      .slots_i(queued[u]), .oldest_i(head), .waits_i(waits), .units_i(units), .places_i(places_q)
    );
  end

  // As many wait as are queued: that a queue never overflows follows from the window's eight slots.
  logic [5:0] waiting, queued_count;
  always_comb begin
    waiting = '0;
    queued_count = '0;
    for (int s = 0; s < WindowSlots; s++) waiting = waiting + 6'(waits[s]);
    for (int u = 0; u < 5; u++) queued_count = queued_count + 6'(4'(tails[u] - heads[u]));
  end

  // No hazard passes --------------------------------------------------------------------------------------------------

  logic old_older, waits_for_old, dispatched_waits, overlap, meet;
  assign old_older = in_use[old_i] && in_use[new_i] && 3'(old_i - head) < 3'(new_i - head);

  ga2_hazard #(.ADDR_BITS(AddrBits), .BANKS(BANKS)) u_slots (
    .old_unit_i(units[old_i]), .old_index_i, .old_lo_i(lo[old_i][old_index_i[1:0]]),
    .old_hi_i(hi[old_i][old_index_i[1:0]]), .old_banks_i(banks[old_i][old_index_i[1:0]]),
    .old_ext_lo_i(ext_lo[old_i]), .old_ext_hi_i(ext_hi[old_i]),
    .new_unit_i(units[new_i]), .new_index_i, .new_lo_i(lo[new_i][new_index_i[1:0]]),
    .new_hi_i(hi[new_i][new_index_i[1:0]]), .new_banks_i(banks[new_i][new_index_i[1:0]]),
    .new_ext_lo_i(ext_lo[new_i]), .new_ext_hi_i(ext_hi[new_i]),
    .overlap_o(), .meet_o(), .waits_o(waits_for_old)
  );

  // The same of the instruction being dispatched, whose operands arrive one by one.
  logic [3:0][AddrBits-1:0] new_lo, new_hi;
  logic [3:0][BANKS-1:0]    new_banks;
  assign new_lo    = u_dut.u_dispatch.alloc_lo_o;
  assign new_hi    = u_dut.u_dispatch.alloc_hi_o;
  assign new_banks = u_dut.u_dispatch.alloc_banks_o;
  ga2_hazard #(.ADDR_BITS(AddrBits), .BANKS(BANKS)) u_dispatched (
    .old_unit_i(units[old_i]), .old_index_i, .old_lo_i(lo[old_i][old_index_i[1:0]]),
    .old_hi_i(hi[old_i][old_index_i[1:0]]), .old_banks_i(banks[old_i][old_index_i[1:0]]),
    .old_ext_lo_i(ext_lo[old_i]), .old_ext_hi_i(ext_hi[old_i]),
    .new_unit_i(unit), .new_index_i, .new_lo_i(new_lo[new_index_i[1:0]]),
    .new_hi_i(new_hi[new_index_i[1:0]]), .new_banks_i(new_banks[new_index_i[1:0]]),
    .new_ext_lo_i(u_dut.u_dispatch.alloc_ext_lo_o), .new_ext_hi_i(u_dut.u_dispatch.alloc_ext_hi_o),
    .overlap_o(overlap), .meet_o(meet), .waits_o(dispatched_waits)
  );

  logic [3:0] state;
  logic [4:0] seen_q, operands, pending, under_way;  // operands: of the instruction in dispatch
  logic [2:0] last_q;                                // the operand that came in the cycle before
  logic       at_valid, collecting, came_q;
  assign state      = 4'(u_dut.u_dispatch.state_q);
  assign at_valid   = u_dut.u_dispatch.at_valid;
  assign pending    = u_dut.u_dispatch.pending_q;
  assign collecting = state == StOperands || (state == StAllocate && !no_op);

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      seen_q <= '0;
      came_q <= 1'b0;
    end else begin
      came_q <= at_valid;
      if (state == StPrepare) seen_q <= '0;
      else if (at_valid) seen_q <= seen_q | (5'd1 << u_dut.u_dispatch.at);
      last_q <= u_dut.u_dispatch.at;
    end
  end

  always_comb begin
    unique case (u_dut.u_dispatch.instr_q[7:0])
      OpLd:    operands = 5'b10001;
      OpLdg:   operands = 5'b10011;
      OpSt:    operands = 5'b10010;
      OpMm:    operands = u_dut.u_dispatch.instr_q[MmResidualLsb] || u_dut.u_dispatch.instr_q[MmRowmulLsb] ? 5'b01111
                                                                                                        : 5'b00111;
      OpSm:    operands = 5'b01011;
      OpVec:   operands = u_dut.u_dispatch.instr_q[VecSecondLsb] ? 5'b00111 : 5'b00011;
      OpAmax:  operands = 5'b00011;
      default: operands = 5'b00000;
    endcase
  end

  function automatic logic [2:0] unit_of(input logic [7:0] opcode);
    return opcode == OpLd || opcode == OpLdg ? UnitLoad : opcode == OpSt ? UnitStore : opcode == OpMm ? UnitMatrix
         : opcode == OpSm ? UnitSoftmax : opcode == OpVec || opcode == OpAmax ? UnitVector : UnitControl;
  endfunction

  // Operands on their way through ga2_operand.
  logic [2:0][4:0] stage;
  logic [2:0]      stage_last;
  assign stage[0] = u_dut.u_dispatch.u_operand.valid_1_q ? 5'd1 << u_dut.u_dispatch.u_operand.index_1_q : '0;
  assign stage[1] = u_dut.u_dispatch.u_operand.valid_q ? 5'd1 << u_dut.u_dispatch.u_operand.index_q : '0;
  assign stage[2] = u_dut.u_dispatch.u_operand.valid_o ? 5'd1 << u_dut.u_dispatch.u_operand.index_o : '0;
  assign stage_last = {u_dut.u_dispatch.u_operand.last_o, u_dut.u_dispatch.u_operand.last_q,
                       u_dut.u_dispatch.u_operand.last_1_q};
  assign under_way = stage[0] | stage[1] | stage[2];

  // What the slot `old` has compared with the operand that came in the cycle before.
  logic [WindowSlots-1:0]      same_unit;
  logic [WindowSlots-1:0][3:0] overlaps, meets;
  for (genvar s = 0; s < WindowSlots; s++) begin : gen_compared
    assign same_unit[s] = u_dut.u_window.gen_slot[s].u_slot.same_unit_q;
    for (genvar i = 0; i < 4; i++) begin : gen_operand
      assign overlaps[s][i] = u_dut.u_window.gen_slot[s].u_slot.gen_operand[i].overlap_q;
      assign meets[s][i]    = u_dut.u_window.gen_slot[s].u_slot.gen_operand[i].meet_q;
    end
  end

  // One allocation is watched until it retires.
  logic        watched_q;
  logic [3:0]  ahead_q;      // slots in use before it
  logic [2:0]  watched_slot_q;
  logic [23:0] watched_report_q;
  logic [31:0] retired_q;    // since the program started

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      watched_q <= 1'b0;
      retired_q <= '0;
    end else begin
      if (kill_i) watched_q <= 1'b0;
      else if (alloc && watch_i && !watched_q) watched_q <= 1'b1;
      else if (retire && ahead_q == '0) watched_q <= 1'b0;
      if (!kill_i) begin
        if (start_i) retired_q <= '0;
        else if (retire) retired_q <= retired_q + 32'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (alloc && watch_i && !watched_q) begin
      ahead_q          <= count_q - 4'(retire);
      watched_slot_q   <= tail;
      watched_report_q <= {pc, u_dut.u_dispatch.instr_q[7:0]};
    end else if (retire) begin
      ahead_q <= ahead_q - 4'd1;
    end
  end

  logic just_came;
  assign just_came = came_q && last_q == new_index_i;

  // The oldest that is not finished: everything older is.
  logic [WindowSlots-1:0] older_than_old;
  for (genvar t = 0; t < WindowSlots; t++) begin : gen_before
    assign older_than_old[t] = in_use[t] && 3'(t - head) < 3'(old_i - head);
  end

  always_comb begin
    if (rst_n) begin
      assume_start: assume (!start_i || (state == 4'd0 && in_use == '0 && !kill_i));
      assume_done: assume ((done_i & ~(started_q & unfinished)) == '0);
      assume_indices: assume (old_index_i <= 3'd4 && new_index_i <= 3'd4);

      // Properties.
      hazard_never_passes: assert (!(starts[new_i] && old_older && unfinished[old_i] && has[old_i][old_index_i]
                                  && has[new_i][new_index_i] && waits_for_old));
      starts_once: assert ((starts & ~waits) == '0);
      every_operand_counts: assert (!(alloc && !no_op) || ({u_dut.u_dispatch.alloc_ext_valid_o,
                                                           u_dut.u_dispatch.alloc_valid_o} == operands));
      unit_of_opcode: assert (!alloc || unit == unit_of(u_dut.u_dispatch.instr_q[7:0]));
      never_beyond_window: assert (!(alloc && in_use[tail]));
      oldest_waits_for_nothing: assert (!(unfinished[old_i] && (older_than_old & ~finished) == '0)
          || (clear[old_i] && (started_q[old_i] || (valid[units[old_i]] && slot[units[old_i]] == old_i))));
      oldest_retires: assert (!(in_use != '0 && finished[head]) || retire);
      retires_only_finished: assert (!retire || (in_use[head] && finished[head]));
      retires_in_order: assert (!(watched_q && ahead_q == '0 && retire)
                                || {retire_pc, retire_opcode} == watched_report_q);
      retires_numbered: assert (retire_seq == retired_q);
      dispatch_goes_on: assert (state != StOperands || pending != '0 || under_way != '0);

      // Invariants.
      inv_as_many_wait: assert (waiting == queued_count);
      inv_ring_ends: assert (count_q <= 4'd8 && 3'(head + count_q[2:0]) == tail);
      inv_hazard_slot_waits: assert (!(old_older && unfinished[old_i] && has[old_i][old_index_i] && has[new_i][new_index_i]
                                && waits_for_old && unfinished[new_i]) || deps[new_i][old_i]);
      inv_hazard_dispatch_waits: assert (!(collecting && seen_q[new_index_i] && !just_came && unfinished[old_i]
                                    && has[old_i][old_index_i] && dispatched_waits)
                                  || u_dut.u_dispatch.deps_q[old_i]);
      inv_dispatch_deps: assert (!(state == StOperands || state == StAllocate || state == StCheck) || (u_dut.u_dispatch.deps_q & ~unfinished) == '0);
      inv_state: assert (state <= 4'd7);
      inv_unit: assert (!(state == StCheck || state == StOperands || state == StAllocate)
                        || unit == unit_of(u_dut.u_dispatch.instr_q[7:0]));
      inv_known: assert (!collecting || operands != '0);
      inv_check: assert (state != StCheck || u_dut.u_dispatch.check_fault || u_dut.u_dispatch.halt || operands != '0);
      inv_claims: assert (!(collecting || state == StCheck) || u_dut.u_dispatch.alloc_valid_o == seen_q[3:0]);
      inv_prepare: assert (state != StPrepare || (pending == operands && stage[0] == '0));
      inv_checking: assert (state != StCheck || (seen_q == '0 && u_dut.u_dispatch.deps_q == '0 && stage[1] == '0
                            && !came_q && (pending | stage[0]) == operands && (pending & stage[0]) == '0));
      inv_collecting: assert (state != StOperands || ((pending | under_way | seen_q) == operands
          && (pending & (under_way | seen_q)) == '0 && (under_way & seen_q) == '0
          && (stage[0] & (stage[1] | stage[2])) == '0 && (stage[1] & stage[2]) == '0));
      inv_collected: assert (!(state == StAllocate && !no_op) || seen_q == operands);
      inv_came: assert (!came_q || state == 4'd0 || state == StOperands || state == StAllocate);
      inv_came_seen: assert (!(came_q && state != 4'd0) || (seen_q[last_q] && last_q <= 3'd4));
      inv_came_kind: assert (u_dut.u_dispatch.probe_ext_o == (came_q && last_q == 3'd4)
                             && u_dut.u_dispatch.probe_inner_o == (came_q && last_q != 3'd4));
      inv_came_role: assert (!(came_q && state != 4'd0)
          || (u_dut.u_dispatch.probe_write_o == (last_q == 3'd0 || (last_q == 3'd3 && unit == UnitSoftmax)
                                                 || (last_q == 3'd4 && unit == UnitStore))
              && u_dut.u_dispatch.probe_stream_o == (unit == UnitMatrix && (last_q == 3'd1 || last_q == 3'd2))));
      inv_hazard_unit: assert (!(came_q && state != 4'd0 && in_use[old_i])
                             || same_unit[old_i] == (units[old_i] == unit));
      inv_hazard_compared: assert (!(just_came && state != 4'd0 && new_index_i != 3'd4 && old_index_i != 3'd4 && in_use[old_i])
          || (overlaps[old_i][old_index_i[1:0]] == overlap && meets[old_i][old_index_i[1:0]] == meet));
      inv_pick: assert (!(pending != '0 && (state == StPrepare || state == StCheck || state == StOperands))
                        || 5'(5'd1 << u_dut.u_dispatch.pick_q) == (pending & (~pending + 5'd1)));
      inv_last: assert (state != StOperands || (
          (stage[0] == '0 || stage_last[0] == (pending == '0))
          && (stage[1] == '0 || stage_last[1] == ((pending | stage[0]) == '0))
          && (stage[2] == '0 || stage_last[2] == ((pending | stage[0] | stage[1]) == '0))));
      inv_last_checking: assert (state != StCheck || stage[0] == '0 || stage_last[0] == (pending == '0));
      inv_index: assert ((!u_dut.u_dispatch.u_operand.valid_1_q || u_dut.u_dispatch.u_operand.index_1_q <= 3'd4)
                         && (!u_dut.u_dispatch.u_operand.valid_q || u_dut.u_dispatch.u_operand.index_q <= 3'd4)
                         && (!u_dut.u_dispatch.u_operand.valid_o || u_dut.u_dispatch.u_operand.index_o <= 3'd4));
      inv_no_op: assert (!(state == StCheck || state == StOperands || state == StAllocate)
                         || no_op == (u_dut.u_dispatch.rows_q == '0 || u_dut.u_dispatch.cols_q == '0));
      inv_effect: assert (state != StOperands || !no_op);
      inv_watched: assert (!watched_q || (ahead_q < count_q && 3'(head + ahead_q[2:0]) == watched_slot_q
          && u_dut.u_window.report_q[watched_slot_q][90:67] == watched_report_q));

      reach_wait: cover (waits[new_i] && old_older && started_q[old_i] && unfinished[old_i] && has[old_i][old_index_i]
                         && has[new_i][new_index_i] && waits_for_old && old_index_i != 3'd4);
      reach_wait_outside: cover (waits[new_i] && old_older && waits_for_old && unfinished[old_i] && has[old_i][old_index_i]
                                 && has[new_i][new_index_i] && old_index_i == 3'd4);
      reach_out_of_order: cover (in_use[head] && !finished[head] && finished[3'(head + 3'd1)]);
      reach_retired: cover (retire && retire_seq == 32'd1);
    end
  end

endmodule
