// SPDX-License-Identifier: Apache-2.0
// Matrix unit: out = clamp(rescale(left x right + bias [+ aux*rfac]) + zp), m x k by k x n, in tiles of ROWS x COLS.
//
//                   right (word a cycle)
//                       |
//                  ga2_feeder          this file     counts a tile's cycles, reads the two operands, tags the elements
//                       |              ga2_mm_tiles  which tile, and where its operands start
//   left --ga2_feeder-- ga2_array      ga2_mm_walk   the address of the next word of an operand
//   (word a cycle)      |              ga2_feeder    words to skewed bytes, for either edge
//   constants, aux -- ga2_drain        ga2_array     ROWS x COLS of ga2_pe
//                       |              ga2_drain     sums to words of int8: ga2_constants, LANES of ga2_requant
//                      out
//
// A tile streams for P cycles, x = 0 .. P-1. Operand words are read in x; element k is at PE (r, j) in x = k + 2 + r + j.
// While the next tile streams, the drain requantises this one.
//
// Timing, with nt = ceil(n/COLS) * ceil(m/ROWS), C = COLS/LANES, an op started at s:
//   P     = max(COLS*ceil(k/COLS), ROWS*C, COLS + (ROWS-1)*(C-1))
//   ready = s + nt*P                               (the last streaming cycle; the next op streams without a gap)
//   done  = s + nt*P + (R-1)*C + DRAIN             R = rows of the last row tile, m - ROWS*(ceil(m/ROWS)-1)
//   DRAIN = COLS + 5                               see ga2_drain
module ga2_mm
  import ga2_ops_pkg::*;
  import ga2_mm_pkg::*;
