// SPDX-License-Identifier: Apache-2.0
// The column constants of two tiles: one set arrives from the constant memory while the other serves the drain.
// A group of LANES columns moves from the first set to the second when the drain reaches it in its first row.
module ga2_constants
  import ga2_ops_pkg::*;
#(
    parameter int COLS  = 4,
    parameter int LANES = 4
) (
    input  logic                            clk_i,
    // arrival
    input  logic                            wr_i,
    input  logic [7:0]                      col_i,
    input  const_t                          data_i,
    // use
    input  logic                            take_i,
    input  logic [7:0]                      take_group_i,
    input  logic [7:0]                      group_i,
    output logic [LANES*$bits(const_t)-1:0] lanes_o        // of group_i, taken before
);

  localparam int Bits = $bits(const_t);
  localparam int ColBits = $clog2(COLS);

  logic [Bits-1:0] arriving_q[COLS];
  logic [Bits-1:0] serving_q [COLS];

  for (genvar j = 0; j < COLS; j++) begin : gen_col
    always_ff @(posedge clk_i) begin
      if (wr_i && col_i == 8'(j)) arriving_q[j] <= data_i;
      if (take_i && take_group_i == 8'(j / LANES)) serving_q[j] <= arriving_q[j];
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    assign lanes_o[Bits*l+:Bits] = serving_q[ColBits'(group_i * 8'(LANES)) + ColBits'(l)];
  end

endmodule
