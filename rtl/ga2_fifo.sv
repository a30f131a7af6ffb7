// SPDX-License-Identifier: Apache-2.0
// A first-word fall-through FIFO: the head is visible the cycle after it was pushed.
//
// Pushing when full or popping when empty is a design error (checked in simulation). Push and pop may share a cycle.

module ga2_fifo #(
  parameter int WIDTH = 8,  // bits of an entry, >= 1
  parameter int DEPTH = 8   // entries, >= 2, any number
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // write side
  input  logic             push_i,
  input  logic [WIDTH-1:0] data_i,
  output logic             full_o,
  // read side
  input  logic             pop_i,
  output logic [WIDTH-1:0] data_o,
  output logic             empty_o
);

  localparam int PtrWidth = $clog2(DEPTH);
  localparam int CountWidth = $clog2(DEPTH + 1);
  localparam logic [PtrWidth-1:0] LastEntry = PtrWidth'(DEPTH - 1);

  logic [WIDTH-1:0]      mem_q [DEPTH];
  logic [PtrWidth-1:0]   head_q, tail_q;
  logic [CountWidth-1:0] count_q;

  assign data_o  = mem_q[head_q];
  assign empty_o = count_q == '0;
  assign full_o  = count_q == CountWidth'(DEPTH);

  always_ff @(posedge clk_i) begin
    if (push_i) mem_q[tail_q] <= data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push_i) tail_q <= (tail_q == LastEntry) ? '0 : tail_q + 1'b1;
      if (pop_i) head_q <= (head_q == LastEntry) ? '0 : head_q + 1'b1;
      if (push_i && !pop_i) count_q <= count_q + 1'b1;
      if (pop_i && !push_i) count_q <= count_q - 1'b1;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin  // check
    if (rst_ni) begin
      assert (!(push_i && full_o)) else $fatal(1, "ga2_fifo: push when full");
      assert (!(pop_i && empty_o)) else $fatal(1, "ga2_fifo: pop when empty");
    end
  end
`endif

endmodule
