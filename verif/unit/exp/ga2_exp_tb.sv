// SPDX-License-Identifier: Apache-2.0
// One exponential lane, driven by the bench; and 256 lanes, one a distance, which run through a block of 256 `emul`.
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

  ga2_exp u_lane (
      .clk_i,
      .valid_i,
      .distance_i,
      .emul_i,
      .e16_o
  );

  logic [8:0] low_q;                 // the emul that goes in
  logic [Latency:1][7:0] low_out_q;  // those on their way
  logic [Latency:1] out_q;
  logic feed;
  logic [255:0][15:0] e16;
  logic [63:0] row;

  assign feed = block_i && !low_q[8];

  for (genvar d = 0; d < 256; d++) begin : gen_lane
    ga2_exp u_exp (
        .clk_i,
        .valid_i   (feed),
        .distance_i(8'(d)),
        .emul_i    ({high_i, low_q[7:0]}),
        .e16_o     (e16[d])
    );
  end

  function automatic logic [63:0] weight(input logic [7:0] index);
    return 64'((32'(index) * 32'h9e3779b1) | 32'd1);
  endfunction

  always_comb begin
    row = '0;
    for (int d = 0; d < 256; d++) row = row + 64'(e16[d]) * weight(8'(d));
  end

  always_ff @(posedge clk_i) begin
    if (!block_i) begin
      low_q <= '0;
      out_q <= '0;
      check_o <= '0;
    end else begin
      if (feed) low_q <= low_q + 9'd1;
      out_q <= {out_q[Latency-1:1], feed};
      low_out_q <= {low_out_q[Latency-1:1], low_q[7:0]};
      if (out_q[Latency]) check_o <= check_o + row * weight(low_out_q[Latency]);
    end
  end

  assign ended_o = block_i && low_q[8] && out_q == '0;

endmodule
