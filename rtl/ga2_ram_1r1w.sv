// SPDX-License-Identifier: Apache-2.0
// A memory with one synchronous read port and one write port (a block RAM). A read and a write of one address in one
// cycle give the old or an unknown value: nobody may depend on it.

module ga2_ram_1r1w #(
  parameter int WIDTH = 32,  // bits of an entry
  parameter int DEPTH = 512  // entries, >= 2
) (
  input  logic                     clk_i,
  // read: data in the cycle after the address
  input  logic                     rd_en_i,
  input  logic [$clog2(DEPTH)-1:0] rd_addr_i,
  output logic [WIDTH-1:0]         rd_data_o,
  // write
  input  logic                     wr_en_i,
  input  logic [$clog2(DEPTH)-1:0] wr_addr_i,
  input  logic [WIDTH-1:0]         wr_data_i
);

  (* no_rw_check *)  // synthesis need not emulate the old value on a collision: that would cost registers and a mux
  logic [WIDTH-1:0] mem_q [DEPTH];
  logic [WIDTH-1:0] rd_data_q;

  assign rd_data_o = rd_data_q;

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_q <= mem_q[rd_addr_i];
    if (wr_en_i) mem_q[wr_addr_i] <= wr_data_i;
  end

endmodule
