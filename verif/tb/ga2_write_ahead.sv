// SPDX-License-Identifier: Apache-2.0
// Write data that may overtake its address: a slave may take W before AW (ARM IHI 0022, A3.3).
//
// With enable_i beats are taken while the sink is not ready, up to DEPTH of them; without, this is a wire.

module ga2_write_ahead #(
  parameter int WIDTH = 8,
  parameter int DEPTH = 16
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             enable_i,
  // source
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [WIDTH-1:0] data_i,
  // sink
  output logic             valid_o,
  input  logic             ready_i,
  output logic [WIDTH-1:0] data_o
);

  logic             full, empty, through;
  logic [WIDTH-1:0] head;

  assign through = empty && ready_i;  // past the FIFO, in the same cycle
  assign ready_o = through || (enable_i && !full);
  assign valid_o = valid_i || !empty;
  assign data_o  = empty ? data_i : head;

  ga2_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_beats (
    .clk_i, .rst_ni,
    .push_i  (valid_i && ready_o && !through),
    .data_i,
    .full_o  (full),
    .pop_i   (ready_i && !empty),
    .data_o  (head),
    .empty_o (empty)
  );

endmodule
