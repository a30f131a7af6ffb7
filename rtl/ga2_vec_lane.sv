// SPDX-License-Identifier: Apache-2.0
// One lane of VEC: operands in cycle t (from the scratchpad), the result in t + 3.
module ga2_vec_lane
  import ga2_ops_pkg::*;
(
    input  logic       clk_i,
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
  logic signed [25:0] shifted, rounded_q, total;
  logic signed [25:0] zp, lo, hi;
  logic signed [25:0] clamped;

  assign ma = 25'($signed(op_i.ma));
  assign mb = 25'($signed(op_i.mb));
  assign zp = 26'($signed(op_i.zp));
  assign lo = 26'($signed(op_i.lo));
  assign hi = 26'($signed(op_i.hi));

  // A half bit below the result's last one makes the rounding an increment.
  assign shifted = $signed({sum_q, 1'b0}) >>> op_i.shift;

  always_ff @(posedge clk_i) begin
    a_q <= use_a_i ? $signed(a_i) : 8'sd0;
    b_q <= use_b_i ? $signed(b_i) : 8'sd0;
    sum_q <= a_q * ma + b_q * mb;
    rounded_q <= (shifted + 26'sd1) >>> 1;
  end

  assign total = rounded_q + zp;
  assign clamped = (total > hi || lo > hi) ? hi : (total < lo) ? lo : total;
  assign result_o = keep_i ? clamped[7:0] : '0;

  logic unused_bits;
  assign unused_bits = ^{op_i, clamped[25:8]};

endmodule
