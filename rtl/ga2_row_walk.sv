// SPDX-License-Identifier: Apache-2.0
// The address of the current word of an operand: rows of words, a pitch apart.
//
// A command acts on the next cycle's address; of several the first in this list wins:
//   load_i    the first word of the first row
//   row_i     the first word of the next row
//   rewind_i  the first word of this row
//   word_i    the next word of this row
module ga2_row_walk (
    input  logic        clk_i,
    input  logic        load_i,
    input  logic [15:0] start_i,
    input  logic [15:0] pitch_i,
    input  logic        word_i,
    input  logic        row_i,
    input  logic        rewind_i,
    output logic [15:0] addr_o
);

  logic [15:0] row_q, addr_q;
  logic [15:0] next_row;

  assign next_row = row_q + pitch_i;

  always_ff @(posedge clk_i) begin
    if (load_i) row_q <= start_i;
    else if (row_i) row_q <= next_row;
  end

  always_ff @(posedge clk_i) begin
    if (load_i) addr_q <= start_i;
    else if (row_i) addr_q <= next_row;
    else if (rewind_i) addr_q <= row_q;
    else if (word_i) addr_q <= addr_q + 16'd1;
  end

  assign addr_o = addr_q;

endmodule
