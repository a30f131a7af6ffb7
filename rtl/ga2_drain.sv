// SPDX-License-Identifier: Apache-2.0
// Drains finished tiles: each row's sums through the requantising lanes into the scratchpad, LANES columns a cycle.
//
// With T the first cycle after a tile, C = COLS/LANES groups a row, group g of row i (x = C*i + g, only rows of the
// tile) passes these stages. Sums are ready for exactly these cycles because row i, column j's is there from T+i+j+2
// on, and until the next tile's, at least max(COLS + (ROWS-1)*(C-1), ROWS*C) cycles later.
//
//   T-2                the tile is announced
//   T-1 + j            column j's constant is read (it is there two cycles later)
//   T+COLS-C+x    Aim  the row's aux word is read (g = 0)
//          +1     Got  the aux word arrives; the group's constants are taken (i = 0)
//          +2     Add  sum + bias + aux*rfac      \
//          +3     Mul  products                    | ga2_requant
//          +4     Sft  sum of products, shift      |
//          +5     Out  round, clamp, write (g = C-1) /
//
// A row is therefore written in cycle T + i*C + COLS + 4; see ga2_mm for the closed form.
// The next tile is announced after COLS cycles or more, and aims after this one has aimed at all its rows.
module ga2_drain
  import ga2_ops_pkg::*;
  import ga2_mm_pkg::*;
