// SPDX-License-Identifier: Apache-2.0
// A free input that is chosen once: whatever is proved with it holds for every value.

module ga2_formal_steady #(
  parameter int WIDTH = 3
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [WIDTH-1:0] value_i
);

  logic [WIDTH-1:0] value_q;

  always_ff @(posedge clk_i) value_q <= value_i;
  always_comb begin
    if (rst_ni) begin
      assume_steady: assume (value_i == value_q);
    end
  end

endmodule
