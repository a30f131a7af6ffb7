// SPDX-License-Identifier: Apache-2.0
// Builds the resolved operation of each unit from an instruction, its dimensions and its operands' starts.
//
// Combinational; dispatch pushes the one whose unit the instruction names.

module ga2_operations
  import ga2_pkg::*;
  import ga2_ops_pkg::*;
#(
    parameter int COLS     = 4,
    parameter int ADDR_BITS = 13
) (
    input logic [InstrWidth-1:0]    instr_i,
    input logic [2:0]               slot_i,
    input logic [14:0]              rows_i,
    input logic [14:0]              cols_i,
    input logic [11:0]              inner_i,
    input logic [3:0][ADDR_BITS-1:0] lo_i,      // start of destination, first, second, aux
    input logic [1:0][ADDR_BITS-1:0] hi_i,      // ends of destination and first
    input logic [31:0]              ext_i,     // byte address

    output ld_op_t  ld_op_o,
    output st_op_t  st_op_o,
    output mm_op_t  mm_op_o,
    output sm_op_t  sm_op_o,
    output vec_op_t vec_op_o
);

  localparam int LogCols = $clog2(COLS);

  logic [3:0][15:0] pitch;
  logic [15:0]      ext_pitch, rows, cols;
  for (genvar i = 0; i < 4; i++) begin : gen_pitch
    assign pitch[i] = 16'(instr_i[MmOutLsb+32*i+16+:12]);
  end
  assign ext_pitch = instr_i[LdExtLsb+32+:16];
  assign rows      = 16'(rows_i);
  assign cols      = 16'(cols_i);

  // A block that is dense on both sides moves as one row.
  logic ld_dense, st_dense, gather;
  assign gather   = instr_i[7:0] == OpLdg;
  assign ld_dense = !gather && (rows == 16'd1 || (pitch[0] == cols && ext_pitch == cols));
  assign st_dense = rows == 16'd1 || (pitch[1] == cols && ext_pitch == cols);

  assign ld_op_o.slot            = slot_i;
  assign ld_op_o.gather          = gather;
  assign ld_op_o.dst             = 16'(lo_i[0]);
  assign ld_op_o.dst_pitch       = pitch[0];
  assign ld_op_o.rows            = ld_dense ? 16'd1 : rows;
  assign ld_op_o.words           = ld_dense ? 16'(hi_i[0] - lo_i[0]) : cols;
  assign ld_op_o.ext_addr        = ext_i;
  assign ld_op_o.ext_pitch_bytes = 32'(ext_pitch) << LogCols;
  assign ld_op_o.ids             = 16'(lo_i[1]);
  assign ld_op_o.ids_pitch       = pitch[1];
  assign ld_op_o.limit           = instr_i[LdgLimitLsb+:LdgLimitWidth];

  assign st_op_o.slot            = slot_i;
  assign st_op_o.src             = 16'(lo_i[1]);
  assign st_op_o.src_pitch       = pitch[1];
  assign st_op_o.rows            = st_dense ? 16'd1 : rows;
  assign st_op_o.words           = st_dense ? 16'(hi_i[1] - lo_i[1]) : cols;
  assign st_op_o.ext_addr        = ext_i;
  assign st_op_o.ext_pitch_bytes = 32'(ext_pitch) << LogCols;

  assign mm_op_o.slot          = slot_i;
  assign mm_op_o.unsigned_left = instr_i[MmUnsignedLeftLsb];
  assign mm_op_o.residual      = instr_i[MmResidualLsb];
  assign mm_op_o.rowmul        = instr_i[MmRowmulLsb];
  assign mm_op_o.double_round  = instr_i[MmDoubleRoundLsb];
  assign mm_op_o.right_mode    = instr_i[MmRightModeLsb+:MmRightModeWidth];
  assign mm_op_o.uniform       = instr_i[MmUniformLsb];
  assign mm_op_o.cidx          = instr_i[MmConstLsb+:MmConstWidth];
  assign mm_op_o.m             = rows_i[11:0];
  assign mm_op_o.n             = cols_i[11:0];
  assign mm_op_o.k             = inner_i;
  assign mm_op_o.zp            = instr_i[MmZpLsb+:MmZpWidth];
  assign mm_op_o.lo            = instr_i[MmLoLsb+:MmLoWidth];
  assign mm_op_o.hi            = instr_i[MmHiLsb+:MmHiWidth];
  assign mm_op_o.out           = 16'(lo_i[0]);
  assign mm_op_o.out_pitch     = pitch[0];
  assign mm_op_o.left          = 16'(lo_i[1]);
  assign mm_op_o.left_pitch    = pitch[1];
  assign mm_op_o.right         = 16'(lo_i[2]);
  assign mm_op_o.right_pitch   = pitch[2];
  assign mm_op_o.aux           = 16'(lo_i[3]);
  assign mm_op_o.aux_pitch     = pitch[3];

  assign sm_op_o.slot       = slot_i;
  assign sm_op_o.norm       = instr_i[SmNormLsb];
  assign sm_op_o.emul       = instr_i[SmEmulLsb+:SmEmulWidth];
  assign sm_op_o.rows       = rows_i[11:0];
  assign sm_op_o.n          = cols_i[11:0];
  assign sm_op_o.len        = inner_i;
  assign sm_op_o.step       = instr_i[SmStepLsb+:SmStepWidth];
  assign sm_op_o.dst        = 16'(lo_i[0]);
  assign sm_op_o.dst_pitch  = pitch[0];
  assign sm_op_o.src        = 16'(lo_i[1]);
  assign sm_op_o.src_pitch  = pitch[1];
  assign sm_op_o.rmul       = 16'(lo_i[3]);
  assign sm_op_o.rmul_pitch = pitch[3];
  assign sm_op_o.scale      = instr_i[SmScaleLsb+:SmScaleWidth];

  assign vec_op_o.slot      = slot_i;
  assign vec_op_o.amax      = instr_i[7:0] == OpAmax;
  assign vec_op_o.second    = instr_i[7:0] == OpVec && instr_i[VecSecondLsb];
  assign vec_op_o.ma        = instr_i[VecMaLsb+:VecMaWidth];
  assign vec_op_o.mb        = instr_i[VecMbLsb+:VecMbWidth];
  assign vec_op_o.shift     = instr_i[VecShiftLsb+:VecShiftWidth];
  assign vec_op_o.zp        = instr_i[VecZpLsb+:VecZpWidth];
  assign vec_op_o.lo        = instr_i[VecLoLsb+:VecLoWidth];
  assign vec_op_o.hi        = instr_i[VecHiLsb+:VecHiWidth];
  assign vec_op_o.rows      = rows_i[11:0];
  assign vec_op_o.n         = cols_i[11:0];
  assign vec_op_o.out       = 16'(lo_i[0]);
  assign vec_op_o.out_pitch = pitch[0];
  assign vec_op_o.a         = 16'(lo_i[1]);
  assign vec_op_o.a_pitch   = pitch[1];
  assign vec_op_o.b         = 16'(lo_i[2]);
  assign vec_op_o.b_pitch   = pitch[2];

endmodule
