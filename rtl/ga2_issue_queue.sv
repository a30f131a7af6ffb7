// SPDX-License-Identifier: Apache-2.0
// A unit's instructions in program order, from dispatch to start.
//
// The head starts when its window slot (the top bits of the operation) is clear and the unit is ready. A window
// has eight slots, so eight places never overflow.

module ga2_issue_queue
  import ga2_pkg::*;
#(
    parameter int WIDTH = 64  // bits of the operation; its slot number is on top
) (
    input logic clk_i,
    input logic rst_ni,
    input logic kill_i,

    input logic             push_i,
    input logic [WIDTH-1:0] op_i,

    input  logic [WindowSlots-1:0] clear_i,
    output logic                   op_valid_o,
    input  logic                   op_ready_i,
    output logic [WIDTH-1:0]       op_o
);

  logic [WIDTH-1:0] mem_q [WindowSlots];
  logic [3:0]       head_q, tail_q;  // one bit more than an index: full and empty differ
  logic [3:0]       next;
  logic [2:0]       slot_q;          // of the head, beside the memory: whether it is clear decides what a unit does
  logic             some_q, pop;     // some_q: not empty

  assign op_o       = mem_q[head_q[2:0]];
  assign next       = head_q + 4'd1;
  assign op_valid_o = some_q && clear_i[slot_q];
  assign pop        = op_valid_o && op_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin  // pointers
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      some_q <= 1'b0;
    end else if (kill_i) begin
      head_q <= '0;
      tail_q <= '0;
      some_q <= 1'b0;
    end else begin
      if (push_i) tail_q <= tail_q + 4'd1;
      if (pop) head_q <= next;
      some_q <= push_i || tail_q != (pop ? next : head_q);
    end
  end

  always_ff @(posedge clk_i) begin  // store
    if (push_i) mem_q[tail_q[2:0]] <= op_i;
    if (tail_q == head_q || (pop && tail_q == next)) slot_q <= op_i[WIDTH-1-:3];  // whatever comes next is the head
    else if (pop) slot_q <= mem_q[next[2:0]][WIDTH-1-:3];
  end

endmodule