#(
    parameter int COLS  = 4,
    parameter int LANES = 4
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               kill_i,
    // the tile that ends in the next cycle
    input  logic               tile_valid_i,
    input  tile_t              tile_i,
    // constants
    output logic               const_en_o,
    output logic [15:0]        const_addr_o,
    input  const_t             const_data_i,
    // residual or row multipliers
    output logic               aux_en_o,
    output logic [15:0]        aux_addr_o,
    input  logic [8*COLS-1:0]  aux_data_i,
    // sums
    output logic [7:0]         row_o,
    input  logic [32*COLS-1:0] sums_i,
    // results
    output logic               wr_en_o,
    output logic [15:0]        wr_addr_o,
    output logic [8*COLS-1:0]  wr_data_o,
    output logic               done_o,
    output logic [2:0]         done_slot_o
);

  localparam int Groups = COLS / LANES;
  localparam int Bits = $bits(const_t);

  // --- The announced tile: its constants, until the drain turns to it ---------------------------
  logic preparing_q, turn;
  tile_t next_q;
  logic [7:0] col_q;
  logic const_wr_q;
  logic [7:0] const_col_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) preparing_q <= 1'b0;
    else if (kill_i) preparing_q <= 1'b0;
    else if (tile_valid_i) preparing_q <= 1'b1;
    else if (col_q == 8'(COLS - 1)) preparing_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (tile_valid_i) next_q <= tile_i;
    col_q <= tile_valid_i ? '0 : col_q + 8'd1;
    const_wr_q <= const_en_o;
    const_col_q <= col_q;
  end

  assign const_en_o = preparing_q && col_q < next_q.cols;
  assign const_addr_o = next_q.cidx + (next_q.uniform ? 16'd0 : 16'(col_q));
  assign turn = preparing_q && col_q == 8'(COLS - Groups);

  // --- Aim: the tile being drained ------------------------------------------------------------------
  logic draining_q, group_end, row_end;
  tile_t tile_q;
  logic [7:0] row_q, group_q;
  logic [15:0] out_q, aux_q;

  assign group_end = group_q == 8'(Groups - 1);
  assign row_end = row_q == tile_q.rows - 8'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) draining_q <= 1'b0;
    else if (kill_i) draining_q <= 1'b0;
    else if (turn) draining_q <= 1'b1;
    else if (group_end && row_end) draining_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    group_q <= (Groups == 1 || turn || group_end) ? '0 : group_q + 8'd1;
    if (turn) begin
      tile_q <= next_q;
      row_q <= '0;
      out_q <= next_q.out;
      aux_q <= next_q.aux;
    end else if (group_end) begin
      row_q <= row_q + 8'd1;
      out_q <= out_q + tile_q.out_pitch;
      aux_q <= aux_q + tile_q.aux_pitch;
    end
  end

  assign aux_en_o = draining_q && group_q == '0 && (tile_q.residual || tile_q.rowmul);
  assign aux_addr_o = aux_q;

  // --- The stages' bookkeeping ----------------------------------------------------------------------
  logic moving;  // something is in the stages
  group_t aim, got_q, add_q, mul_q, sft_q, out_group_q;

  assign aim = {
      draining_q,                    // valid
      tile_q.final_tile && row_end,  // final_row
      tile_q.slot,                   // slot
      tile_q.residual,               // residual
      tile_q.rowmul,                 // rowmul
      tile_q.double_round,           // double_round
      row_q,                         // row
      group_q,                       // group
      tile_q.cols,                   // cols
      out_q,                         // out
      tile_q.zp,                     // zp
      tile_q.lo,                     // lo
      tile_q.hi                      // hi
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      got_q <= '0;
      add_q <= '0;
      mul_q <= '0;
      sft_q <= '0;
      out_group_q <= '0;
    end else if (kill_i) begin
      got_q <= '0;
      add_q <= '0;
      mul_q <= '0;
      sft_q <= '0;
      out_group_q <= '0;
    end else if (moving) begin
      got_q <= aim;
      add_q <= got_q;
      mul_q <= add_q;
      sft_q <= mul_q;
      out_group_q <= sft_q;
    end
  end

  assign moving = draining_q || got_q.valid || add_q.valid || mul_q.valid || sft_q.valid || out_group_q.valid;

  // --- Got: operands of the group -------------------------------------------------------------------
  logic [8*COLS-1:0] aux_word_q;
  logic [LANES*Bits-1:0] lane_consts;

  always_ff @(posedge clk_i) if (got_q.group == '0) aux_word_q <= aux_data_i;

  ga2_constants #(
      .COLS (COLS),
      .LANES(LANES)
  ) u_constants (
      .clk_i,
      .wr_i        (const_wr_q),
      .col_i       (const_col_q),
      .data_i      (const_data_i),
      .take_i      (got_q.valid && got_q.row == '0),
      .take_group_i(got_q.group),
      .group_i     (add_q.group),
      .lanes_o     (lane_consts)
  );

  // --- Add to Out: the lanes ------------------------------------------------------------------------
  logic [32*LANES-1:0] lane_sums;
  logic [8*LANES-1:0] lane_aux;
  logic [8*LANES-1:0] lane_bytes;

  assign row_o = add_q.row;
  assign lane_sums = (32 * LANES)'(sums_i >> (add_q.group * 32 * LANES));
  assign lane_aux = (8 * LANES)'(aux_word_q >> (add_q.group * 8 * LANES));

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    const_t lane_const;
    assign lane_const = lane_consts[Bits*l+:Bits];

    ga2_requant u_requant (
        .clk_i,
        .en_i     (moving),
        .sum_i    (lane_sums[32*l+:32]),
        .bias_i   (lane_const.bias),
        .use_aux_i(add_q.residual),
        .aux_i    (lane_aux[8*l+:8]),
        .rfac_i   (lane_const.rfac),
        .mult_i   (add_q.rowmul ? aux_word_q[30:0] : lane_const.mult),
        .shift_i  (lane_const.shift),
        .double_i (add_q.double_round),
        .zp_i     (out_group_q.zp),
        .lo_i     (out_group_q.lo),
        .hi_i     (out_group_q.hi),
        .byte_o   (lane_bytes[8*l+:8])
    );
  end

  // --- Out: the row's word, its last group straight from the lanes ------------------------------
  logic [8*COLS-1:0] word_d, word_q;

  for (genvar j = 0; j < COLS; j++) begin : gen_byte
    logic here;
    assign here = out_group_q.group == 8'(j / LANES);
    assign word_d[8*j+:8] = !here ? word_q[8*j+:8]
        : (8'(j) < out_group_q.cols) ? lane_bytes[8*(j%LANES)+:8] : '0;
  end

  always_ff @(posedge clk_i) if (moving) word_q <= word_d;

  assign wr_en_o = out_group_q.valid && out_group_q.group == 8'(Groups - 1);
  assign wr_addr_o = out_group_q.out;
  assign wr_data_o = word_d;
  assign done_o = wr_en_o && out_group_q.final_row;
  assign done_slot_o = out_group_q.slot;

  logic unused_bits;
  assign unused_bits = ^{tile_q, out_group_q};  // what the first stage, or the stages before the last, used

endmodule
