// SPDX-License-Identifier: Apache-2.0
// ga2_divider: quotient and remainder of (scale << 16) / sum, at the real width.
//
// A solver cannot multiply 32 by 28 bits in reasonable time, and need not. What is proved is one step, from any state:
//
//   remainder*2^BITS + next digit of the numerator == multiple(digit) + next remainder,    next remainder < divisor
//
// with multiple(k) the sum of the divisor's shifts by the bits of k, which is k*divisor; that the remainder starts as the
// numerator's upper 15 bits, that the others are taken in order, and that the quotient's digits are put together in
// order. By Horner's rule numerator == quotient*divisor + remainder with remainder < divisor: that is the quotient.
// Assumed: the module's rule (no start while a division runs, sum of at least 2^15), and a theorem of arithmetic that
// bits show only slowly: (k + 1)*divisor == k*divisor + divisor, for the sums of shifts.

module ga2_divider_formal #(
  parameter int BITS = 4
) (
  input logic        clk_i,
  input logic        kill_i,
  input logic        start_i,
  input logic [30:0] scale_i,
  input logic [27:0] sum_i
);

  localparam int Steps = 32 / BITS;
  localparam int PositionBits = $clog2(Steps + 1);

  logic        rst_n, ending, valid;
  logic [30:0] quotient;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_divider #(.BITS(BITS)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .start_i, .scale_i, .sum_i,
    .ending_o(ending), .valid_o(valid), .quotient_o(quotient)
  );

  logic [27:0]             divisor_q;
  logic [31:0]             rest_q, digits_q;     // of the numerator, next digit on top; of the quotient
  logic [PositionBits-1:0] step_q;               // steps done
  logic                    running_q, ended_q;   // ended: this cycle gives the result
  logic                    kept_q;               // the result rests until the next start
  logic [30:0]             scale_q;
  logic [BITS-1:0]         digit;
  logic [27+BITS:0]        trial;
  logic [31:0]             below;                // ones where the quotient's digits are
  assign digit = u_dut.gen_round[BITS].winner[0][28+:BITS];
  assign trial = {u_dut.remainder_q, rest_q[31-:BITS]};
  assign below = ~(32'hffffffff << (6'(BITS) * 6'(step_q)));

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      running_q <= 1'b0;
      ended_q   <= 1'b0;
      kept_q    <= 1'b0;
      step_q    <= '0;
    end else begin
      ended_q <= running_q && step_q == PositionBits'(Steps - 1) && !kill_i;
      if (kill_i || start_i) kept_q <= 1'b0;
      else if (running_q && step_q == PositionBits'(Steps - 1)) kept_q <= 1'b1;
      if (kill_i) running_q <= 1'b0;
      else if (start_i) running_q <= 1'b1;
      else if (step_q == PositionBits'(Steps - 1)) running_q <= 1'b0;
      if (start_i) step_q <= '0;
      else if (running_q) step_q <= step_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      divisor_q <= sum_i;
      rest_q    <= {scale_i[15:0], 16'b0};
      digits_q  <= '0;
      scale_q   <= scale_i;
    end else if (running_q) begin
      rest_q   <= rest_q << BITS;
      digits_q <= {digits_q[31-BITS:0], digit};
    end
  end

  // The step made in the cycle before.
  logic             stepped_q;
  logic [BITS-1:0]  digit_q;
  logic [27+BITS:0] trial_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) stepped_q <= 1'b0;
    else stepped_q <= running_q && !start_i;
  end
  always_ff @(posedge clk_i) begin
    digit_q <= digit;
    trial_q <= trial;
  end

  // Multiples of the divisor, in the design and as sums of its shifts, and what each leaves of the trial.
  logic [(1<<BITS)-1:0][27+BITS:0] multiple, left;
  logic [(1<<BITS):0][28+BITS:0]   sum;
  assign sum[0] = '0;
  assign sum[1<<BITS] = (29+BITS)'(divisor_q) << BITS;
  logic [(1<<BITS):0]              fits;
  assign multiple[0] = '0;
  assign left[0] = trial;
  assign fits[0] = 1'b1;
  assign fits[1<<BITS] = 1'b0;  // as the remainder is below the divisor
  for (genvar k = 1; k < (1 << BITS); k++) begin : gen_multiple
    localparam int Top = $clog2(k + 1) - 1;
    assign multiple[k] = u_dut.gen_multiple[k].value;
    assign left[k] = u_dut.gen_multiple[k].difference[27+BITS:0];
    assign fits[k] = u_dut.fits[k];
    assign sum[k] = sum[k-(1<<Top)] + ((29+BITS)'(divisor_q) << Top);
    always_comb begin
      if (rst_n && (running_q || stepped_q)) begin
        multiples_of_divisor: assert ({1'b0, multiple[k]} == sum[k]);
      end
    end
  end

  for (genvar k = 0; k < (1 << BITS); k++) begin : gen_digit
    always_comb begin
      assume_distributive: assume (sum[k+1] == sum[k] + (29+BITS)'(divisor_q));
      if (rst_n && running_q) begin
        inv_choice: assert (digit != BITS'(k) || (fits[k] && !fits[k+1]));
        inv_left: assert (!fits[k] || {1'b0, multiple[k]} + {1'b0, left[k]} == {1'b0, trial});
        inv_less: assert (!fits[k] || fits[k+1] || left[k] < (28+BITS)'(divisor_q));
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      assume_one_at_a_time: assume (!(start_i && !kill_i && running_q));
      assume_sum: assume (!start_i || sum_i[27:15] != '0);

      valid_when_ended: assert (valid == ended_q);
      ending_before_valid: assert (ending == (running_q && step_q == PositionBits'(Steps - 1)));
      step_is_exact: assert (!stepped_q
          || {1'b0, multiple[digit_q]} + (29+BITS)'(u_dut.remainder_q) == {1'b0, trial_q});
      remainder_below_divisor: assert (!(running_q || kept_q || stepped_q) || u_dut.remainder_q < divisor_q);
      result: assert (!kept_q || quotient == (digits_q[31] ? '1 : digits_q[30:0]));
      held: assert (!valid || kept_q);

      inv_running: assert (!running_q || step_q < PositionBits'(Steps));
      first_remainder: assert (!(running_q && step_q == '0) || u_dut.remainder_q == 28'(scale_q[30:16]));
      inv_kept: assert (!kept_q || (!running_q && step_q == PositionBits'(Steps)));
      inv_position: assert (u_dut.busy_q == (running_q ? Steps'(1) << step_q : '0));
      inv_register: assert (!(running_q || kept_q) || u_dut.quotient_q == (rest_q | digits_q));
      inv_apart: assert (!(running_q || kept_q) || ((digits_q & ~below) == '0 && (rest_q & below) == '0));

      reach_result: cover (valid && quotient == 31'd12345);
      reach_saturated: cover (valid && digits_q[31]);
      reach_back_to_back: cover (valid && start_i);
      reach_killed: cover (running_q && kill_i && step_q == PositionBits'(3));
    end
  end

endmodule
