// SPDX-License-Identifier: Apache-2.0
// An instruction with its resolved dimensions: what it is, whether it is legal, and the shape of each operand.
//
// Combinational but for the check, which takes two cycles. The faults found here need no operand; they come in the
// order of the contract.

module ga2_decode
  import ga2_pkg::*;
#(
    parameter int COLS      = 4,
    parameter int IMEM_DEPTH = 512,
    parameter int CMEM_DEPTH = 512
) (
    input logic                  clk_i,
    input logic [InstrWidth-1:0] instr_i,
    input logic [15:0]           pc_i,
    input logic [14:0]           rows_i,   // resolved dimensions: rows or m
    input logic [14:0]           cols_i,   // words, columns or n
    input logic [14:0]           inner_i,  // k or first length

    // From the second cycle of an instruction on.
    output logic [2:0]  unit_o,
    output logic        halt_o,
    output logic        no_op_o,
    output logic        fault_o,     // of the check
    output logic [7:0]  fault_code_o,
    output logic [31:0] fault_addr_o,

    // The operand numbered pick_i: how it is addressed, and its shape in words.
    input  logic [2:0]  pick_i,
    output logic [31:0] base_o,
    output logic [15:0] pitch_o,
    output logic [1:0]  coef_a_o,
    output logic [1:0]  coef_b_o,
    output logic [15:0] row_count_o,
    output logic [15:0] span_o,      // words from one row to the next
    output logic [15:0] row_words_o
);

  localparam int LogCols = $clog2(COLS);
  localparam logic [2:0] OperandDst = 3'd0;
  localparam logic [2:0] OperandFirst = 3'd1;
  localparam logic [2:0] OperandSecond = 3'd2;
  localparam logic [2:0] OperandAux = 3'd3;

  // ---- Fields -----------------------------------------------------------------------------------------------
  // Every instruction keeps its dimensions and operands in the same places (tests/test_spec.py holds the
  // specification to it), so the names of MM and LD serve all.

  logic [7:0]            opcode;
  logic                  residual, rowmul, uniform;
  logic [1:0]            right_mode;
  logic [15:0]           const_index, limit;
  logic [7:0]            step;
  logic [3:0][31:0]      operand;
  logic [51:0]           ext;
  assign opcode      = instr_i[7:0];
  assign residual    = instr_i[MmResidualLsb];
  assign rowmul      = instr_i[MmRowmulLsb];
  assign uniform     = instr_i[MmUniformLsb];
  assign right_mode  = instr_i[MmRightModeLsb+:MmRightModeWidth];
  assign const_index = instr_i[MmConstLsb+:MmConstWidth];
  assign limit       = instr_i[LdgLimitLsb+:LdgLimitWidth];
  assign step        = instr_i[SmStepLsb+:SmStepWidth];
  assign operand     = instr_i[MmOutLsb+:128];
  assign ext         = instr_i[LdExtLsb+:52];

  logic is_halt, is_ld, is_ldg, is_st, is_mm, is_sm, is_vec, is_amax, has_inner;
  assign is_halt   = opcode == OpHalt;
  assign is_ld     = opcode == OpLd;
  assign is_ldg    = opcode == OpLdg;
  assign is_st     = opcode == OpSt;
  assign is_mm     = opcode == OpMm;
  assign is_sm     = opcode == OpSm;
  assign is_vec    = opcode == OpVec;
  assign is_amax   = opcode == OpAmax;
  assign has_inner = is_mm || is_sm;

  // A bit that its opcode does not use is set. One term an opcode: they are worked out beside the opcode, not after it.
  logic illegal_q;
  always_ff @(posedge clk_i) begin
    illegal_q <= !(is_halt || is_ld || is_ldg || is_st || is_mm || is_sm || is_vec || is_amax)
              || (is_halt && |(instr_i & ~MaskHalt))
              || (is_ld && |(instr_i & ~MaskLd))
              || (is_ldg && |(instr_i & ~MaskLdg))
              || (is_st && |(instr_i & ~MaskSt))
              || (is_mm && (|(instr_i & ~MaskMm) || right_mode == 2'd3 || (residual && rowmul)))
              || (is_sm && |(instr_i & ~MaskSm))
              || (is_vec && |(instr_i & ~MaskVec))
              || (is_amax && |(instr_i & ~MaskAmax));
    unit_o    <= (is_ld || is_ldg) ? UnitLoad
               : is_st ? UnitStore
               : is_mm ? UnitMatrix
               : is_sm ? UnitSoftmax
               : (is_vec || is_amax) ? UnitVector : UnitControl;
    halt_o    <= is_halt;
  end

  // ---- Dimensions -------------------------------------------------------------------------------------------

  logic [14:0] col_words, inner_words;  // of a matrix row
  logic [14:0] dst_words;               // of a row of the destination
  assign col_words   = (cols_i + 15'(COLS - 1)) >> LogCols;
  assign inner_words = (inner_i + 15'(COLS - 1)) >> LogCols;
  assign dst_words   = is_amax ? 15'd1 : (is_ld || is_ldg) ? cols_i : col_words;

  // What the check compares, a cycle before it. A softmax's last row has inner + (rows - 1)*step scores; compared with
  // one step more on both sides, which keeps an adder off each end of the multiplier.
  logic        rows_beyond_q, cols_beyond_q, inner_beyond_q, empty_inner_q;
  logic        pitch_short_q, mult_pitch_zero_q, const_beyond_q, softmax_q;
  logic [23:0] growth_q, before_q;
  logic signed [16:0] growth_limit_q;
  logic [16:0] const_end;
  logic [11:0] dst_pitch, rmul_pitch;
  assign const_end  = 17'(const_index) + (uniform ? 17'd1 : 17'(cols_i));
  assign dst_pitch  = operand[0][27:16];
  assign rmul_pitch = operand[3][27:16];

  always_ff @(posedge clk_i) begin
    no_op_o           <= rows_i == '0 || cols_i == '0;
    rows_beyond_q     <= rows_i > 15'd4095;
    cols_beyond_q     <= cols_i > 15'd4095;
    inner_beyond_q    <= has_inner && inner_i > 15'd4095;
    empty_inner_q     <= has_inner && inner_i == '0;
    pitch_short_q     <= !is_st && rows_i > 15'd1 && 15'(dst_pitch) < dst_words;
    mult_pitch_zero_q <= is_sm && rows_i > 15'd1 && rmul_pitch == '0;
    const_beyond_q    <= is_mm && const_end > 17'(CMEM_DEPTH);
    softmax_q         <= is_sm;
    growth_q          <= 24'(rows_i) * 24'(step);
    growth_limit_q    <= 17'(cols_i) + 17'(step) - 17'(inner_i);
    before_q          <= 24'(inner_i) - 24'(step);
  end

  logic beyond, overgrown;
  assign beyond    = pc_i >= 16'(IMEM_DEPTH);
  assign overgrown = growth_limit_q < 0 || growth_q > 24'(growth_limit_q[15:0]);

  always_comb begin  // check
    fault_o      = 1'b1;
    fault_code_o = FaultDimension;
    fault_addr_o = '0;
    if (beyond) begin
      fault_code_o = FaultPc;
      fault_addr_o = 32'(pc_i);
    end else if (illegal_q) begin
      fault_code_o = FaultIllegal;
      fault_addr_o = 32'(opcode);
    end else if (halt_o) begin
      fault_o = 1'b0;
    end else if (rows_beyond_q) begin
      fault_addr_o = 32'(rows_i);
    end else if (cols_beyond_q) begin
      fault_addr_o = 32'(cols_i);
    end else if (inner_beyond_q) begin
      fault_addr_o = 32'(inner_i);
    end else if (no_op_o) begin
      fault_o = 1'b0;
    end else if (empty_inner_q) begin
      fault_addr_o = '0;
    end else if (softmax_q && overgrown) begin
      fault_addr_o = 32'(24'(before_q + growth_q));
    end else if (pitch_short_q) begin
      fault_addr_o = 32'(dst_pitch);
    end else if (mult_pitch_zero_q) begin
      fault_addr_o = '0;
    end else if (const_beyond_q) begin
      fault_code_o = FaultConstant;
      fault_addr_o = 32'(const_index);
    end else begin
      fault_o = 1'b0;
    end
  end

  // ---- The picked operand -----------------------------------------------------------------------------------

  logic [31:0] picked;
  logic        external;
  assign picked   = operand[pick_i[1:0]];
  assign external = pick_i[2];
  assign base_o   = external ? ext[31:0] : 32'(picked[15:0]);
  assign pitch_o  = external ? ext[47:32] : 16'(picked[27:16]);
  assign coef_a_o = external ? ext[49:48] : picked[29:28];
  assign coef_b_o = external ? ext[51:50] : picked[31:30];

  always_comb begin  // shape
    row_count_o = 16'(rows_i);
    span_o      = pitch_o;
    row_words_o = 16'(col_words);
    unique case (pick_i)
      OperandDst: row_words_o = 16'(dst_words);
      OperandFirst: begin
        if (is_ldg) row_words_o = 16'd1;
        else if (is_st) row_words_o = 16'(cols_i);
        else if (is_mm) row_words_o = 16'(inner_words);
      end
      OperandSecond: begin
        if (is_mm && right_mode == RightModePanel) begin
          row_count_o = 16'(col_words);
          span_o      = 16'(inner_i);
          row_words_o = 16'(inner_i);
        end else if (is_mm && right_mode == RightModeRows) begin
          row_count_o = 16'(inner_i);
        end else if (is_mm) begin
          row_count_o = 16'(cols_i);
          row_words_o = 16'(inner_words);
        end
      end
      OperandAux: if (is_sm || rowmul) row_words_o = 16'd1;
      default: begin
        row_count_o = is_ldg ? limit : 16'(rows_i);
        row_words_o = 16'(cols_i);
      end
    endcase
  end

endmodule
