// SPDX-License-Identifier: Apache-2.0
// Fetches instructions in order, resolves their dimensions and operands, checks them, and puts them into the window.
//
//   cycle   0         1 .. n           2 .. n+1     3 .. n+2        4 .. n+3                         n+4
//           decode    operand's shape  row offset   words touched   compare with the window, check   allocate
//                     1: prepare       2: check of the fields
//
// The next instruction is read meanwhile and decoded in the cycle that allocates: n operands cost n + 4 cycles. A no-op
// (zero rows or columns) is allocated in cycle 3. HALT waits for an empty window. A faulty instruction is not allocated:
// everything older finishes first, then the fault is reported.

module ga2_dispatch
  import ga2_pkg::*;
  import ga2_ops_pkg::*;
#(
    parameter int COLS      = 4,
    parameter int SPAD_WORDS = 4096,
    parameter int BANKS     = 8,
    parameter int IMEM_DEPTH = 512,
    parameter int CMEM_DEPTH = 512,
    parameter int MAX_LEN    = 320,
    parameter int M_MAX      = 16,
    parameter int ADDR_BITS  = 13
) (
    input logic clk_i,
    input logic rst_ni,
    input logic kill_i,

    // Program control.
    input  logic        start_i,
    input  logic [15:0] entry_i,
    input  logic [15:0] len_i,
    input  logic [15:0] m_i,
    output logic        finish_o,      // HALT, and everything older has retired
    output logic        fault_o,       // a precise fault, and everything older has retired
    output logic [7:0]  fault_code_o,
    output logic [31:0] fault_addr_o,
    output logic [15:0] pc_o,
    output logic        active_o,      // fetching or dispatching

    // External windows.
    input logic [3:0][31:0] win_base_i,
    input logic [3:0][31:0] win_size_i,
    input logic [3:0]       win_writable_i,

    // Instruction memory: data the cycle after, held until the next read.
    output logic                  imem_en_o,
    output logic [15:0]           imem_addr_o,
    input  logic [InstrWidth-1:0] imem_data_i,

    // Window.
    input  logic                     full_i,
    input  logic                     empty_i,
    input  logic [2:0]               tail_i,
    output logic                     alloc_o,
    output logic                     alloc_done_o,
    output logic [WindowSlots-1:0]   alloc_deps_o,
    output logic [2:0]               alloc_unit_o,
    output logic [7:0]               alloc_opcode_o,
    output logic [3:0]               alloc_valid_o,
    output logic [3:0]               alloc_write_o,
    output logic [3:0][ADDR_BITS-1:0] alloc_lo_o,
    output logic [3:0][ADDR_BITS-1:0] alloc_hi_o,
    output logic [3:0][BANKS-1:0]    alloc_banks_o,
    output logic                     alloc_ext_valid_o,
    output logic                     alloc_ext_write_o,
    output logic [32:0]              alloc_ext_lo_o,
    output logic [32:0]              alloc_ext_hi_o,
    output logic                     probe_spad_o,    // compare; the kind, below, comes the cycle after
    output logic                     probe_ext_o,
    output logic                     probe_inner_o,
    output logic                     probe_write_o,
    output logic                     probe_stream_o,
    output logic [ADDR_BITS-1:0]      probe_lo_o,
    output logic [ADDR_BITS-1:0]      probe_hi_o,
    output logic [BANKS-1:0]         probe_banks_o,
    input  logic [WindowSlots-1:0]   hits_i,
    input  logic [WindowSlots-1:0]   done_i,

    // Operations, valid with alloc_o for the unit alloc_unit_o (not for a no-op).
    output ld_op_t  ld_op_o,
    output st_op_t  st_op_o,
    output mm_op_t  mm_op_o,
    output sm_op_t  sm_op_o,
    output vec_op_t vec_op_o
);

  typedef enum logic [3:0] {
    StIdle, StDecode, StPrepare, StCheck, StOperands, StAllocate, StDrain, StFault
  } state_e;
  state_e state_q, state_d;

  logic [15:0]           pc_q;
  logic [InstrWidth-1:0] instr_q;
  logic [14:0]           rows_q, cols_q, inner_q;

  // ---- The instruction --------------------------------------------------------------------------------------

  // Multiples of LEN and M that a dimension or an operand may ask for: constant while a program runs, so that resolving
  // takes a selection and no multiplier.
  logic [13:0] len_triple_q;
  logic [9:0]  m_triple_q;
  always_ff @(posedge clk_i) begin
    len_triple_q <= 14'(len_i[11:0]) + {1'b0, len_i[11:0], 1'b0};
    m_triple_q   <= 10'(m_i[7:0]) + {1'b0, m_i[7:0], 1'b0};
  end

  function automatic logic [13:0] multiple(input logic [1:0] coef, input logic [11:0] one, input logic [13:0] three);
    return coef == 2'd3 ? three : coef == 2'd2 ? {1'b0, one, 1'b0} : coef == 2'd1 ? 14'(one) : '0;
  endfunction

  logic [2:0][14:0] dims;  // of the instruction that arrives: rows or m; words, columns or n; k or first length
  for (genvar i = 0; i < 3; i++) begin : gen_dim
    logic [15:0] dim;
    assign dim = imem_data_i[MmMLsb+16*i+:16];
    assign dims[i] = 15'(dim[11:0]) + 15'(multiple(dim[13:12], len_i[11:0], len_triple_q))
                                    + 15'(multiple(dim[15:14], 12'(m_i[7:0]), 14'(m_triple_q)));
  end

  logic [2:0]  unit, pick_q;  // pick_q: the lowest operand that is pending
  logic [4:0]  operands;  // of the instruction that arrives
  logic        halt, no_op, check_fault;
  logic [7:0]  check_code;
  logic [31:0] check_addr, base;
  logic [15:0] pitch, row_count, span, row_words;
  logic [1:0]  coef_a, coef_b;

  ga2_decode #(
      .COLS     (COLS),
      .IMEM_DEPTH(IMEM_DEPTH),
      .CMEM_DEPTH(CMEM_DEPTH)
  ) u_decode (
      .clk_i,
      .instr_i     (instr_q),
      .pc_i        (pc_q),
      .rows_i      (rows_q),
      .cols_i      (cols_q),
      .inner_i     (inner_q),
      .unit_o      (unit),
      .halt_o      (halt),
      .no_op_o     (no_op),
      .fault_o     (check_fault),
      .fault_code_o(check_code),
      .fault_addr_o(check_addr),
      .pick_i      (pick_q),
      .base_o      (base),
      .pitch_o     (pitch),
      .coef_a_o    (coef_a),
      .coef_b_o    (coef_b),
      .row_count_o (row_count),
      .span_o      (span),
      .row_words_o (row_words)
  );

  // ---- Its operands, one a cycle ----------------------------------------------------------------------------

  ga2_operand_set u_operand_set (
      .instr_i   (imem_data_i),
      .operands_o(operands)
  );

  logic [4:0]       pending_d, pending_q;
  logic             issue, arrives, at_valid, at_last;
  logic [2:0]       at;
  logic [33:0]      lo, hi;
  logic [BANKS-1:0] banks;

  // The first operands set out before it is known that the instruction has an effect; those of one that has none, or
  // is refused, arrive in another state and do not count.
  assign pending_d = pending_q & (pending_q - 5'd1);
  assign issue     = pending_q != '0 && (state_q == StPrepare || state_q == StCheck || state_q == StOperands);
  assign at_valid  = arrives && state_q == StOperands;

  logic [1:0]  coef_a_q, coef_b_q;  // of the operand that set out in the cycle before
  logic [13:0] offset;
  assign offset = multiple(coef_a_q, len_i[11:0], len_triple_q) + multiple(coef_b_q, 12'(m_i[7:0]), 14'(m_triple_q));
  always_ff @(posedge clk_i) begin
    coef_a_q <= coef_a;
    coef_b_q <= coef_b;
  end

  ga2_operand #(
      .SPAD_WORDS(SPAD_WORDS),
      .BANKS    (BANKS)
  ) u_operand (
      .clk_i,
      .rst_ni,
      .kill_i,
      .valid_i   (issue),
      .last_i    (pending_d == '0),
      .index_i   (pick_q),
      .offset_i  (offset),
      .base_i    (base),
      .pitch_i   (pitch),
      .rows_i    (row_count),
      .span_i    (span),
      .words_i   (row_words),
      .valid_o   (arrives),
      .last_o    (at_last),
      .index_o   (at),
      .lo_o      (lo),
      .hi_o      (hi),
      .banks_o   (banks)
  );

  logic        decoding, preparing, claim_fault;
  assign decoding  = state_q == StDecode || alloc_o;
  assign preparing = state_q == StPrepare;
  logic [7:0]  claim_code;
  logic [31:0] claim_addr;

  ga2_claims #(
      .COLS     (COLS),
      .SPAD_WORDS(SPAD_WORDS),
      .BANKS    (BANKS),
      .ADDR_BITS (ADDR_BITS)
  ) u_claims (
      .clk_i,
      .clear_i     (preparing),
      .instr_i     (instr_q),
      .cols_i      (cols_q),
      .valid_i     (at_valid),
      .index_i     (at),
      .lo_i        (lo),
      .hi_i        (hi),
      .banks_i     (banks),
      .win_base_i,
      .win_size_i,
      .win_writable_i,
      .valid_o     (alloc_valid_o),
      .lo_o        (alloc_lo_o),
      .hi_o        (alloc_hi_o),
      .banks_o     (alloc_banks_o),
      .ext_lo_o    (alloc_ext_lo_o),
      .ext_hi_o    (alloc_ext_hi_o),
      .fault_o     (claim_fault),
      .fault_code_o(claim_code),
      .fault_addr_o(claim_addr)
  );

  ga2_operations #(
      .COLS    (COLS),
      .ADDR_BITS(ADDR_BITS)
  ) u_operations (
      .instr_i(instr_q),
      .slot_i (tail_i),
      .rows_i (rows_q),
      .cols_i (cols_q),
      .inner_i(inner_q[11:0]),
      .lo_i   (alloc_lo_o),
      .hi_i   (alloc_hi_o[1:0]),
      .ext_i  (alloc_ext_lo_o[31:0]),
      .ld_op_o,
      .st_op_o,
      .mm_op_o,
      .sm_op_o,
      .vec_op_o
  );

  // ---- To the window ----------------------------------------------------------------------------------------

  logic [WindowSlots-1:0] deps_q, deps_d;
  logic                   external;
  assign external = at == 3'd4;
  assign deps_d   = (deps_q | hits_i) & ~done_i;

  assign alloc_done_o      = no_op;
  assign alloc_deps_o      = deps_d;
  assign alloc_unit_o      = unit;
  assign alloc_opcode_o    = instr_q[7:0];
  assign alloc_write_o     = {unit == UnitSoftmax, 3'b001};
  assign alloc_ext_valid_o = (unit == UnitLoad || unit == UnitStore) && !no_op;
  assign alloc_ext_write_o = unit == UnitStore;

  assign probe_spad_o   = at_valid && !external;
  always_ff @(posedge clk_i) begin  // the operand's kind
    probe_ext_o    <= at_valid && external;
    probe_inner_o  <= at_valid && !external;
    probe_write_o  <= at == 3'd0 || (at == 3'd3 && unit == UnitSoftmax) || (external && unit == UnitStore);
    probe_stream_o <= unit == UnitMatrix && (at == 3'd1 || at == 3'd2);
  end
  assign probe_lo_o     = lo[ADDR_BITS-1:0];
  assign probe_hi_o     = hi[ADDR_BITS-1:0];
  assign probe_banks_o  = banks;

  // ---- Sequence ---------------------------------------------------------------------------------------------

  logic beyond_q;  // LEN + M beyond the configuration: rests, as they do, while a program runs
  always_ff @(posedge clk_i) beyond_q <= 17'(len_i) + 17'(m_i) > 17'(MAX_LEN) || m_i > 16'(M_MAX);

  assign alloc_o  = state_q == StAllocate && !claim_fault && !full_i;
  assign finish_o = empty_i && state_q == StDrain;
  assign fault_o  = empty_i && state_q == StFault;
  assign active_o = state_q != StIdle && state_q != StDrain && state_q != StFault;

  always_comb begin  // next_state
    state_d = state_q;
    unique case (state_q)
      StIdle: if (start_i) state_d = StDecode;
      StDecode: begin
        state_d = StPrepare;
        if (beyond_q) state_d = StFault;
      end
      StPrepare: state_d = StCheck;
      StCheck: begin
        if (check_fault) state_d = StFault;
        else if (halt) state_d = StDrain;
        else if (no_op) state_d = StAllocate;
        else state_d = StOperands;
      end
      StOperands: if (arrives && at_last) state_d = StAllocate;
      StAllocate: begin
        if (claim_fault) state_d = StFault;
        else if (!full_i) state_d = StPrepare;
      end
      StDrain: if (empty_i) state_d = StIdle;
      default: if (empty_i) state_d = StIdle;
    endcase
    if (kill_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin  // state
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  // While no program runs the entry is read all the time, so that START need not wait for it; later the next one.
  assign imem_en_o   = state_q == StIdle || preparing;
  assign imem_addr_o = state_q == StIdle ? entry_i : pc_q + 16'd1;

  always_ff @(posedge clk_i) begin  // instruction
    if (state_q == StIdle && start_i) pc_q <= entry_i;
    else if (alloc_o) pc_q <= pc_q + 16'd1;

    if (decoding) begin
      instr_q <= imem_data_i;
      rows_q  <= dims[0];
      cols_q  <= dims[1];
      inner_q <= dims[2];
    end
    deps_q <= preparing ? '0 : deps_d;
    pending_q <= decoding ? operands : pending_d;
    if (decoding) pick_q <= operands[0] ? 3'd0 : 3'd1;  // every instruction with operands has one of these two
    else pick_q <= pending_d[1] ? 3'd1 : pending_d[2] ? 3'd2 : pending_d[3] ? 3'd3 : 3'd4;
  end

  always_ff @(posedge clk_i) begin  // fault
    unique case (state_q)
      StDecode: begin
        fault_code_o <= FaultLenM;
        fault_addr_o <= 32'(len_i) + 32'(m_i);
      end
      StCheck: begin
        fault_code_o <= check_code;
        fault_addr_o <= check_addr;
      end
      StAllocate: begin
        fault_code_o <= claim_code;
        fault_addr_o <= claim_addr;
      end
      default: ;
    endcase
  end
  assign pc_o = pc_q;

endmodule
