// SPDX-License-Identifier: Apache-2.0
// The division of one softmax row: quotient = min(2^31 - 1, (scale << 16) / sum), rounded down.
//
// Restoring, one digit of BITS bits a cycle: the remainder and the next numerator bits are compared with every multiple of
// the divisor at once, by subtracting it, so that a cycle is one carry chain and a tournament of the results. The row's
// maximum alone adds 65280 to the sum, so sum > 2^15 and the quotient has at most 32 bits: the numerator's upper 15 bits
// (of 47) start as the remainder.
//
//   start_i in cycle c  ->  valid_o in cycle c + 32/BITS + 1, and a new start at the earliest in that same cycle;
//   quotient_o holds from valid_o to the cycle of the next start.
module ga2_divider #(
    parameter int BITS = 4  // of the quotient a cycle: 1, 2 or 4
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

  localparam int Steps = 32 / BITS;
  localparam int Radix = 1 << BITS;
  localparam int TrialBits = 28 + BITS;

  logic [27:0] remainder_q;            // always below the divisor
  logic [31:0] quotient_q;             // numerator bits leave at the top, quotient digits enter at the bottom
  logic [Steps-1:0] busy_q;            // one-hot position of the running division
  logic valid_q;

  logic [TrialBits-1:0] trial;
  logic [Radix-1:1] fits;              // 1, 2, 3 .. times the divisor
  logic [Radix-1:0][TrialBits-1:0] result;  // {multiple, trial less it}: of the largest that fits the next digit

  assign trial = {remainder_q, quotient_q[31-:BITS]};
  assign result[0] = {BITS'(0), trial[27:0]};

  for (genvar k = 1; k < Radix; k++) begin : gen_multiple
    logic [TrialBits-1:0] value;       // k times the divisor
    if (k % 2 == 0) begin : gen_even
      assign value = gen_multiple[k/2].value << 1;
    end else begin : gen_odd
      logic [TrialBits-1:0] value_q;
      always_ff @(posedge clk_i) if (start_i) value_q <= times(BITS'(k), TrialBits'(sum_i));
      assign value = value_q;
    end

    logic [TrialBits:0] difference;    // below zero: its top bit is set
    assign difference = {1'b0, trial} - {1'b0, value};
    assign fits[k] = !difference[TrialBits];
    assign result[k] = {BITS'(k), difference[27:0]};
  end

  function automatic logic [TrialBits-1:0] times(input logic [BITS-1:0] factor, input logic [TrialBits-1:0] value);
    times = '0;
    for (int b = 0; b < BITS; b++) if (factor[b]) times = times + (value << b);
  endfunction

  // Of two neighbouring groups of multiples the upper one wins if its smallest fits: no round waits for an encoder.
  for (genvar r = 0; r <= BITS; r++) begin : gen_round
    logic [(Radix>>r)-1:0][TrialBits-1:0] winner;
    if (r == 0) begin : gen_all
      assign winner = result;
    end else begin : gen_pairs
      for (genvar i = 0; i < (Radix >> r); i++) begin : gen_pair
        assign winner[i] = fits[(2*i+1)<<(r-1)] ? gen_round[r-1].winner[2*i+1] : gen_round[r-1].winner[2*i];
      end
    end
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
      remainder_q <= 28'(scale_i[30:16]);
      quotient_q <= {scale_i[15:0], 16'b0};
    end else if (busy_q != '0) begin
      remainder_q <= gen_round[BITS].winner[0][27:0];
      quotient_q <= {quotient_q[31-BITS:0], gen_round[BITS].winner[0][28+:BITS]};
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
