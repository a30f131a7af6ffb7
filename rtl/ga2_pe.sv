// SPDX-License-Identifier: Apache-2.0
// One multiplier and accumulator of the array. The left operand moves on to the right, the right operand downwards.
//
// Nothing is reset: `first` ignores what the accumulator held, and the drain reads only sums of finished tiles.
module ga2_pe (
    input  logic        clk_i,
    input  logic        en_i,     // otherwise all rests
    // left operand and what it means, {left, valid, first, last}; a tile's elements run first .. last
    //   left   signed: holds int8 and uint8
    //   valid  multiply and accumulate
    //   first  start from zero
    //   last   the tile ends here, with or without an element
    input  logic [11:0] across_i,
    output logic [11:0] across_o,
    // right operand
    input  logic [7:0]  right_i,
    output logic [7:0]  right_o,
    // the finished tile's sum, until the next tile ends
    output logic [31:0] sum_o
);

  logic signed [8:0] left;
  logic valid, first, last;
  logic signed [31:0] start, acc_q, sum_q;

  assign {left, valid, first, last} = across_i;
  assign start = first ? 32'sd0 : acc_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      if (valid) acc_q <= start + left * $signed(right_i);
      if (last) sum_q <= valid ? start + left * $signed(right_i) : acc_q;
      across_o <= across_i;
      right_o <= right_i;
    end
  end

  assign sum_o = sum_q;

endmodule
