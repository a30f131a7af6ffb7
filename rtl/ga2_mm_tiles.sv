// SPDX-License-Identifier: Apache-2.0
// Walks the tiles of an operation: column tile outer, row tile inner, so that a weight panel is used once and whole.
// What is left of m and n, and where each operand's part of the tile starts.
module ga2_mm_tiles
  import ga2_ops_pkg::*;
  import ga2_mm_pkg::*;
#(
    parameter int ROWS = 4,
    parameter int COLS = 4
) (
    input  logic        clk_i,
    input  logic        load_i,         // the next cycle begins op_i's first tile
    input  mm_op_t      op_i,
    input  logic        next_i,         // the next cycle begins the next tile
    input  mm_op_t      op_q_i,         // the operation being walked
    output tile_t       tile_o,
    output logic [15:0] left_start_o,   // of the tile that begins in the next cycle (load_i or next_i)
    output logic [15:0] right_start_o
);

  localparam int RowBits = $clog2(ROWS);
  localparam int ColBits = $clog2(COLS);
  localparam logic [1:0] ModeRows = 2'd1;
  localparam logic [1:0] ModeTransposed = 2'd2;

  logic [11:0] rows_left_q, cols_left_q;
  logic [7:0] rows_q, cols_q;  // of this tile
  logic [15:0] left_q, right_q, out_q, aux_q, cidx_q;
  logic [15:0] out_top_q, aux_top_q;  // of the column tile's first row tile

  logic last_row_tile_q, last_col_tile_q;  // registers: the walks ask for them early in the cycle
  logic [15:0] left_d, right_d, right_step, aux_top_d;

  always_comb begin
    unique case (op_q_i.right_mode)
      ModeRows: right_step = 16'd1;
      ModeTransposed: right_step = op_q_i.right_pitch << ColBits;
      default: right_step = 16'(op_q_i.k);
    endcase
  end

  always_comb begin
    left_d = left_q;
    right_d = right_q;
    if (load_i) begin
      left_d = op_i.left;
      right_d = op_i.right;
    end else if (next_i) begin
      left_d = last_row_tile_q ? op_q_i.left : left_q + (op_q_i.left_pitch << RowBits);
      if (last_row_tile_q) right_d = right_q + right_step;
    end
  end

  assign aux_top_d = aux_top_q + (op_q_i.residual ? 16'd1 : 16'd0);  // row multipliers serve every column

  always_ff @(posedge clk_i) begin
    left_q <= left_d;
    right_q <= right_d;
    if (load_i) begin
      rows_left_q <= op_i.m;
      cols_left_q <= op_i.n;
      last_row_tile_q <= op_i.m <= 12'(ROWS);
      last_col_tile_q <= op_i.n <= 12'(COLS);
      rows_q <= op_i.m <= 12'(ROWS) ? 8'(op_i.m) : 8'(ROWS);
      cols_q <= op_i.n <= 12'(COLS) ? 8'(op_i.n) : 8'(COLS);
      cidx_q <= op_i.cidx;
      out_q <= op_i.out;
      out_top_q <= op_i.out;
      aux_q <= op_i.aux;
      aux_top_q <= op_i.aux;
    end else if (next_i && !last_row_tile_q) begin
      rows_left_q <= rows_left_q - 12'(ROWS);
      last_row_tile_q <= rows_left_q <= 12'(2 * ROWS);
      rows_q <= rows_left_q <= 12'(2 * ROWS) ? 8'(rows_left_q - 12'(ROWS)) : 8'(ROWS);
      out_q <= out_q + (op_q_i.out_pitch << RowBits);
      aux_q <= aux_q + (op_q_i.aux_pitch << RowBits);
    end else if (next_i) begin
      rows_left_q <= op_q_i.m;
      cols_left_q <= cols_left_q - 12'(COLS);
      last_row_tile_q <= op_q_i.m <= 12'(ROWS);
      last_col_tile_q <= cols_left_q <= 12'(2 * COLS);
      rows_q <= op_q_i.m <= 12'(ROWS) ? 8'(op_q_i.m) : 8'(ROWS);
      cols_q <= cols_left_q <= 12'(2 * COLS) ? 8'(cols_left_q - 12'(COLS)) : 8'(COLS);
      if (!op_q_i.uniform) cidx_q <= cidx_q + 16'(COLS);
      out_q <= out_top_q + 16'd1;
      out_top_q <= out_top_q + 16'd1;
      aux_q <= aux_top_d;
      aux_top_q <= aux_top_d;
    end
  end

  assign left_start_o = left_d;
  assign right_start_o = right_d;

  assign tile_o = {
      op_q_i.slot,                                 // slot
      last_row_tile_q && last_col_tile_q,          // final_tile
      op_q_i.residual,                             // residual
      op_q_i.rowmul,                               // rowmul
      op_q_i.double_round,                         // double_round
      op_q_i.uniform,                              // uniform
      cidx_q,                                      // cidx
      op_q_i.zp,                                   // zp
      op_q_i.lo,                                   // lo
      op_q_i.hi,                                   // hi
      rows_q,                                      // rows
      cols_q,                                      // cols
      out_q,                                       // out
      op_q_i.out_pitch,                            // out_pitch
      aux_q,                                       // aux
      op_q_i.aux_pitch                             // aux_pitch
  };

  logic unused_bits;
  assign unused_bits = ^{op_i, op_q_i};

endmodule
