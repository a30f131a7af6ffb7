// SPDX-License-Identifier: Apache-2.0
// Which instructions a unit has in hand, for a viewer: the newest while the unit takes no other one beside it
// (`issuing`), and the oldest of those that were started before it and are not done (`finishing`).
//
// Simulation only. A unit finishes its instructions in the order in which it started them.

module ga2_wave_lane (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        kill_i,
    input  logic        start_i,
    input  logic [15:0] pc_i,            // of the instruction that starts
    input  logic        ready_i,         // the unit could take the next one
    input  logic        done_i,
    output logic        issuing_o,
    output logic [15:0] issuing_pc_o,
    output logic        finishing_o,
    output logic [15:0] finishing_pc_o
);

  logic [7:0][15:0] pc_q;
  logic [3:0]       head_q, tail_q, count;
  logic [2:0]       newest;
  logic             issuing_q;

  assign count          = tail_q - head_q;
  assign newest         = tail_q[2:0] - 3'd1;
  assign issuing_o      = issuing_q && count != '0;
  assign issuing_pc_o   = pc_q[newest];
  assign finishing_o    = count > 4'(issuing_o);
  assign finishing_pc_o = pc_q[head_q[2:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin  // in_hand
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      issuing_q <= 1'b0;
    end else if (kill_i) begin
      head_q    <= '0;
      tail_q    <= '0;
      issuing_q <= 1'b0;
    end else begin
      if (start_i) tail_q <= tail_q + 4'd1;
      if (done_i) head_q <= head_q + 4'd1;
      if (start_i) issuing_q <= 1'b1;
      else if (ready_i) issuing_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin  // counters
    if (start_i) pc_q[tail_q[2:0]] <= pc_i;
  end

endmodule
