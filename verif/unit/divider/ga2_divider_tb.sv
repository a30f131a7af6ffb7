// SPDX-License-Identifier: Apache-2.0
// The divider, driven by the bench, or, with `sweep_i`, by itself through all pairs of two bytes of its operands.
//
//   place_i   scale               sum                     quotients
//   0         byte << 23          (byte + 1) << 19        every fraction of two bytes
//   1         byte                2^15 + 1 + byte         0 to 511
//   2         byte << 23          2^15 + 1 + byte         the largest ones, half of them limited
//
// A division starts in the cycle of the former one's result. With a stride of 1 a sweep is 65536 divisions.
module ga2_divider_tb #(
    parameter int BITS = 4
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        kill_i,
    input  logic        start_i,
    input  logic [30:0] scale_i,
    input  logic [27:0] sum_i,
    output logic        ending_o,
    output logic        valid_o,
    output logic [30:0] quotient_o,
    // sweep
    input  logic        sweep_i,
    input  logic [1:0]  place_i,
    input  logic [15:0] stride_i,
    output logic        swept_o,      // all pairs are done
    output logic [31:0] compared_o,
    output logic [31:0] wrong_o,
    output logic [30:0] wrong_scale_o,  // of the last wrong one
    output logic [27:0] wrong_sum_o
);

  logic [16:0] pair_q;              // the next one
  logic running_q, sweep_start;
  logic [30:0] scale, scale_q;
  logic [27:0] sum, sum_q;
  logic [46:0] exact;

  assign scale = (place_i == 2'd1) ? 31'(pair_q[7:0]) : {pair_q[7:0], 23'b0};
  assign sum = (place_i == 2'd0) ? (28'(pair_q[15:8]) + 28'd1) << 19 : 28'd32769 + 28'(pair_q[15:8]);
  assign sweep_start = sweep_i && !pair_q[16] && (!running_q || valid_o);
  assign swept_o = sweep_i && pair_q[16] && !running_q;
  assign exact = {scale_q, 16'b0} / 47'(sum_q);

  ga2_divider #(.BITS(BITS)) u_dut (
      .clk_i,
      .rst_ni,
      .kill_i,
      .start_i(sweep_i ? sweep_start : start_i),
      .scale_i(sweep_i ? scale : scale_i),
      .sum_i  (sweep_i ? sum : sum_i),
      .ending_o,
      .valid_o,
      .quotient_o
  );

  always_ff @(posedge clk_i) begin
    if (!sweep_i) begin
      pair_q <= '0;
      running_q <= 1'b0;
      compared_o <= '0;
      wrong_o <= '0;
    end else begin
      if (sweep_start) begin
        pair_q <= pair_q + 17'(stride_i);
        scale_q <= scale;
        sum_q <= sum;
      end
      running_q <= sweep_start || (running_q && !valid_o);
      if (running_q && valid_o) begin
        compared_o <= compared_o + 32'd1;
        if (quotient_o != ((exact > 47'h7fffffff) ? 31'h7fffffff : exact[30:0])) begin
          wrong_o <= wrong_o + 32'd1;
          wrong_scale_o <= scale_q;
          wrong_sum_o <= sum_q;
        end
      end
    end
  end

endmodule
