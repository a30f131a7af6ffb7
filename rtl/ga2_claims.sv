// SPDX-License-Identifier: Apache-2.0
// Collects what one instruction touches, operand by operand, and checks each against memory and the others.
//
// An operand arrives with valid_i; the outputs include it from the next cycle on and are kept until clear_i. Of several
// faults the contract's order decides: range of any operand, then banks, then overlap.

module ga2_claims
  import ga2_pkg::*;
#(
    parameter int COLS      = 4,
    parameter int SPAD_WORDS = 4096,
    parameter int BANKS     = 8,
    parameter int ADDR_BITS  = 13
) (
    input logic clk_i,
    input logic clear_i,

    // The instruction.
    input logic [InstrWidth-1:0] instr_i,
    input logic [14:0]           cols_i,

    // The operand.
    input logic             valid_i,
    input logic [2:0]       index_i,
    input logic [33:0]      lo_i,     // words
    input logic [33:0]      hi_i,
    input logic [BANKS-1:0] banks_i,

    input logic [3:0][31:0] win_base_i,
    input logic [3:0][31:0] win_size_i,
    input logic [3:0]       win_writable_i,

    output logic [3:0]               valid_o,
    output logic [3:0][ADDR_BITS-1:0] lo_o,
    output logic [3:0][ADDR_BITS-1:0] hi_o,
    output logic [3:0][BANKS-1:0]    banks_o,
    output logic [32:0]              ext_lo_o,  // absolute bytes
    output logic [32:0]              ext_hi_o,

    output logic        fault_o,
    output logic [7:0]  fault_code_o,
    output logic [31:0] fault_addr_o
);

  localparam int LogCols = $clog2(COLS);
  localparam logic [2:0] OperandFirst = 3'd1;
  localparam logic [2:0] OperandSecond = 3'd2;
  localparam logic [2:0] OperandAux = 3'd3;
  localparam logic [2:0] OperandExt = 3'd4;

  logic [7:0]       opcode;
  logic [15:0]      ext_pitch;
  logic [1:0]       win;
  logic             residual, is_ldg, is_st, is_mm, is_sm, is_vec, external;
  assign opcode   = instr_i[7:0];
  assign ext_pitch = instr_i[LdExtLsb+32+:16];
  assign win      = instr_i[LdExtLsb+52+:2];
  assign residual = instr_i[MmResidualLsb];
  assign is_ldg   = opcode == OpLdg;
  assign is_st    = opcode == OpSt;
  assign is_mm    = opcode == OpMm;
  assign is_sm    = opcode == OpSm;
  assign is_vec   = opcode == OpVec;
  assign external = index_i == OperandExt;

  // ---- Range ------------------------------------------------------------------------------------------------

  // What depends on the instruction alone is prepared the cycle after it has been decoded; its first operand comes at
  // least two cycles after.
  logic [31:0] win_base_q, win_size_q, gather_pitch;
  logic [11:0] gather_mask_q;
  logic        writable_q, misplaced_q, product_q, vector_q, softmax_q, added_q;
  logic [3:0]  same_pitch_q;  // as the destination's
  assign gather_pitch = 32'(ext_pitch) << LogCols;

  logic [3:0][11:0] pitch;
  for (genvar i = 0; i < 4; i++) begin : gen_pitch
    assign pitch[i] = instr_i[MmOutLsb+32*i+16+:12];
  end

  always_ff @(posedge clk_i) begin  // prepare
    win_base_q    <= win_base_i[win];
    win_size_q    <= win_size_i[win];
    writable_q    <= win_writable_i[win];
    gather_mask_q <= gather_pitch[11:0] - 12'd1;
    product_q     <= is_mm;
    vector_q      <= is_vec;
    softmax_q     <= is_sm;
    added_q       <= is_mm && residual;
    for (int i = 0; i < 4; i++) same_pitch_q[i] <= pitch[i] == pitch[0];
    misplaced_q   <= |(win_base_i[win] & 32'(COLS - 1)) || (is_ldg && (
        |(gather_pitch & (gather_pitch - 32'd1)) || gather_pitch > 32'd4096 || ext_pitch < 16'(cols_i)));
  end

  logic [37:0] lo_bytes, hi_bytes;  // beyond 32 bits only to see that a range leaves its window
  logic [11:0] start_low;
  logic        misaligned, far;
  assign lo_bytes     = 38'(lo_i) << LogCols;
  assign hi_bytes     = 38'(hi_i) << LogCols;
  assign far          = lo_bytes[37:33] != '0;
  assign start_low    = win_base_q[11:0] + lo_bytes[11:0];
  assign misaligned   = misplaced_q || (is_ldg && |(start_low & gather_mask_q));

  // Continuous assignments, as everything that feeds the allocation: between always_comb blocks that pass through a
  // default value Icarus can run in circles within one time step.
  logic        beyond_window, range_fault;
  logic [7:0]  range_code;
  logic [31:0] range_addr;
  assign beyond_window = hi_bytes > 38'(win_size_q) || far;
  assign range_fault = external ? misaligned || beyond_window || (is_st && !writable_q) : hi_i > 34'(SPAD_WORDS);
  assign range_code = !external ? FaultScratchpad
                    : misaligned ? FaultAlignment
                    : beyond_window ? FaultWindow : FaultReadOnly;
  assign range_addr = external ? lo_bytes[31:0] : lo_i[31:0];

  // ---- Claims so far ----------------------------------------------------------------------------------------

  logic [3:0]               valid_q;
  logic [3:0][ADDR_BITS-1:0] lo_q, hi_q;
  logic [3:0][BANKS-1:0]    banks_q;
  logic [32:0]              ext_lo_q, ext_hi_q;

  logic [3:0] here;
  logic [ADDR_BITS-1:0] lo, hi;
  assign here = 4'(1 << index_i);  // none for the external operand
  assign lo   = lo_i[ADDR_BITS-1:0];
  assign hi   = hi_i[ADDR_BITS-1:0];
  assign valid_o  = valid_q;
  assign lo_o     = lo_q;
  assign hi_o     = hi_q;
  assign banks_o  = banks_q;
  assign ext_lo_o = ext_lo_q;
  assign ext_hi_o = ext_hi_q;

  // ---- BANKS: two reads of one product or vector operation need different ones --------------------------------

  logic bank_fault;
  assign bank_fault = (product_q || vector_q) && (
      (index_i == OperandSecond && |(banks_i & banks_q[1]))
      || (index_i == OperandAux && |(banks_i & (banks_q[1] | banks_q[2]))));

  // ---- Overlap: a destination lies on a source only exactly, and where the unit works in place -----------------

  logic        on_dst, on_source, same_place, in_place_unit, overlap_fault;
  assign on_dst        = valid_q[0] && lo_i < 34'(hi_q[0]) && 34'(lo_q[0]) < hi_i;
  assign on_source     = valid_q[1] && lo_i < 34'(hi_q[1]) && 34'(lo_q[1]) < hi_i;
  assign same_place    = lo_i == 34'(lo_q[0]) && same_pitch_q[index_i[1:0]];
  assign in_place_unit = (softmax_q && index_i == OperandFirst) || vector_q || (added_q && index_i == OperandAux);
  assign overlap_fault = !external && ((on_dst && !(same_place && in_place_unit))
                                    || (on_source && softmax_q && index_i == OperandAux));

  // ---- The first fault --------------------------------------------------------------------------------------

  logic        range_q, bank_q, overlap_q;
  logic [7:0]  range_code_q;
  logic [31:0] range_addr_q, bank_addr_q;
  assign fault_o      = range_q || bank_q || overlap_q;
  assign fault_code_o = range_q ? range_code_q : bank_q ? FaultBank : FaultOverlap;
  assign fault_addr_o = range_q ? range_addr_q : bank_q ? bank_addr_q : 32'(lo_q[0]);

  always_ff @(posedge clk_i) begin  // claims
    if (clear_i) begin
      valid_q   <= '0;
      range_q   <= 1'b0;
      bank_q    <= 1'b0;
      overlap_q <= 1'b0;
    end else if (valid_i) begin
      valid_q   <= valid_q | here;
      range_q   <= range_q || range_fault;
      bank_q    <= bank_q || bank_fault;
      overlap_q <= overlap_q || overlap_fault;
      for (int i = 0; i < 4; i++) begin
        if (here[i]) begin
          lo_q[i]    <= lo;
          hi_q[i]    <= hi;
          banks_q[i] <= banks_i;
        end
      end
      if (external) begin
        ext_lo_q <= 33'(win_base_q) + lo_bytes[32:0];
        ext_hi_q <= 33'(win_base_q) + hi_bytes[32:0];
      end
      if (!range_q) begin
        range_code_q <= range_code;
        range_addr_q <= range_addr;
      end
      if (!bank_q) bank_addr_q <= lo_i[31:0];
    end
  end

endmodule
