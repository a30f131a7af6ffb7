// SPDX-License-Identifier: Apache-2.0
// Vector unit: VEC, out = clamp(((a*ma [+ b*mb] + r) >> shift) + zp), and AMAX, one word a cycle, row by row.
//
//   cycle   t         t+1     t+2                t+3                        t+4
//   VEC     address   mask    multiply, add      shift, round               zero point, clamp, write
//   AMAX    address   mask    pairs              tree, best so far          write id of a row's end
//
// Timing, an op of rows*ceil(n/COLS) = W words started at s: done = s + W + 4.
module ga2_vec
  import ga2_ops_pkg::*;
#(
    parameter int COLS = 4  // lanes, bytes of a scratchpad word: a power of two, at least 4
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              kill_i,
    // operation
    input  logic              op_valid_i,
    output logic              op_ready_o,
    input  vec_op_t           op_i,
    output logic              done_o,
    output logic [2:0]        done_slot_o,
    output logic              busy_o,
    // scratchpad: first operand
    output logic              a_en_o,
    output logic [15:0]       a_addr_o,
    input  logic [8*COLS-1:0] a_data_i,
    // scratchpad: second operand
    output logic              b_en_o,
    output logic [15:0]       b_addr_o,
    input  logic [8*COLS-1:0] b_data_i,
    // scratchpad: result
    output logic              wr_en_o,
    output logic [15:0]       wr_addr_o,
    output logic [8*COLS-1:0] wr_data_o
);

  typedef enum logic [1:0] {Idle, Issue, Drain} state_e;

  state_e state_d, state_q;
  vec_op_t op_q;
  logic accept;

  assign accept = op_valid_i && op_ready_o;

  always_ff @(posedge clk_i) if (accept) op_q <= op_i;

  // ------------------------------------------------------------------ issue: a word a cycle
  logic [11:0] rows_left_q, left_q;  // rows from this one on; elements of the row from this word on
  logic issue, row_end, op_end, first_q;

  assign issue = state_q == Issue;
  assign row_end = issue && left_q <= 12'(COLS);
  assign op_end = row_end && rows_left_q == 12'd1;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    state_d = Idle;
      Issue:   if (op_end) state_d = Drain;
      Drain:   if (done_o) state_d = Idle;
      default: state_d = Idle;
    endcase
    if (accept) state_d = Issue;
    if (kill_i) state_d = Idle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Idle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    first_q <= accept || row_end;
    if (accept) begin
      rows_left_q <= op_i.rows;
      left_q <= op_i.n;
    end else if (row_end) begin
      rows_left_q <= rows_left_q - 12'd1;
      left_q <= op_q.n;
    end else if (issue) begin
      left_q <= left_q - 12'(COLS);
    end
  end

  ga2_row_walk u_a (
      .clk_i,
      .load_i(accept),
      .start_i(op_i.a),
      .pitch_i(op_q.a_pitch),
      .word_i(issue),
      .row_i(row_end),
      .rewind_i(1'b0),
      .addr_o(a_addr_o)
  );

  ga2_row_walk u_b (
      .clk_i,
      .load_i(accept),
      .start_i(op_i.b),
      .pitch_i(op_q.b_pitch),
      .word_i(issue),
      .row_i(row_end),
      .rewind_i(1'b0),
      .addr_o(b_addr_o)
  );

  assign a_en_o = issue;
  assign b_en_o = issue && op_q.second && !op_q.amax;

  // ------------------------------------------------------------------ what each word means, by pipeline stage
  logic [4:1] valid_q, end_q, final_q;  // a word; the last of its row; the last of the op
  logic [4:1][COLS-1:0] lanes_q;        // its elements
  logic first_1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (kill_i) valid_q <= '0;
    else valid_q <= {valid_q[3:1], issue};
  end

  logic [COLS-1:0] lanes;
  for (genvar j = 0; j < COLS; j++) begin : gen_lanes
    assign lanes[j] = left_q > 12'(j);
  end

  always_ff @(posedge clk_i) begin
    first_1_q <= first_q;
    end_q <= {end_q[3:1], row_end};
    final_q <= {final_q[3:1], op_end};
    lanes_q <= {lanes_q[3:1], lanes};
  end

  // ------------------------------------------------------------------ the two data paths
  logic [8*COLS-1:0] result;
  logic [11:0] index;

  for (genvar j = 0; j < COLS; j++) begin : gen_lane
    ga2_vec_lane u_lane (
        .clk_i,
        .en_i(busy_o),
        .op_i(op_q),
        .use_a_i(lanes_q[1][j]),
        .use_b_i(lanes_q[1][j] && op_q.second),
        .a_i(a_data_i[8*j+:8]),
        .b_i(b_data_i[8*j+:8]),
        .keep_i(lanes_q[4][j]),
        .result_o(result[8*j+:8])
    );
  end

  ga2_amax #(.COLS(COLS)) u_amax (
      .clk_i,
      .valid_i(valid_q[1]),
      .first_i(first_1_q),
      .lane_valid_i(lanes_q[1]),
      .word_i(a_data_i),
      .index_o(index)
  );

  // ------------------------------------------------------------------ write
  logic row_written;

  assign row_written = valid_q[4] && end_q[4];

  ga2_row_walk u_out (
      .clk_i,
      .load_i(accept),
      .start_i(op_i.out),
      .pitch_i(op_q.out_pitch),
      .word_i(wr_en_o),
      .row_i(row_written),
      .rewind_i(1'b0),
      .addr_o(wr_addr_o)
  );

  assign wr_en_o = valid_q[4] && (end_q[4] || !op_q.amax);
  assign wr_data_o = op_q.amax ? (8*COLS)'(index) : result;

  assign done_o = valid_q[4] && final_q[4];
  assign done_slot_o = op_q.slot;
  assign busy_o = state_q != Idle;
  assign op_ready_o = state_q == Idle || done_o;

endmodule
