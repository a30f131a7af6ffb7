// SPDX-License-Identifier: Apache-2.0
// Resolves one operand a cycle into the interval of words that it touches.
//
//   cycle  accept   the shape is registered
//   +1              row offset = a*LEN + b*M      extent = rows*span
//   +2              lo = base + offset*pitch      hi = lo + extent - span + words
//   +3              result registered here: valid_o, lo_o, hi_o, banks_o
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
    input logic [13:0] offset_i,   // rows before its first: a*LEN + b*M; a cycle later than the others
    input logic [31:0] base_i,
    input logic [15:0] pitch_i,
    input logic [15:0] rows_i,     // none: touches nothing, hi = lo
    input logic [15:0] span_i,     // words from one row to the next
    input logic [15:0] words_i,    // words of the last row

    output logic             valid_o,
    output logic             last_o,
    output logic [2:0]       index_o,
    output logic [33:0]      lo_o,
    output logic [33:0]      hi_o,
    output logic [BANKS-1:0] banks_o
);

  localparam int RowBits = $clog2(SPAD_WORDS / BANKS);
  localparam int BankBits = $clog2(BANKS);

  logic        valid_1_q, last_1_q, valid_q, last_q, empty_q;
  logic [2:0]  index_1_q, index_q;
  logic [31:0] base_1_q, base_q, extent_q;
  logic [13:0] offset_q;
  logic [15:0] pitch_1_q, rows_1_q, span_1_q, words_1_q, pitch_q;
  logic [16:0] tail_q;  // words of the last row less a span

  always_ff @(posedge clk_i or negedge rst_ni) begin  // flow
    if (!rst_ni) begin
      valid_1_q <= 1'b0;
      valid_q   <= 1'b0;
      valid_o   <= 1'b0;
    end else if (kill_i) begin
      valid_1_q <= 1'b0;
      valid_q   <= 1'b0;
      valid_o   <= 1'b0;
    end else begin
      valid_1_q <= valid_i;
      valid_q   <= valid_1_q;
      valid_o   <= valid_q;
    end
  end

  logic [33:0] offset, end_d;
  assign offset = 34'(offset_q * 30'(pitch_q));
  assign end_d  = 34'(base_q) + 34'(extent_q) + {{17{tail_q[16]}}, tail_q};

  always_ff @(posedge clk_i) begin  // stages
    if (valid_i) begin
      last_1_q  <= last_i;
      index_1_q <= index_i;
      base_1_q  <= base_i;
      pitch_1_q <= pitch_i;
      rows_1_q  <= rows_i;
      span_1_q  <= span_i;
      words_1_q <= words_i;
    end
    if (valid_1_q) begin
      last_q   <= last_1_q;
      index_q  <= index_1_q;
      empty_q  <= rows_1_q == '0;
      base_q   <= base_1_q;
      offset_q <= offset_i;
      pitch_q  <= pitch_1_q;
      extent_q <= rows_1_q * 32'(span_1_q);
      tail_q   <= 17'(words_1_q) - 17'(span_1_q);
    end
    if (valid_q) begin
      last_o  <= last_q;
      index_o <= index_q;
      lo_o    <= 34'(base_q) + offset;
      hi_o    <= (empty_q ? 34'(base_q) : end_d) + offset;
    end
  end

  // Of an operand that lies within the scratchpad; what lies beyond is refused before its banks count.
  logic [BankBits:0] lo_bank, hi_bank;
  logic              partial;  // the end lies within hi_bank, not at its first word
  assign lo_bank = lo_o[RowBits+:BankBits+1];
  assign hi_bank = hi_o[RowBits+:BankBits+1];
  assign partial = hi_o[RowBits-1:0] != '0;
  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    assign banks_o[b] = lo_bank <= (BankBits + 1)'(b)
                     && (hi_bank > (BankBits + 1)'(b) || (hi_bank == (BankBits + 1)'(b) && partial));
  end

endmodule
