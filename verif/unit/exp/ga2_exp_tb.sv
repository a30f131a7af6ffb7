// SPDX-License-Identifier: Apache-2.0
// One exponential lane, driven by the bench; and 32 lanes, which run through a block: 256 `emul`, all distances of each in
// eight cycles.
//
// A block's check is the sum, modulo 2^64, of e16 * W(distance) * W(emul within the block) with odd weights: one result
// that is wrong always changes it.
module ga2_exp_tb (
    input  logic        clk_i,
    input  logic        valid_i,
    input  logic [7:0]  distance_i,
    input  logic [15:0] emul_i,
    output logic [15:0] e16_o,
    // blocks
    input  logic        block_i,   // low: begin again
    input  logic [7:0]  high_i,    // upper byte of the block's emul
    output logic        ended_o,
    output logic [63:0] check_o
);

  localparam int Latency = 3;
  localparam int Lanes = 32;

  ga2_exp u_lane (
      .clk_i,
      .valid_i,
      .distance_i,
      .emul_i,
      .e16_o
  );

  logic [11:0] next_q;                // {emul within the block, eighth of the distances} that goes in
  logic [Latency:1][10:0] on_way_q;
  logic [Latency:1] out_q;
  logic feed;
  logic [Lanes-1:0][15:0] e16;
  logic [63:0] part;
  logic [7:0] low_out;
  logic [2:0] eighth_out;

  assign feed = block_i && !next_q[11];
  assign {low_out, eighth_out} = on_way_q[Latency];

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    ga2_exp u_exp (
        .clk_i,
        .valid_i   (feed),
        .distance_i({next_q[2:0], 5'(lane)}),
        .emul_i    ({high_i, next_q[10:3]}),
        .e16_o     (e16[lane])
    );
  end

  function automatic logic [63:0] weight(input logic [7:0] index);
    logic [31:0] product;  // a variable: Icarus would multiply in the width of the result
    product = 32'(index) * 32'h9e3779b1;
    return 64'(product | 32'd1);
  endfunction

  always_comb begin
    part = '0;
    for (int lane = 0; lane < Lanes; lane++) part = part + 64'(e16[lane]) * weight({eighth_out, 5'(lane)});
  end

  always_ff @(posedge clk_i) begin
    if (!block_i) begin
      next_q <= '0;
      out_q <= '0;
      check_o <= '0;
    end else begin
      if (feed) next_q <= next_q + 12'd1;
      out_q <= {out_q[Latency-1:1], feed};
      on_way_q <= {on_way_q[Latency-1:1], next_q[10:0]};
      if (out_q[Latency]) check_o <= check_o + part * weight(low_out);
    end
  end

  assign ended_o = block_i && next_q[11] && out_q == '0;

endmodule
