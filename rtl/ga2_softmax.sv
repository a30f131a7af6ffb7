// SPDX-License-Identifier: Apache-2.0
// Softmax unit: unsigned exponentials against each row's maximum and one 32-bit multiplier a row.
//
// Each row is read twice, a word a cycle and without a gap: the maximum pass reads its ceil(L/COLS) words of valid
// scores, the exponential pass walks all ceil(n/COLS) words. The division of a row runs beside the passes of the next.
// With `norm` the exponential pass writes nothing; a third pass reads each word COLS times after the division and
// scales one lane a cycle, so that one multiplier serves all lanes and the scores survive until they are replaced.
//
//   cycle     t        t+1    t+2     t+3             t+4    t+5     t+6              t+7
//   maximum   address  mask   pairs   tree, running
//   exp       address  mask           distance*emul   table  shift   write, add lanes accumulate, start division
//   norm      address  mask           distance*emul   table  shift   choose lane      multiply   t+8 round  t+9 write
//
// Timing, an op started at s, x(-1) = s, for row i with maximum words Mi = ceil(Li/COLS) and N = ceil(n/COLS):
//   x(i) = max(y(i-1) + Mi + N, x(i-1) + DivCycles)    the last exponential word is read (no second term for i = 0);
//   y(i) = norm ? x(i) + 7 + DivCycles + N*COLS : x(i) the row's last read;
//   done = norm ? y(last) + 9 : x(last) + 7 + DivCycles.
module ga2_softmax
  import ga2_ops_pkg::*;
