// SPDX-License-Identifier: Apache-2.0
// Reset in the first cycle of a trace and never after.

module ga2_formal_reset (
  input  logic clk_i,
  output logic rst_no
);

  logic started_q = 1'b0;

  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_no = started_q;

endmodule
