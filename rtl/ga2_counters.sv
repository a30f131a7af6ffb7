// SPDX-License-Identifier: Apache-2.0
// Performance counters of the running program; they keep their values until the next START.
//
// The partition counters split `total`: in each cycle the first condition of the list that holds takes it. The
// cycle in which the interrupt rises belongs to the program and to `idle`: both start at one.

module ga2_counters
  import ga2_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,
    input logic running_i,

    input logic matrix_busy_i,
    input logic stepping_i,
    input logic load_busy_i,
    input logic store_busy_i,
    input logic vector_busy_i,
    input logic softmax_busy_i,
    input logic hazard_i,
    input logic dispatch_i,
    input logic read_beat_i,
    input logic write_beat_i,
    input logic retire_i,

    input  logic [$clog2(NumCounters)-1:0] index_i,
    output logic [31:0]                    value_o
);

  logic [31:0] value_q [NumCounters];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int c = 0; c < NumCounters; c++) value_q[c] <= '0;
    end else if (start_i) begin
      for (int c = 0; c < NumCounters; c++) value_q[c] <= c == CntTotal || c == CntPartIdle ? 32'd1 : 32'd0;
    end else if (running_i) begin
      value_q[CntTotal] <= value_q[CntTotal] + 32'd1;
      if (matrix_busy_i) value_q[CntMatrix] <= value_q[CntMatrix] + 32'd1;
      if (load_busy_i || store_busy_i) value_q[CntLoadStore] <= value_q[CntLoadStore] + 32'd1;
      if (vector_busy_i) value_q[CntVector] <= value_q[CntVector] + 32'd1;
      if (softmax_busy_i) value_q[CntSoftmax] <= value_q[CntSoftmax] + 32'd1;
      if (matrix_busy_i && load_busy_i) value_q[CntMatrixAndLoad] <= value_q[CntMatrixAndLoad] + 32'd1;
      if (read_beat_i) value_q[CntReadBeats] <= value_q[CntReadBeats] + 32'd1;
      if (write_beat_i) value_q[CntWriteBeats] <= value_q[CntWriteBeats] + 32'd1;
      if (retire_i) value_q[CntRetired] <= value_q[CntRetired] + 32'd1;
      // of the partition's conditions the first that holds takes the cycle
      if (stepping_i) value_q[CntPartArray] <= value_q[CntPartArray] + 32'd1;
      else if (vector_busy_i || softmax_busy_i) value_q[CntPartVector] <= value_q[CntPartVector] + 32'd1;
      else if (load_busy_i) value_q[CntPartLoad] <= value_q[CntPartLoad] + 32'd1;
      else if (store_busy_i) value_q[CntPartStore] <= value_q[CntPartStore] + 32'd1;
      else if (hazard_i) value_q[CntPartHazard] <= value_q[CntPartHazard] + 32'd1;
      else if (dispatch_i) value_q[CntPartDispatch] <= value_q[CntPartDispatch] + 32'd1;
      else value_q[CntPartIdle] <= value_q[CntPartIdle] + 32'd1;
    end
  end

  assign value_o = value_q[index_i];

endmodule
