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

  logic [NumCounters-1:0] count;
  always_comb begin : conditions
    count                   = '0;
    count[CntTotal]         = 1'b1;
    count[CntMatrix]        = matrix_busy_i;
    count[CntLoadStore]     = load_busy_i || store_busy_i;
    count[CntVector]        = vector_busy_i;
    count[CntSoftmax]       = softmax_busy_i;
    count[CntMatrixAndLoad] = matrix_busy_i && load_busy_i;
    count[CntReadBeats]     = read_beat_i;
    count[CntWriteBeats]    = write_beat_i;
    count[CntRetired]       = retire_i;
    if (stepping_i) count[CntPartArray] = 1'b1;
    else if (vector_busy_i || softmax_busy_i) count[CntPartVector] = 1'b1;
    else if (load_busy_i) count[CntPartLoad] = 1'b1;
    else if (store_busy_i) count[CntPartStore] = 1'b1;
    else if (hazard_i) count[CntPartHazard] = 1'b1;
    else if (dispatch_i) count[CntPartDispatch] = 1'b1;
    else count[CntPartIdle] = 1'b1;
  end

  logic [NumCounters-1:0][31:0] value;
  for (genvar c = 0; c < NumCounters; c++) begin : gen_counter
    localparam logic [31:0] First = c == CntTotal || c == CntPartIdle ? 32'd1 : 32'd0;
    logic [31:0] value_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin : counter
      if (!rst_ni) value_q <= '0;
      else if (start_i) value_q <= First;
      else if (running_i && count[c]) value_q <= value_q + 32'd1;
    end
    assign value[c] = value_q;
  end

  assign value_o = value[index_i];

endmodule
