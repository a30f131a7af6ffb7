// SPDX-License-Identifier: Apache-2.0
// Argument of the maximum: the lowest index of the largest int8 of a row, one word of the row a cycle.
//
// A word given in cycle t counts in index_o from t + 3 on.
module ga2_amax #(
    parameter int COLS = 4  // lanes: a power of two, at least 4
) (
    input  logic                 clk_i,
    input  logic                 valid_i,       // a word is given
    input  logic                 first_i,       // it is its row's first
    input  logic [COLS-1:0]      lane_valid_i,  // elements of the row; the others may hold anything
    input  logic [8*COLS-1:0]    word_i,
    output logic [11:0]          index_o
);

  localparam int LaneBits = $clog2(COLS);
  localparam int WordBits = 12 - LaneBits;

  // The word as it comes from the scratchpad; then the value and lane of the larger of each two neighbours.
  logic [COLS-1:0][7:0] masked_q;
  logic [COLS/2-1:0][7:0] pair_value_q;
  logic [COLS/2-1:0] pair_right_q;
  logic valid_1_q, first_1_q, valid_q, first_q;

  for (genvar j = 0; j < COLS; j++) begin : gen_mask
    always_ff @(posedge clk_i) if (valid_i) masked_q[j] <= lane_valid_i[j] ? word_i[8*j+:8] : 8'h80;
  end

  for (genvar j = 0; j < COLS / 2; j++) begin : gen_pair
    logic right;
    assign right = $signed(masked_q[2*j+1]) > $signed(masked_q[2*j]);
    always_ff @(posedge clk_i) begin
      if (valid_1_q) begin
        pair_value_q[j] <= right ? masked_q[2*j+1] : masked_q[2*j];
        pair_right_q[j] <= right;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    valid_1_q <= valid_i;
    first_1_q <= first_i;
    valid_q <= valid_1_q;
    first_q <= first_1_q;
  end

  // The rest of the tree and the best of the row so far. A later element wins only if it is larger: the lowest index
  // of a tie stays, and a lane beyond the row (as small as can be, and behind all others) never wins.
  logic [7:0] word_value, best_value_q;
  logic [LaneBits-1:0] word_lane;
  logic [WordBits-1:0] word, next_word_q;
  logic [11:0] best_index_q;

  // {value, lane} of the first of the largest
  function automatic logic [7+LaneBits:0] best(input logic [COLS/2-1:0][7:0] values, input logic [COLS/2-1:0] right);
    logic [COLS/2-1:0][7:0] value;
    logic [COLS/2-1:0][LaneBits-1:0] lane;
    value = values;
    for (int j = 0; j < COLS / 2; j++) lane[j] = LaneBits'(2 * j) | LaneBits'(right[j]);
    for (int step = 1; step < COLS / 2; step = 2 * step)
      for (int j = 0; j < COLS / 2; j = j + 2 * step)
        if ($signed(value[j+step]) > $signed(value[j])) begin
          value[j] = value[j+step];
          lane[j] = lane[j+step];
        end
    return {value[0], lane[0]};
  endfunction

  assign {word_value, word_lane} = best(pair_value_q, pair_right_q);
  assign word = first_q ? '0 : next_word_q;

  always_ff @(posedge clk_i) begin
    if (valid_q) begin
      next_word_q <= word + WordBits'(1);
      if (first_q || $signed(word_value) > $signed(best_value_q)) begin
        best_value_q <= word_value;
        best_index_q <= {word, word_lane};
      end
    end
  end

  assign index_o = best_index_q;

endmodule
