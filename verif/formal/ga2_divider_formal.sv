// SPDX-License-Identifier: Apache-2.0
// ga2_divider: quotient and remainder of (scale << 16) / sum, at the real width.
//
// A solver cannot multiply 32 by 28 bits in reasonable time, and need not. Proved is what makes it one:
//
//   multiple(0) == 0, multiple(k) == multiple(k-1) + divisor              so multiple(k) == k*divisor
//   remainder*2^BITS + next digit of the numerator == multiple(digit) + next remainder,    next remainder < divisor
//
// that the remainder starts as the numerator's upper 15 bits, that the others are taken in order, and that the
// quotient's digits are put together in order. By Horner's rule numerator == quotient*divisor + remainder, and
// remainder < divisor. Assumed is the module's rule: no start while a division runs, a sum of at least 2^15.

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
  localparam int Radix = 1 << BITS;
  localparam int PositionBits = $clog2(Steps + 1);

  logic        rst_n, ending, valid;
  logic [30:0] quotient;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_divider #(.BITS(BITS)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .start_i, .scale_i, .sum_i,
    .ending_o(ending), .valid_o(valid), .quotient_o(quotient)
  );

  logic [27:0]             divisor_q;
  logic [31:0]             rest_q, digits_q;    // of the numerator, next digit on top; of the quotient
  logic [PositionBits-1:0] step_q;              // steps done
  logic                    running_q, ended_q;  // ended: this cycle gives the result
  logic                    kept_q;              // the result rests until the next start
  logic                    stepped_q, last;     // a step was made in the cycle before; the last one is made
  logic [30:0]             scale_q;
  logic [BITS-1:0]         digit, digit_q;
  logic [27+BITS:0]        trial_q;
  logic [31:0]             below;               // ones where the quotient's digits are
  assign digit = u_dut.gen_round[BITS].winner[0][28+:BITS];
  assign below = ~(32'hffffffff << (6'(BITS) * 6'(step_q)));
  assign last  = running_q && step_q == PositionBits'(Steps - 1);

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      running_q <= 1'b0;
      ended_q   <= 1'b0;
      kept_q    <= 1'b0;
      stepped_q <= 1'b0;
      step_q    <= '0;
    end else begin
      running_q <= !kill_i && (start_i || (running_q && !last));
      ended_q   <= last && !kill_i;
      kept_q    <= !kill_i && !start_i && (last || kept_q);
      stepped_q <= running_q && !start_i;
      if (start_i) step_q <= '0;
      else if (running_q) step_q <= step_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    digit_q <= digit;
    trial_q <= {u_dut.remainder_q, rest_q[31-:BITS]};
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

  logic [Radix:0][28+BITS:0] multiple;
  assign multiple[0]     = '0;
  assign multiple[Radix] = {1'b0, divisor_q, BITS'(0)};
  for (genvar k = 1; k <= Radix; k++) begin : gen_multiple
    if (k < Radix) begin : gen_value
      assign multiple[k] = {1'b0, u_dut.gen_multiple[k].value};
    end
    always_comb begin
      if (rst_n && (running_q || kept_q || stepped_q)) begin
        multiple_adds_divisor: assert (multiple[k] == multiple[k-1] + (29+BITS)'(divisor_q));
      end
    end
  end

  for (genvar k = 0; k < Radix; k++) begin : gen_digit
    always_comb begin
      if (rst_n && stepped_q && digit_q == BITS'(k)) begin
        step_is_exact: assert (multiple[k] + (29+BITS)'(u_dut.remainder_q) == {1'b0, trial_q});
        remainder_below_divisor: assert (u_dut.remainder_q < divisor_q);
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      assume_one_at_a_time: assume (!(start_i && running_q));
      assume_sum: assume (!start_i || sum_i[27:15] != '0);

      valid_when_ended: assert (valid == ended_q);
      ending_before_valid: assert (ending == last);
      first_remainder: assert (!(running_q && step_q == '0)
                               || (u_dut.remainder_q == 28'(scale_q[30:16]) && u_dut.remainder_q < divisor_q));
      result: assert (!kept_q || quotient == (digits_q[31] ? '1 : digits_q[30:0]));
      held: assert (!valid || kept_q);

      inv_running: assert (!running_q || step_q < PositionBits'(Steps));
      inv_stepped: assert (!running_q || stepped_q == (step_q != '0));
      inv_kept: assert (!kept_q || (!running_q && step_q == PositionBits'(Steps)));
      inv_position: assert (u_dut.busy_q == (running_q ? Steps'(1) << step_q : '0));
      inv_register: assert (!(running_q || kept_q) || u_dut.quotient_q == (rest_q | digits_q));
      inv_apart: assert (!(running_q || kept_q) || ((digits_q & ~below) == '0 && (rest_q & below) == '0));

      reach_result: cover (valid && quotient[31-BITS-:BITS] != '0 && quotient[BITS-1:0] == BITS'(Radix - 1));
      reach_saturated: cover (valid && digits_q[31]);
      reach_back_to_back: cover (valid && start_i);
      reach_killed: cover (running_q && kill_i && step_q == PositionBits'(3));
    end
  end

endmodule
