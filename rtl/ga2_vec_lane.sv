// SPDX-License-Identifier: Apache-2.0
// One lane of VEC: operands in cycle t (from the scratchpad), the result in t + 3.
module ga2_vec_lane
  import ga2_ops_pkg::*;
(
    input  logic       clk_i,
    input  logic       en_i,      // otherwise all rests
    input  vec_op_t    op_i,      // steady while its words pass
    input  logic       use_a_i,   // otherwise zero is used, whatever the operand holds
    input  logic       use_b_i,
    input  logic [7:0] a_i,
    input  logic [7:0] b_i,
    input  logic       keep_i,    // t + 3: an element; otherwise the result is zero
    output logic [7:0] result_o
);

  logic signed [7:0] a_q, b_q;
  logic signed [24:0] ma, mb, sum_q;
  logic signed [25:0] shifted;
  logic signed [9:0] limited_q;
  logic [24:9] beyond_q;  // bits of the sum that lie at or above the shifted one's bit 9
  logic overflow, half_q;
  logic signed [10:0] zp, lo, hi, total, clamped;
  logic signed [12:0] exact, above_q, below_q;  // in halves: the sum before rounding, and what it may not pass
  logic empty_q;  // the limits are the wrong way round

  assign ma = 25'($signed(op_i.ma));
  assign mb = 25'($signed(op_i.mb));
  assign zp = 11'($signed(op_i.zp));
  assign lo = 11'($signed(op_i.lo));
  assign hi = 11'($signed(op_i.hi));

  // The limits less the zero point are compared with the sum before it is rounded, beside rounding and adding the zero
  // point: rounded(x) > h means x > h, and rounded(x) < l means x < l - 1/2, for x in halves.
  assign exact = 13'($signed({limited_q, half_q}));

  // Rounding is an increment by the last bit shifted out. Ten bits are enough to saturate before it: beyond them the
  // clamp limits the result whatever the rounding and the zero point.
  assign shifted = $signed({sum_q, 1'b0}) >>> op_i.shift;
  assign overflow = |(beyond_q & sum_q[24:9]) && |(beyond_q & ~sum_q[24:9]);  // neither all zeros nor all ones

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      a_q <= use_a_i ? $signed(a_i) : 8'sd0;
      b_q <= use_b_i ? $signed(b_i) : 8'sd0;
      sum_q <= a_q * ma + b_q * mb;
      beyond_q <= {16{1'b1}} << op_i.shift;  // these four are known before the first sum
      above_q <= {12'(hi) - 12'(zp), 1'b0};
      below_q <= {12'(lo) - 12'(zp), 1'b0} - 13'sd1;
      empty_q <= lo > hi;
      limited_q <= overflow ? {sum_q[24], {9{!sum_q[24]}}} : shifted[10:1];
      half_q <= shifted[0];
    end
  end

  assign total = 11'(limited_q) + $signed({10'b0, half_q}) + zp;
  assign clamped = (exact > above_q || empty_q) ? hi : (exact < below_q) ? lo : total;
  assign result_o = keep_i ? clamped[7:0] : '0;

  logic unused_bits;
  assign unused_bits = ^{op_i, clamped[10:8], shifted[25:11]};

endmodule
