// SPDX-License-Identifier: Apache-2.0
// Which operands an instruction has: {external, aux, second, first, destination}. None for HALT and unknown opcodes.

module ga2_operand_set
  import ga2_pkg::*;
(
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [InstrWidth-1:0] instr_i,  // its opcode and flags are enough
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [4:0]            operands_o
);

  logic aux, second;
  assign aux    = instr_i[MmResidualLsb] || instr_i[MmRowmulLsb];
  assign second = instr_i[VecSecondLsb];

  always_comb begin
    unique case (instr_i[7:0])
      OpLd:    operands_o = 5'b10001;
      OpLdg:   operands_o = 5'b10011;
      OpSt:    operands_o = 5'b10010;
      OpMm:    operands_o = {1'b0, aux, 3'b111};
      OpSm:    operands_o = 5'b01011;
      OpVec:   operands_o = {2'b00, second, 2'b11};
      OpAmax:  operands_o = 5'b00011;
      default: operands_o = 5'b00000;
    endcase
  end

endmodule
