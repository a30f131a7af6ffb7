// SPDX-License-Identifier: Apache-2.0
// One multiplier and accumulator of the array. The left operand moves on to the right, the right operand downwards.
//
// Nothing is reset: `first` ignores what the accumulator held, and the drain reads only sums of finished tiles.
module ga2_pe (
    input  logic        clk_i,
    // left operand and what it means; a tile's elements run first .. last
    input  logic [8:0]  left_i,   // signed: holds int8 and uint8
    input  logic        valid_i,  // multiply and accumulate
    input  logic        first_i,  // start from zero
    input  logic        last_i,   // the tile ends here, with or without an element
    output logic [8:0]  left_o,
    output logic        valid_o,
    output logic        first_o,
    output logic        last_o,
    // right operand
    input  logic [7:0]  right_i,
    output logic [7:0]  right_o,
    // the finished tile's sum, until the next tile ends
    output logic [31:0] sum_o
);

  logic signed [16:0] product;
  logic signed [31:0] acc_d, acc_q, sum_q;

  assign product = $signed(left_i) * $signed(right_i);

  always_comb begin
    acc_d = acc_q;
    if (valid_i) acc_d = (first_i ? 32'sd0 : acc_q) + 32'(product);
  end

  always_ff @(posedge clk_i) begin
    acc_q <= acc_d;
    if (last_i) sum_q <= acc_d;
    left_o <= left_i;
    valid_o <= valid_i;
    first_o <= first_i;
    last_o <= last_i;
    right_o <= right_i;
  end

  assign sum_o = sum_q;

endmodule