#(
    parameter int ROWS  = 4,  // 2 .. COLS, a power of two
    parameter int COLS  = 4,  // 4 .. 64, a power of two; bytes of a scratchpad word
    parameter int LANES = 4   // requantisers, divides COLS
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              kill_i,
    // operation
    input  logic              op_valid_i,
    output logic              op_ready_o,
    input  mm_op_t            op_i,
    output logic              done_o,
    output logic [2:0]        done_slot_o,
    output logic              busy_o,
    output logic              stepping_o,    // the array is streaming
    // scratchpad: left operand
    output logic              left_en_o,
    output logic [15:0]       left_addr_o,
    input  logic [8*COLS-1:0] left_data_i,
    // scratchpad: right operand
    output logic              right_en_o,
    output logic [15:0]       right_addr_o,
    input  logic [8*COLS-1:0] right_data_i,
    // scratchpad: residual or row multipliers
    output logic              aux_en_o,
    output logic [15:0]       aux_addr_o,
    input  logic [8*COLS-1:0] aux_data_i,
    // scratchpad: result
    output logic              wr_en_o,
    output logic [15:0]       wr_addr_o,
    output logic [8*COLS-1:0] wr_data_o,
    // constant memory
    output logic              const_en_o,
    output logic [15:0]       const_addr_o,
    input  const_t            const_data_i
);

  localparam int ColBits = $clog2(COLS);
  localparam int Groups = COLS / LANES;
  localparam int ByRows = ROWS * Groups;
  localparam int ByShadow = COLS + (ROWS - 1) * (Groups - 1);
  localparam int MinPeriod = (ByRows > ByShadow) ? ByRows : ByShadow;
  localparam logic [1:0] ModePanel = 2'd0;
  localparam logic [1:0] ModeTransposed = 2'd2;

  // --- A tile's cycles ------------------------------------------------------------------------------
  mm_op_t op_q;
  tile_t tile;
  logic accept, restart;
  logic streaming_q;
  logic [11:0] beat_q;         // x
  logic [11:0] final_k_q;      // k - 1
  logic [11:0] period_m2_q;    // P - 2
  logic first_q, last_q;       // x = 0, x = P - 1
  logic in_k_q;                // x < k: an element
  logic in_words_q;            // x < COLS*ceil(k/COLS): round-robin operands have a word
  logic tile_ending;           // x = P - 2
  logic slot_end;
  logic [11:0] final_k_d, by_k_m2, period_m2_d;

  assign op_ready_o = !streaming_q || (last_q && tile.final_tile);
  assign accept = op_valid_i && op_ready_o;
  assign restart = accept || (last_q && !tile.final_tile);

  assign final_k_d = op_i.k - 12'd1;
  assign by_k_m2 = (final_k_d | 12'(COLS - 1)) - 12'd1;
  assign period_m2_d = (by_k_m2 > 12'(MinPeriod - 2)) ? by_k_m2 : 12'(MinPeriod - 2);

  assign tile_ending = streaming_q && beat_q == period_m2_q;
  assign slot_end = &beat_q[ColBits-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      streaming_q <= 1'b0;
      last_q <= 1'b0;
    end else if (kill_i) begin
      streaming_q <= 1'b0;
      last_q <= 1'b0;
    end else begin
      last_q <= tile_ending;
      if (restart) streaming_q <= 1'b1;
      else if (last_q) streaming_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      op_q <= op_i;
      final_k_q <= final_k_d;
      period_m2_q <= period_m2_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (restart) beat_q <= '0;
    else if (streaming_q) beat_q <= beat_q + 12'd1;
    first_q <= restart;
    if (restart) in_k_q <= 1'b1;
    else if (beat_q == final_k_q) in_k_q <= 1'b0;
    if (restart) in_words_q <= 1'b1;
    else if (beat_q == (final_k_q | 12'(COLS - 1))) in_words_q <= 1'b0;
  end

  assign stepping_o = streaming_q;

  // --- Operand words ----------------------------------------------------------------------------------
  logic [15:0] left_start, right_start, right_pitch;
  logic [7:0] slot;
  logic transposed;

  assign slot = 8'(beat_q[ColBits-1:0]);
  assign transposed = op_q.right_mode == ModeTransposed;
  assign right_pitch = (op_q.right_mode == ModePanel) ? 16'd1 : op_q.right_pitch;

  ga2_mm_tiles #(
      .ROWS(ROWS),
      .COLS(COLS)
  ) u_tiles (
      .clk_i,
      .load_i       (accept),
      .op_i,
      .next_i       (last_q),
      .op_q_i       (op_q),
      .tile_o       (tile),
      .left_start_o (left_start),
      .right_start_o(right_start)
  );

  ga2_mm_walk u_left_walk (
      .clk_i,
      .start_i     (restart),
      .start_addr_i(left_start),
      .walk_i      (streaming_q),
      .wrap_i      (slot_end),
      .step_i      (op_q.left_pitch),
      .addr_o      (left_addr_o)
  );

  ga2_mm_walk u_right_walk (
      .clk_i,
      .start_i     (restart),
      .start_addr_i(right_start),
      .walk_i      (streaming_q),
      .wrap_i      (slot_end && transposed),
      .step_i      (right_pitch),
      .addr_o      (right_addr_o)
  );

  assign left_en_o = streaming_q && in_words_q && slot < tile.rows;
  assign right_en_o = streaming_q && (transposed ? in_words_q && slot < tile.cols : in_k_q);

  // --- The array and its edges: words arrive in x + 1, elements leave the feeders from x + 2 on -------
  logic [7:0] slot_q;
  logic left_line_q, right_line_q, spread_q;
  logic [1:0] valid_q, head_q, tail_q, unsigned_q;  // of the element read one and two cycles ago
  logic [8*ROWS-1:0] left_bytes;
  logic [8*COLS-1:0] right_bytes;
  logic [ROWS-1:0] left_live;
  logic [COLS-1:0] right_live;
  logic [7:0] sum_row;
  logic [32*COLS-1:0] sums;

  always_ff @(posedge clk_i) begin
    slot_q <= slot;
    left_line_q <= left_en_o;
    right_line_q <= right_en_o && transposed;
    spread_q <= right_en_o && !transposed;
    valid_q <= {valid_q[0], streaming_q && in_k_q};
    head_q <= {head_q[0], first_q};
    tail_q <= {tail_q[0], last_q};
    unsigned_q <= {unsigned_q[0], op_q.unsigned_left};
  end

  ga2_feeder #(
      .LINES(ROWS),
      .COLS (COLS)
  ) u_left (
      .clk_i,
      .en_i    (busy_o),
      .word_i  (left_data_i),
      .slot_i  (slot_q),
      .line_i  (left_line_q),
      .spread_i(1'b0),
      .bytes_o (left_bytes),
      .live_o  (left_live)
  );

  ga2_feeder #(
      .LINES(COLS),
      .COLS (COLS)
  ) u_right (
      .clk_i,
      .en_i    (busy_o),
      .word_i  (right_data_i),
      .slot_i  (slot_q),
      .line_i  (right_line_q),
      .spread_i(spread_q),
      .bytes_o (right_bytes),
      .live_o  (right_live)
  );

  ga2_array #(
      .ROWS(ROWS),
      .COLS(COLS)
  ) u_array (
      .clk_i,
      .en_i      (busy_o),
      .valid_i   (valid_q[1]),
      .first_i   (head_q[1]),
      .last_i    (tail_q[1]),
      .unsigned_i(unsigned_q[1]),
      .left_i    (left_bytes),
      .live_i    (left_live),
      .right_i   (right_bytes),
      .row_i     (sum_row),
      .sums_o    (sums)
  );

  ga2_drain #(
      .COLS (COLS),
      .LANES(LANES)
  ) u_drain (
      .clk_i,
      .rst_ni,
      .kill_i,
      .tile_valid_i(tile_ending),
      .tile_i      (tile),
      .const_en_o,
      .const_addr_o,
      .const_data_i,
      .aux_en_o,
      .aux_addr_o,
      .aux_data_i,
      .row_o       (sum_row),
      .sums_i      (sums),
      .wr_en_o,
      .wr_addr_o,
      .wr_data_o,
      .done_o,
      .done_slot_o
  );

  // --- Operations in flight: streaming, waiting to drain, draining --------------------------------------
  logic [2:0] in_flight_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) in_flight_q <= '0;
    else if (kill_i) in_flight_q <= '0;
    else in_flight_q <= in_flight_q + 3'(accept) - 3'(done_o);
  end

  assign busy_o = in_flight_q != '0;

  logic unused_live;
  assign unused_live = ^right_live;  // columns are masked when they are written

endmodule
