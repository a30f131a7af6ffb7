// SPDX-License-Identifier: Apache-2.0
// Normalised bytes, one lane a cycle: min(255, (e16 * row multiplier + 2^37) >> 38), gathered into a word.
//
// A lane given in cycle t is the word's newest byte in t + 3; the lanes of a word come in rising order, so the word is
// complete three cycles after its last lane.
module ga2_softmax_norm #(
    parameter int COLS = 4  // lanes: a power of two
) (
    input  logic                    clk_i,
    input  logic [$clog2(COLS)-1:0] lane_i,
    input  logic [COLS-1:0][15:0]   e16_i,
    input  logic [30:0]             row_mult_i,
    output logic [8*COLS-1:0]       word_o
);

  logic [15:0] e16_q;
  logic [46:0] product_q;
  logic [9:0] rounded;
  logic [7:0] probability;
  logic [8*COLS-1:0] word_q;

  // Up to 510 before it is limited: the quotient of a short row may exceed one by the rounding.
  assign rounded = {1'b0, product_q[46:38]} + {9'b0, product_q[37]};
  assign probability = (rounded > 10'd255) ? 8'd255 : rounded[7:0];

  always_ff @(posedge clk_i) begin
    e16_q <= e16_i[lane_i];
    product_q <= {31'b0, e16_q} * {16'b0, row_mult_i};
    word_q <= {probability, word_q[8*COLS-1:8]};
  end

  assign word_o = word_q;

  logic unused_bits;
  assign unused_bits = ^product_q[36:0];

endmodule
