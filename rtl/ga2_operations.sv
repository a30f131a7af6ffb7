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

  // Concatenations in the order of the structs: an event-driven simulator resolves a member driven by its own
  // assignment bit by bit.
  assign ld_op_o = {
      slot_i,                                    // slot
      gather,                                    // gather
      16'(lo_i[0]),                              // dst
      pitch[0],                                  // dst_pitch
      ld_dense ? 16'd1 : rows,                   // rows
      ld_dense ? 16'(hi_i[0] - lo_i[0]) : cols,  // words
      ext_i,                                     // ext_addr
      32'(ext_pitch) << LogCols,                 // ext_pitch_bytes
      16'(lo_i[1]),                              // ids
      pitch[1],                                  // ids_pitch
      instr_i[LdgLimitLsb+:LdgLimitWidth]        // limit
  };

  assign st_op_o = {
      slot_i,                                    // slot
      16'(lo_i[1]),                              // src
      pitch[1],                                  // src_pitch
      st_dense ? 16'd1 : rows,                   // rows
      st_dense ? 16'(hi_i[1] - lo_i[1]) : cols,  // words
      ext_i,                                     // ext_addr
      32'(ext_pitch) << LogCols                  // ext_pitch_bytes
  };

  assign mm_op_o = {
      slot_i,                                     // slot
      instr_i[MmUnsignedLeftLsb],                 // unsigned_left
      instr_i[MmResidualLsb],                     // residual
      instr_i[MmRowmulLsb],                       // rowmul
      instr_i[MmDoubleRoundLsb],                  // double_round
      instr_i[MmRightModeLsb+:MmRightModeWidth],  // right_mode
      instr_i[MmUniformLsb],                      // uniform
      instr_i[MmConstLsb+:MmConstWidth],          // cidx
      rows_i[11:0],                               // m
      cols_i[11:0],                               // n
      inner_i,                                    // k
      instr_i[MmZpLsb+:MmZpWidth],                // zp
      instr_i[MmLoLsb+:MmLoWidth],                // lo
      instr_i[MmHiLsb+:MmHiWidth],                // hi
      16'(lo_i[0]),                               // out
      pitch[0],                                   // out_pitch
      16'(lo_i[1]),                               // left
      pitch[1],                                   // left_pitch
      16'(lo_i[2]),                               // right
      pitch[2],                                   // right_pitch
      16'(lo_i[3]),                               // aux
      pitch[3]                                    // aux_pitch
  };

  assign sm_op_o = {
      slot_i,                             // slot
      instr_i[SmNormLsb],                 // norm
      instr_i[SmEmulLsb+:SmEmulWidth],    // emul
      rows_i[11:0],                       // rows
      cols_i[11:0],                       // n
      inner_i,                            // len
      instr_i[SmStepLsb+:SmStepWidth],    // step
      16'(lo_i[0]),                       // dst
      pitch[0],                           // dst_pitch
      16'(lo_i[1]),                       // src
      pitch[1],                           // src_pitch
      16'(lo_i[3]),                       // rmul
      pitch[3],                           // rmul_pitch
      instr_i[SmScaleLsb+:SmScaleWidth]   // scale
  };

  assign vec_op_o = {
      slot_i,                                          // slot
      instr_i[7:0] == OpAmax,                          // amax
      instr_i[7:0] == OpVec && instr_i[VecSecondLsb],  // second
      instr_i[VecMaLsb+:VecMaWidth],                   // ma
      instr_i[VecMbLsb+:VecMbWidth],                   // mb
      instr_i[VecShiftLsb+:VecShiftWidth],             // shift
      instr_i[VecZpLsb+:VecZpWidth],                   // zp
      instr_i[VecLoLsb+:VecLoWidth],                   // lo
      instr_i[VecHiLsb+:VecHiWidth],                   // hi
      rows_i[11:0],                                    // rows
      cols_i[11:0],                                    // n
      16'(lo_i[0]),                                    // out
      pitch[0],                                        // out_pitch
      16'(lo_i[1]),                                    // a
      pitch[1],                                        // a_pitch
      16'(lo_i[2]),                                    // b
      pitch[2]                                         // b_pitch
  };

endmodule
