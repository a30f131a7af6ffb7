// SPDX-License-Identifier: Apache-2.0
// The division of one softmax row: quotient = min(2^31 - 1, (scale << 16) / sum), rounded down.
//
// Restoring, radix 4, DIGITS digits a cycle: a digit is found by comparing with one, two and three times the divisor
// at once; the later ones of a cycle for each value of the digit before, which then only chooses. The row's maximum alone
// adds 65280 to the sum, so sum > 2^15 and the quotient has at most 32 bits: the numerator's upper 15 bits (of 47) start
// as the remainder.
//
//   start_i in cycle c  ->  valid_o in cycle c + 16/DIGITS + 1, and a new start at the earliest in that same cycle;
//   quotient_o holds from valid_o to the cycle of the next start.
module ga2_divider #(
    parameter int DIGITS = 2  // 1, 2, 4 or 8 digits a cycle, in series
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        kill_i,
    input  logic        start_i,
    input  logic [30:0] scale_i,
    input  logic [27:0] sum_i,       // above 2^15
    output logic        ending_o,    // valid_o follows in the next cycle, unless killed
    output logic        valid_o,
    output logic [30:0] quotient_o
);

  localparam int Steps = 16 / DIGITS;

  logic [27:0] divisor_q;
  logic [29:0] triple_q;               // 3 * divisor
  logic [27:0] remainder_q;            // always below the divisor
  logic [31:0] quotient_q;             // numerator bits leave at the top, quotient digits enter at the bottom
  logic [DIGITS:0][27:0] remainder;    // after 0 .. DIGITS digits of this cycle
  logic [DIGITS:0][31:0] quotient;
  logic [Steps-1:0] busy_q;            // one-hot position of the running division
  logic valid_q;

  assign remainder[0] = remainder_q;
  assign quotient[0] = quotient_q;

  for (genvar s = 0; s < DIGITS; s++) begin : gen_digit
    /* verilator lint_off UNUSEDSIGNAL */
    logic [29:0] trial;  // the first is compared whole
    /* verilator lint_on UNUSEDSIGNAL */
    logic [1:0] digit;
    logic [3:0][27:0] less;  // trial less 0 .. 3 times the divisor: one is the next remainder, in 28 bits
    logic [3:1] fits;        // 1 .. 3 times the divisor

    assign trial = {remainder[s], quotient[s][31:30]};
    assign less[0] = trial[27:0];
    assign less[1] = trial[27:0] - divisor_q;
    assign less[2] = trial[27:0] - {divisor_q[26:0], 1'b0};
    assign less[3] = trial[27:0] - triple_q[27:0];

    if (s == 0) begin : gen_first
      assign fits = {trial >= triple_q, trial >= {1'b0, divisor_q, 1'b0}, trial >= {2'b0, divisor_q}};
    end else begin : gen_later
      logic [3:0][3:1] may;  // by the digit before
      for (genvar d = 0; d < 4; d++) begin : gen_may
        logic [29:0] then;
        assign then = {gen_digit[s-1].less[d], quotient[s][31:30]};
        assign may[d] = {then >= triple_q, then >= {1'b0, divisor_q, 1'b0}, then >= {2'b0, divisor_q}};
      end
      assign fits = gen_digit[s-1].fits[3] ? may[3] : gen_digit[s-1].fits[2] ? may[2]
                  : gen_digit[s-1].fits[1] ? may[1] : may[0];
    end

    assign digit = {fits[2], fits[3] || (fits[1] && !fits[2])};
    assign remainder[s+1] = fits[3] ? less[3] : fits[2] ? less[2] : fits[1] ? less[1] : less[0];
    assign quotient[s+1] = {quotient[s][29:0], digit};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      valid_q <= 1'b0;
    end else if (kill_i) begin
      busy_q <= '0;
      valid_q <= 1'b0;
    end else begin
      busy_q <= Steps'({busy_q, start_i});
      valid_q <= busy_q[Steps-1];
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      divisor_q <= sum_i;
      triple_q <= {2'b0, sum_i} + {1'b0, sum_i, 1'b0};
      remainder_q <= 28'(scale_i[30:16]);
      quotient_q <= {scale_i[15:0], 16'b0};
    end else if (busy_q != '0) begin
      remainder_q <= remainder[DIGITS];
      quotient_q <= quotient[DIGITS];
    end
  end

  assign ending_o = busy_q[Steps-1];
  assign valid_o = valid_q;
  assign quotient_o = quotient_q[31] ? '1 : quotient_q[30:0];

`ifndef SYNTHESIS
  always @(posedge clk_i) begin  // check_start
    if (start_i && !kill_i) begin
      if (busy_q != '0) $fatal(1, "ga2_divider: started while a division runs");
      if (sum_i[27:15] == '0) $fatal(1, "ga2_divider: the sum must be above 2^15");
    end
  end
`endif

endmodule
