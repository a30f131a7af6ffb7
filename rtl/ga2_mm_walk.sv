// SPDX-License-Identifier: Apache-2.0
// The scratchpad address of one streaming operand, a word a cycle.
//
// Row by row (panel, rows): each word lies a step behind the former one.
// Round robin (left, transposed): a step from line to line; after the last line all of them move on by one word.
module ga2_mm_walk (
    input  logic        clk_i,
    input  logic        start_i,        // the next cycle is a tile's first
    input  logic [15:0] start_addr_i,
    input  logic        walk_i,         // to the next word
    input  logic        wrap_i,         // round robin: this was the last line's turn
    input  logic [15:0] step_i,
    output logic [15:0] addr_o
);

  logic [15:0] addr_q, turn_q;  // turn_q: line 0's word in this turn

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      addr_q <= start_addr_i;
      turn_q <= start_addr_i;
    end else if (walk_i && wrap_i) begin
      addr_q <= turn_q + 16'd1;
      turn_q <= turn_q + 16'd1;
    end else if (walk_i) begin
      addr_q <= addr_q + step_i;
    end
  end

  assign addr_o = addr_q;

endmodule
