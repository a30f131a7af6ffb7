// SPDX-License-Identifier: Apache-2.0
// Resolves one operand a cycle into the interval of words that it touches.
//
//   cycle  accept   row offset = a*LEN + b*M      extent = rows*span
//   +1              lo = base + offset*pitch      hi = lo + extent - span + words
//   +2              result registered here: valid_o, lo_o, hi_o, banks_o
//
// Scratchpad operands and external ones share the pipeline; both count words. The interval ends with the last row's
// words: (rows - 1)*span + words, written so that no adder precedes a multiplier.

module ga2_operand #(
    parameter int SPAD_WORDS = 4096,
    parameter int BANKS     = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic kill_i,

    input logic        valid_i,
    input logic        last_i,     // of its instruction
    input logic [2:0]  index_i,    // which operand: 0..3 scratchpad, 4 external
    input logic [13:0] offset_i,   // rows before its first: a*LEN + b*M
    input logic [31:0] base_i,
    input logic [15:0] pitch_i,
    input logic        empty_i,    // touches nothing: hi = lo
    input logic [15:0] rows_i,
    input logic [15:0] span_i,     // words from one row to the next
    input logic [15:0] words_i,    // words of the last row

    output logic             valid_o,
    output logic             last_o,
    output logic [2:0]       index_o,
    output logic [33:0]      lo_o,
    output logic [33:0]      hi_o,
    output logic [BANKS-1:0] banks_o
);

  localparam int BANK_WORDS = SPAD_WORDS / BANKS;

  logic        valid_q, last_q, empty_q;
  logic [2:0]  index_q;
  logic [31:0] base_q, extent_q;
  logic [13:0] offset_q;
  logic [15:0] pitch_q, span_q, words_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin  // flow
    if (!rst_ni) begin
      valid_q <= 1'b0;
      valid_o <= 1'b0;
    end else if (kill_i) begin
      valid_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= valid_i;
      valid_o <= valid_q;
    end
  end

  logic [33:0] offset, end_d;
  assign offset = 34'(offset_q * 30'(pitch_q));
  assign end_d  = 34'(base_q) + 34'(extent_q) + (34'(words_q) - 34'(span_q));

  always_ff @(posedge clk_i) begin  // stages
    if (valid_i) begin
      last_q   <= last_i;
      index_q  <= index_i;
      empty_q  <= empty_i;
      base_q   <= base_i;
      offset_q <= offset_i;
      pitch_q  <= pitch_i;
      extent_q <= rows_i * 32'(span_i);
      span_q   <= span_i;
      words_q  <= words_i;
    end
    if (valid_q) begin
      last_o  <= last_q;
      index_o <= index_q;
      lo_o    <= 34'(base_q) + offset;
      hi_o    <= (empty_q ? 34'(base_q) : end_d) + offset;
    end
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    assign banks_o[b] = lo_o < 34'((b + 1) * BANK_WORDS) && hi_o > 34'(b * BANK_WORDS);
  end

endmodule