#(
    parameter int COLS = 4,        // lanes, bytes of a scratchpad word: a power of two, at least 4
    parameter int DIV_BITS = 4     // bits of the quotient a cycle
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              kill_i,
    // operation
    input  logic              op_valid_i,
    output logic              op_ready_o,
    input  sm_op_t            op_i,
    output logic              done_o,
    output logic [2:0]        done_slot_o,
    output logic              busy_o,
    // scratchpad: scores
    output logic              rd_en_o,
    output logic [15:0]       rd_addr_o,
    input  logic [8*COLS-1:0] rd_data_i,
    // scratchpad: exponentials (or probabilities) and row multipliers
    output logic              wr_en_o,
    output logic [15:0]       wr_addr_o,
    output logic [8*COLS-1:0] wr_data_o
);

  localparam int LaneBits = $clog2(COLS);
  localparam int DivCycles = 32 / DIV_BITS + 1;
  localparam int GapBits = $clog2(DivCycles);
  localparam logic [LaneBits-1:0] LastLane = '1;

  typedef enum logic [2:0] {Idle, Maximum, Exponential, Divide, Normalise, Drain} state_e;

  state_e state_d, state_q;
  sm_op_t op_q;
  logic accept, norm;

  assign accept = op_valid_i && op_ready_o;
  assign norm = op_q.norm;

  always_ff @(posedge clk_i) if (accept) op_q <= op_i;

  // Starts and sizes of the first row go straight to the counters below.
  logic unused_fields;
  assign unused_fields = ^{op_q.rows, op_q.len, op_q.dst, op_q.src, op_q.rmul};

  // ------------------------------------------------------------------ issue: one read slot a cycle
  logic [11:0] rows_left_q;              // rows from this one on
  logic [11:0] length_q;                 // valid scores of this row
  logic [11:0] span_q, valid_left_q;     // elements of the pass and valid ones from this word on
  logic [GapBits-1:0] gap_q;             // cycles until the divider can take another sum
  logic [LaneBits-1:0] issue_lane_q;     // normalise: the lane this read is for
  logic last_lane_q, last_row_q;         // it is the last lane; this row is the last
  logic step_word, pass_end, row_end;
  logic last_word_q;                     // of the pass: a register, as much hangs on it
  logic [11:0] next_length_q;            // of the next row; a row takes two cycles at least, enough to prepare it
  logic divided, dividing_ends;


  assign step_word = (state_q == Maximum)
      || (state_q == Exponential && (!last_word_q || gap_q == '0))
      || (state_q == Normalise && last_lane_q);
  assign pass_end = step_word && last_word_q;
  assign row_end = pass_end && (norm ? state_q == Normalise : state_q == Exponential);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:        state_d = Idle;
      Maximum:     if (pass_end) state_d = Exponential;
      Exponential: if (pass_end && norm) state_d = Divide;
      Divide:      if (divided) state_d = Normalise;
      Normalise:   state_d = Normalise;
      Drain:       if (done_o) state_d = Idle;
      default:     state_d = Idle;
    endcase
    if (row_end && last_row_q) state_d = Drain;
    else if (row_end || accept) state_d = Maximum;
    if (kill_i) state_d = Idle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Idle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      rows_left_q <= op_i.rows;
      last_row_q <= op_i.rows == 12'd1;
      length_q <= op_i.len;
      span_q <= op_i.len;
      last_word_q <= op_i.len <= 12'(COLS);
      valid_left_q <= op_i.len;
    end else if (row_end) begin
      rows_left_q <= rows_left_q - 12'd1;
      last_row_q <= rows_left_q == 12'd2;
      length_q <= next_length_q;
      span_q <= next_length_q;
      last_word_q <= next_length_q <= 12'(COLS);
      valid_left_q <= next_length_q;
    end else if (pass_end) begin
      span_q <= op_q.n;
      last_word_q <= op_q.n <= 12'(COLS);
      valid_left_q <= length_q;
    end else if (step_word) begin
      span_q <= span_q - 12'(COLS);
      last_word_q <= span_q <= 12'(2 * COLS);
      valid_left_q <= (valid_left_q > 12'(COLS)) ? valid_left_q - 12'(COLS) : '0;
    end
  end

  always_ff @(posedge clk_i) next_length_q <= length_q + {4'b0, op_q.step};

  always_ff @(posedge clk_i) begin
    if (accept) gap_q <= '0;
    else if (state_q == Exponential && pass_end) gap_q <= GapBits'(DivCycles - 1);
    else if (gap_q != '0) gap_q <= gap_q - GapBits'(1);
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      issue_lane_q <= '0;
      last_lane_q <= 1'b0;
    end else if (state_q == Normalise) begin
      issue_lane_q <= issue_lane_q + LaneBits'(1);
      last_lane_q <= issue_lane_q == LastLane - LaneBits'(1);
    end
  end

  ga2_row_walk u_src (
      .clk_i,
      .load_i(accept),
      .start_i(op_i.src),
      .pitch_i(op_q.src_pitch),
      .word_i(step_word),
      .row_i(row_end),
      .rewind_i(pass_end),
      .addr_o(rd_addr_o)
  );

  assign rd_en_o = valid_left_q != '0 && (step_word || state_q == Normalise);

  // ------------------------------------------------------------------ what each slot means, by pipeline stage
  logic [3:1] max_q, first_q;         // a maximum word; the row's first one
  logic [7:1] exp_q;                  // an exponential word
  logic [8:1] norm_q;                 // the last lane of a normalise word
  logic data_write_q;                 // exp_q[6] or, of a normalising op, what would be norm_q[9]
  logic [9:1] end_q;                  // the last word of a pass ...
  logic [8:1] final_q;                // ... of the last row
  logic [6:1][LaneBits-1:0] lane_q;   // the lane of a normalise slot
  logic first_word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      max_q <= '0;
      exp_q <= '0;
      norm_q <= '0;
      data_write_q <= 1'b0;
    end else if (kill_i) begin
      max_q <= '0;
      exp_q <= '0;
      norm_q <= '0;
      data_write_q <= 1'b0;
    end else begin
      max_q <= {max_q[2:1], state_q == Maximum};
      exp_q <= {exp_q[6:1], state_q == Exponential && step_word};
      norm_q <= {norm_q[7:1], state_q == Normalise && step_word};
      data_write_q <= norm ? norm_q[8] : exp_q[5];
    end
  end

  always_ff @(posedge clk_i) begin
    first_word_q <= accept || row_end;
    first_q <= {first_q[2:1], first_word_q};
    end_q <= {end_q[8:1], pass_end};
    final_q <= {final_q[7:1], pass_end && last_row_q};
    lane_q <= {lane_q[5:1], issue_lane_q};
  end

  // ------------------------------------------------------------------ t+1 .. t+3: mask, maximum, distance
  logic [COLS-1:0] lane_valid_q, lane_valid_2_q, lane_valid_3_q;
  logic [COLS-1:0][7:0] masked_q, score_q;
  logic [COLS/2-1:0][7:0] pair_q;
  logic signed [7:0] word_max, row_max_q;

  function automatic logic signed [7:0] larger(input logic signed [7:0] a, input logic signed [7:0] b);
    return (a > b) ? a : b;
  endfunction

  function automatic logic signed [7:0] largest(input logic [COLS/2-1:0][7:0] pairs);
    logic [COLS/2-1:0][7:0] node;
    node = pairs;
    for (int step = 1; step < COLS / 2; step = 2 * step)
      for (int j = 0; j < COLS / 2; j = j + 2 * step)
        node[j] = larger($signed(node[j]), $signed(node[j+step]));
    return $signed(node[0]);
  endfunction

  for (genvar j = 0; j < COLS; j++) begin : gen_mask
    always_ff @(posedge clk_i) lane_valid_q[j] <= valid_left_q > 12'(j);
    always_ff @(posedge clk_i) if (busy_o) masked_q[j] <= lane_valid_q[j] ? rd_data_i[8*j+:8] : 8'h80;
  end

  for (genvar j = 0; j < COLS / 2; j++) begin : gen_pair
    always_ff @(posedge clk_i) if (max_q[2]) pair_q[j] <= larger($signed(masked_q[2*j]), $signed(masked_q[2*j+1]));
  end

  always_ff @(posedge clk_i) begin
    if (busy_o) score_q <= masked_q;
    lane_valid_2_q <= busy_o ? lane_valid_q : '0;
    lane_valid_3_q <= lane_valid_2_q;
  end

  assign word_max = largest(pair_q);

  always_ff @(posedge clk_i) begin
    if (max_q[3]) row_max_q <= first_q[3] ? word_max : larger(word_max, row_max_q);
  end

  // ------------------------------------------------------------------ t+3 .. t+6: exponentials
  logic [COLS-1:0][15:0] e16;
  logic [COLS-1:0][7:0] e8;

  for (genvar j = 0; j < COLS; j++) begin : gen_lane
    logic [7:0] distance;
    assign distance = row_max_q - score_q[j];

    ga2_exp u_exp (
        .clk_i,
        .valid_i(lane_valid_3_q[j]),
        .distance_i(distance),
        .emul_i(op_q.emul),
        .e16_o(e16[j])
    );

    assign e8[j] = e16[j][15:8] + {7'b0, e16[j][7]};
  end

  // ------------------------------------------------------------------ t+6 .. t+7: sum and division
  logic [15+LaneBits:0] word_sum_q;
  logic [27:0] row_sum, row_sum_q;
  logic start_division;
  logic [30:0] row_mult;

  function automatic logic [15+LaneBits:0] total(input logic [COLS-1:0][15:0] lanes);
    logic [COLS-1:0][15+LaneBits:0] node;
    for (int j = 0; j < COLS; j++) node[j] = (16+LaneBits)'(lanes[j]);
    for (int step = 1; step < COLS; step = 2 * step)
      for (int j = 0; j < COLS; j = j + 2 * step)
        node[j] = node[j] + node[j+step];
    return node[0];
  endfunction

  assign row_sum = row_sum_q + 28'(word_sum_q);
  assign start_division = exp_q[7] && end_q[7];

  always_ff @(posedge clk_i) begin
    if (exp_q[6]) word_sum_q <= total(e16);
    if (accept || start_division) row_sum_q <= '0;
    else if (exp_q[7]) row_sum_q <= row_sum;
  end

  ga2_divider #(.BITS(DIV_BITS)) u_divider (
      .clk_i,
      .rst_ni,
      .kill_i,
      .start_i(start_division),
      .scale_i(op_q.scale),
      .sum_i(row_sum),
      .ending_o(dividing_ends),
      .valid_o(divided),
      .quotient_o(row_mult)
  );

  // ------------------------------------------------------------------ t+6 .. t+9: normalise one lane a cycle
  logic [8*COLS-1:0] norm_word;

  ga2_softmax_norm #(.COLS(COLS)) u_norm (
      .clk_i,
      .lane_i(lane_q[6]),
      .e16_i(e16),
      .row_mult_i(row_mult),
      .word_o(norm_word)
  );

  // ------------------------------------------------------------------ write: data words first, multipliers between
  logic mult_write, mult_waits_q, mult_final_q;
  logic [15:0] dst_addr, mult_addr;

  assign mult_write = (divided || mult_waits_q) && !data_write_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mult_waits_q <= 1'b0;
    else if (kill_i) mult_waits_q <= 1'b0;
    else mult_waits_q <= (divided || mult_waits_q) && !mult_write;
  end

  always_ff @(posedge clk_i) if (start_division) mult_final_q <= final_q[7];

  ga2_row_walk u_dst (
      .clk_i,
      .load_i(accept),
      .start_i(op_i.dst),
      .pitch_i(op_q.dst_pitch),
      .word_i(data_write_q),
      .row_i(data_write_q && (norm ? end_q[9] : end_q[6])),
      .rewind_i(1'b0),
      .addr_o(dst_addr)
  );

  ga2_row_walk u_mult (
      .clk_i,
      .load_i(accept),
      .start_i(op_i.rmul),
      .pitch_i(op_q.rmul_pitch),
      .word_i(1'b0),
      .row_i(mult_write),
      .rewind_i(1'b0),
      .addr_o(mult_addr)
  );

  assign wr_en_o = data_write_q || divided || mult_waits_q;
  assign wr_addr_o = data_write_q ? dst_addr : mult_addr;
  assign wr_data_o = !data_write_q ? (8*COLS)'(row_mult) : norm ? norm_word : e8;

  // The last row's multiplier never waits: its exponentials were written before its division began.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_o <= 1'b0;
    else if (kill_i) done_o <= 1'b0;
    else done_o <= norm ? norm_q[8] && final_q[8] : dividing_ends && mult_final_q;
  end

  assign done_slot_o = op_q.slot;
  assign busy_o = state_q != Idle;
  assign op_ready_o = state_q == Idle || done_o;

endmodule
