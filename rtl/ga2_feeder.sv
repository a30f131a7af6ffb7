// SPDX-License-Identifier: Apache-2.0
// One edge of the array: LINES shift registers of COLS bytes, each giving its byte 0 to a row or column every cycle.
//
// Two ways in, both with the skew that the array needs (line j runs j cycles behind line 0):
//   one line   a word holds COLS elements of one line. Words arrive round robin, line j's j cycles after line 0's, and
//              a word lasts until the next one of its line: the round robin is the skew.
//   spread     a word holds one element of every line. Byte j enters line j at position j, j shifts from its end: the
//              diagonal is the skew.
//
//              line 0   line 1   line 2   line 3
//   out <-  0   [b0]      |        |        |        spread writes the brackets,
//           1    |       [b1]      |        |        one line writes a whole column,
//           2    |        |       [b2]      |        and each position takes the same byte of the word either way
//           3    |        |        |       [b3]
//
// An operand of either kind may follow one of the other kind at once: what is left of the former one lies nearer to the
// end than all that the new one writes.
module ga2_feeder #(
    parameter int LINES = 4,  // <= COLS
    parameter int COLS  = 4   // bytes of a word
) (
    input  logic               clk_i,
    input  logic               en_i,      // otherwise all rests
    input  logic [8*COLS-1:0]  word_i,
    input  logic [7:0]         slot_i,    // the line whose turn it is, 0 .. COLS-1
    input  logic               line_i,    // the word is that line's
    input  logic               spread_i,  // the word is every line's
    output logic [8*LINES-1:0] bytes_o,   // from the cycle after the word on
    output logic [LINES-1:0]   live_o     // the line got a word in its last turn
);

  for (genvar j = 0; j < LINES; j++) begin : gen_line
    logic [8*COLS-1:0] line_q;
    logic live_q;

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        line_q <= line_q >> 8;
        if (spread_i) line_q[8*j+:8] <= word_i[8*j+:8];
        if (slot_i == 8'(j)) begin
          live_q <= line_i;
          if (line_i) line_q <= word_i;
        end
      end
    end

    assign bytes_o[8*j+:8] = line_q[7:0];
    assign live_o[j] = live_q;
  end

endmodule
