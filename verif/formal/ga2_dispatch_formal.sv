// SPDX-License-Identifier: Apache-2.0
// ga2_dispatch: every operand of every instruction passes by the window once, as what it is, and what is allocated is
// what passed; the instruction is told to wait for exactly the older ones that any of its operands hit; it is allocated
// in the contract's cycle unless the window is full, so dispatch never stops by itself.
//
// Where operands lie is left open (any interval, any banks), as is the product in a softmax's length check: the proof
// holds for all of them. Assumed: LEN, M constant; a program starts when none runs; nobody is hit unless an operand
// passes (proof `slot`).

module ga2_dispatch_formal
  import ga2_pkg::*;
#(
  parameter int BANKS = 8
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
  input logic                   full_i,
  input logic                   empty_i,
  input logic [WindowSlots-1:0] hits_i,
  input logic [WindowSlots-1:0] done_i,
  input logic [1:0]             which_i  // an operand, chosen once
);

  localparam int AddrBits = 13;
  localparam logic [3:0] StIdle = 4'd0, StDecode = 4'd1, StPrepare = 4'd2, StCheck = 4'd3, StOperands = 4'd4,
                         StAllocate = 4'd5, StDrain = 4'd6, StFault = 4'd7;

  logic                     rst_n, alloc, alloc_done, ext_valid, ext_write, finish, fault;
  logic                     probe_spad, probe_ext, probe_inner, probe_write, probe_stream, imem_en;
  logic [15:0]              pc, imem_addr;
  logic [7:0]               opcode;
  logic [2:0]               unit;
  logic [WindowSlots-1:0]   deps;
  logic [3:0]               valid, write, state;
  logic [3:0][AddrBits-1:0] lo, hi;
  logic [3:0][BANKS-1:0]    banks;
  logic [32:0]              ext_lo, ext_hi;
  logic [AddrBits-1:0]      probe_lo, probe_hi;
  logic [BANKS-1:0]         probe_banks;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));
  ga2_formal_steady #(.WIDTH(34)) u_chosen (.clk_i, .rst_ni(rst_n), .value_i({which_i, len_i, m_i}));

  ga2_dispatch #(.ADDR_BITS(AddrBits), .BANKS(BANKS)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .start_i, .entry_i, .len_i, .m_i, .finish_o(finish), .fault_o(fault),
    .fault_code_o(), .fault_addr_o(), .pc_o(pc), .active_o(), .win_base_i, .win_size_i, .win_writable_i,
    .imem_en_o(imem_en), .imem_addr_o(imem_addr), .imem_data_i, .full_i, .empty_i, .tail_i(3'd0),
    .alloc_o(alloc), .alloc_done_o(alloc_done), .alloc_deps_o(deps), .alloc_unit_o(unit), .alloc_opcode_o(opcode),
    .alloc_valid_o(valid), .alloc_write_o(write), .alloc_lo_o(lo), .alloc_hi_o(hi), .alloc_banks_o(banks),
    .alloc_ext_valid_o(ext_valid), .alloc_ext_write_o(ext_write), .alloc_ext_lo_o(ext_lo), .alloc_ext_hi_o(ext_hi),
    .probe_spad_o(probe_spad), .probe_ext_o(probe_ext), .probe_inner_o(probe_inner), .probe_write_o(probe_write),
    .probe_stream_o(probe_stream), .probe_lo_o(probe_lo), .probe_hi_o(probe_hi), .probe_banks_o(probe_banks),
    .hits_i, .done_i, .ld_op_o(), .st_op_o(), .mm_op_o(), .sm_op_o(), .vec_op_o()
  );
  assign state = 4'(u_dut.state_q);

  // What an instruction has, from the instruction set ------------------------------------------------------------------

  function automatic logic [4:0] operands_of(input logic [InstrWidth-1:0] instr);
    unique case (instr[7:0])
      OpLd:    return 5'b10001;
      OpLdg:   return 5'b10011;
      OpSt:    return 5'b10010;
      OpMm:    return instr[MmResidualLsb] || instr[MmRowmulLsb] ? 5'b01111 : 5'b00111;
      OpSm:    return 5'b01011;
      OpVec:   return instr[VecSecondLsb] ? 5'b00111 : 5'b00011;
      OpAmax:  return 5'b00011;
      default: return 5'b00000;
    endcase
  endfunction

  function automatic logic [2:0] unit_of(input logic [7:0] code);
    return code == OpLd || code == OpLdg ? UnitLoad : code == OpSt ? UnitStore : code == OpMm ? UnitMatrix
         : code == OpSm ? UnitSoftmax : code == OpVec || code == OpAmax ? UnitVector : UnitControl;
  endfunction

  function automatic logic [17:0] dim_of(input logic [15:0] field, input logic [15:0] len, input logic [15:0] m);
    return 18'(field[11:0]) + 18'(field[13:12]) * 18'(len) + 18'(field[15:14]) * 18'(m);
  endfunction

  function automatic logic [4:0] lowest(input logic [4:0] set);
    return set & (~set + 5'd1);
  endfunction

  function automatic logic [3:0] number(input logic [4:0] set);
    return 4'(set[0]) + 4'(set[1]) + 4'(set[2]) + 4'(set[3]) + 4'(set[4]);
  endfunction

  // The instruction in dispatch and what of it has passed ---------------------------------------------------------------

  logic [InstrWidth-1:0]  instr_q;
  logic [4:0]             operands, rest_q, rest, next;  // rest: still to pass; next: the one that must pass now
  logic [3:0]             count, age_q;                  // operands; cycles since decoding, in which it could go on
  logic [WindowSlots-1:0] told_q, told;
  logic [15:0]            pc_q;
  logic [17:0]            rows, cols;
  logic                   decodes, passes, spad_q, working, no_op, second_q, waited_q;
  logic [AddrBits-1:0]    lo_q, hi_q, kept_lo_q, kept_hi_q;
  logic [BANKS-1:0]       banks_q, kept_banks_q;
  logic [32:0]            kept_ext_lo_q, kept_ext_hi_q;
  assign decodes  = state == StDecode || alloc;
  assign passes   = probe_ext || probe_inner;
  assign operands = operands_of(instr_q);
  assign count    = number(operands);
  assign next     = lowest(rest_q);
  assign rest     = passes ? rest_q & ~next : rest_q;
  assign told     = (told_q | (passes ? hits_i : '0)) & ~done_i;
  assign working  = state == StPrepare || state == StCheck || state == StOperands || state == StAllocate;
  assign rows     = dim_of(instr_q[LdRowsLsb+:16], len_i, m_i);
  assign cols     = dim_of(instr_q[LdWordsLsb+:16], len_i, m_i);
  assign no_op    = rows == '0 || cols == '0;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      second_q <= 1'b0;
      waited_q <= 1'b0;
    end else begin
      second_q <= second_q || alloc;
      waited_q <= state == StAllocate && full_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (decodes) instr_q <= imem_data_i;
    rest_q <= decodes ? operands_of(imem_data_i) : rest;
    told_q <= decodes ? '0 : told;
    age_q  <= decodes ? '0 : state == StAllocate ? age_q : age_q + 4'd1;
    if (state == StIdle && start_i) pc_q <= entry_i;
    else if (alloc) pc_q <= pc_q + 16'd1;
    spad_q  <= probe_spad;
    lo_q    <= probe_lo;
    hi_q    <= probe_hi;
    banks_q <= probe_banks;
    if (probe_inner && next[3'(which_i)]) {kept_lo_q, kept_hi_q, kept_banks_q} <= {lo_q, hi_q, banks_q};
    if (probe_ext) {kept_ext_lo_q, kept_ext_hi_q} <= {ext_lo, ext_hi};
  end

  // Inside ----------------------------------------------------------------------------------------------------------

  logic [2:0][4:0] stage;       // operands on their way through ga2_operand
  logic [2:0]      stage_last;
  logic [4:0]      pending, under_way, seen;
  logic [2:0]      at_q;        // the operand that arrived in the cycle before
  assign stage[0]   = u_dut.u_operand.valid_1_q ? 5'd1 << u_dut.u_operand.index_1_q : '0;
  assign stage[1]   = u_dut.u_operand.valid_q ? 5'd1 << u_dut.u_operand.index_q : '0;
  assign stage[2]   = u_dut.u_operand.valid_o ? 5'd1 << u_dut.u_operand.index_o : '0;
  assign stage_last = {u_dut.u_operand.last_o, u_dut.u_operand.last_q, u_dut.u_operand.last_1_q};
  assign pending    = u_dut.pending_q;
  assign under_way  = stage[0] | stage[1] | stage[2];
  assign seen       = operands & ~rest;
  always_ff @(posedge clk_i) at_q <= u_dut.at;

  always_comb begin
    if (rst_n) begin
      assume_start: assume (!start_i || state == StIdle);
      assume_hits: assume (passes || hits_i == '0);

      passes_as_what_it_is: assert (!(passes && working) || (next != '0
          && probe_ext == next[4] && probe_inner == !next[4] && spad_q == !next[4]
          && probe_write == (next[0] || (next[3] && instr_q[7:0] == OpSm) || (next[4] && instr_q[7:0] == OpSt))
          && probe_stream == (instr_q[7:0] == OpMm && (next[1] || next[2]))));
      all_have_passed: assert (!(alloc && !alloc_done) || rest == '0);
      waits_for_all_hits: assert (!alloc || deps == told);
      allocates_its_operands: assert (!(alloc && !alloc_done) || {ext_valid, valid} == operands);
      writes_as_it_should: assert (!alloc || (write == {instr_q[7:0] == OpSm, 3'b001}
                                              && ext_write == (instr_q[7:0] == OpSt)));
      allocates_what_passed: assert (!(alloc && !alloc_done && operands[3'(which_i)])
          || {lo[which_i], hi[which_i], banks[which_i]}
             == (probe_inner && next[3'(which_i)] ? {lo_q, hi_q, banks_q} : {kept_lo_q, kept_hi_q, kept_banks_q}));
      allocates_what_passed_outside: assert (!(alloc && !alloc_done && operands[4])
                                             || probe_ext || {ext_lo, ext_hi} == {kept_ext_lo_q, kept_ext_hi_q});
      names_itself: assert (!alloc || (unit == unit_of(instr_q[7:0]) && opcode == instr_q[7:0] && pc == pc_q));
      no_op_is_one: assert (!alloc || alloc_done == no_op);
      in_contracts_cycle: assert (!alloc || age_q == (no_op ? 4'd2 : count + 4'd3));
      goes_on: assert (!working || age_q <= count + 4'd3 || no_op);
      waits_for_room_only: assert (!(waited_q && state == StAllocate && !full_i && !u_dut.claim_fault) || alloc);
      never_when_full: assert (!(alloc && full_i));
      ends_when_empty: assert (!(finish || fault) || empty_i);
      ends_at_halt: assert (!finish || instr_q[7:0] == OpHalt);
      reads_ahead: assert (state != StPrepare || (imem_en && imem_addr == pc_q + 16'd1));

      // Invariants.
      inv_state: assert (state <= StFault);
      inv_pc: assert (state == StIdle || pc == pc_q);
      inv_len: assert (state == StIdle || (u_dut.len_triple_q == 14'(len_i[11:0]) * 14'd3
          && u_dut.m_triple_q == 10'(m_i[7:0]) * 10'd3
          && u_dut.beyond_q == (17'(len_i) + 17'(m_i) > 17'd320 || m_i > 16'd16)));
      inv_len_fits: assert (!working || (17'(len_i) + 17'(m_i) <= 17'd320 && m_i <= 16'd16));
      inv_instr: assert (!(working || state == StDrain) || u_dut.instr_q == instr_q);
      inv_dims: assert (!working || (18'(u_dut.rows_q) == rows && 18'(u_dut.cols_q) == cols));
      inv_decoded: assert (!(working && state != StPrepare) || (unit == unit_of(instr_q[7:0]) && u_dut.no_op == no_op
                                                               && u_dut.halt == (instr_q[7:0] == OpHalt)));
      inv_known: assert (state != StCheck || operands != '0 || u_dut.u_decode.illegal_q || instr_q[7:0] == OpHalt);
      inv_effect: assert (!(state == StOperands) || (!no_op && operands != '0));
      inv_halt: assert (state != StDrain || instr_q[7:0] == OpHalt);
      inv_passes: assert (!passes || state == StIdle || state == StOperands || state == StAllocate);
      inv_prepare: assert (state != StPrepare || (pending == operands && rest_q == operands && stage[0] == '0
                                                  && told_q == '0 && age_q == '0));
      inv_check: assert (state != StCheck || (rest_q == operands && stage[1] == '0 && told_q == '0 && age_q == 4'd1
          && u_dut.deps_q == '0 && valid == '0 && stage[0] == lowest(operands) && pending == (operands & ~stage[0])));
      inv_operands: assert (state != StOperands || ((pending | under_way | seen) == operands
          && (pending & (under_way | seen)) == '0 && (under_way & seen) == '0 && (stage[0] & stage[1]) == '0
          && ((stage[0] | stage[1]) & stage[2]) == '0));
      inv_allocate: assert (state != StAllocate || (no_op ? !passes && age_q == 4'd2 && told_q == '0
                                                          : seen == operands && age_q == count + 4'd3));
      inv_rest: assert (!working || (rest_q & ~operands) == '0);
      inv_told: assert (!(working && state != StPrepare) || u_dut.deps_q == told_q);
      inv_valid: assert (!(state == StOperands || (state == StAllocate && !no_op)) || valid == seen[3:0]);
      inv_at: assert (!(passes && working) || (next != '0 && next == 5'd1 << at_q));
      inv_kind: assert (!(passes && working) || (probe_ext == (at_q == 3'd4) && probe_inner == (at_q != 3'd4)
          && spad_q == (at_q != 3'd4)
          && probe_write == (at_q == 3'd0 || (at_q == 3'd3 && unit == UnitSoftmax)
                             || (at_q == 3'd4 && unit == UnitStore))
          && probe_stream == (unit == UnitMatrix && (at_q == 3'd1 || at_q == 3'd2))));
      inv_pick: assert (!(pending != '0 && (state == StPrepare || state == StCheck || state == StOperands))
                        || 5'd1 << u_dut.pick_q == lowest(pending));
      inv_order_0: assert (!((state == StCheck || state == StOperands) && stage[0] != '0)
          || (stage[0] == lowest(stage[0] | pending) && stage_last[0] == (pending == '0)));
      inv_order_1: assert (!(state == StOperands && stage[1] != '0)
          || (stage[1] == lowest(stage[1] | stage[0] | pending) && stage_last[1] == ((pending | stage[0]) == '0)));
      inv_order_2: assert (!(state == StOperands && stage[2] != '0)
          || (stage[2] == lowest(under_way | pending) && stage_last[2] == ((pending | stage[0] | stage[1]) == '0)));
      inv_age: assert (state != StOperands || (age_q >= 4'd2 && age_q <= count + 4'd2
          && (stage[0] != '0) == (age_q <= count) && (stage[1] != '0) == (age_q <= count + 4'd1)
          && (stage[2] != '0) == (age_q >= 4'd3)));
      inv_pending: assert (state != StOperands || number(pending) == (age_q < count ? count - age_q : '0));
      inv_index: assert ((!u_dut.u_operand.valid_1_q || u_dut.u_operand.index_1_q <= 3'd4)
                         && (!u_dut.u_operand.valid_q || u_dut.u_operand.index_q <= 3'd4)
                         && (!u_dut.u_operand.valid_o || u_dut.u_operand.index_o <= 3'd4));
      inv_now: assert (!(working && probe_inner && next[3'(which_i)])
                       || {lo[which_i], hi[which_i], banks[which_i]} == {lo_q, hi_q, banks_q});
      inv_kept: assert (!((state == StOperands || (state == StAllocate && !no_op))
                          && operands[3'(which_i)] && !rest_q[3'(which_i)])
                        || {lo[which_i], hi[which_i], banks[which_i]} == {kept_lo_q, kept_hi_q, kept_banks_q});
      inv_outside_last: assert (state != StOperands || !seen[4]);
      inv_kept_outside: assert (!(state == StAllocate && !no_op && operands[4] && !rest_q[4])
                                || {ext_lo, ext_hi} == {kept_ext_lo_q, kept_ext_hi_q});

      reach_four_operands: cover (alloc && operands == 5'b01111 && deps == 8'b00000110 && !second_q);
      reach_second: cover (alloc && operands == 5'b10011 && second_q && deps != '0);
      reach_full: cover (alloc && waited_q);
      reach_no_op: cover (alloc && alloc_done && second_q);
      reach_halt: cover (finish && second_q);
      reach_fault: cover (fault && second_q);
    end
  end

endmodule
