// SPDX-License-Identifier: Apache-2.0
// What the parts of the matrix unit hand to each other.

package ga2_mm_pkg;

  // One tile, ROWS x COLS or what is left of the matrix: all that its drain needs to know.
  typedef struct packed {
    logic [2:0]  slot;
    logic        final_tile;    // the last one of its operation
    logic        residual;
    logic        rowmul;
    logic        double_round;
    logic        uniform;
    logic [15:0] cidx;          // constant of the tile's first column
    logic [7:0]  zp;
    logic [7:0]  lo;
    logic [7:0]  hi;
    logic [7:0]  rows;          // 1 .. ROWS
    logic [7:0]  cols;          // 1 .. COLS
    logic [15:0] out;           // word of the tile's first row
    logic [15:0] out_pitch;
    logic [15:0] aux;
    logic [15:0] aux_pitch;
  } tile_t;

  // LANES columns of one row on their way through the drain.
  typedef struct packed {
    logic        valid;
    logic        final_row;     // the last row of its operation
    logic [2:0]  slot;
    logic        residual;
    logic        rowmul;
    logic        double_round;
    logic [7:0]  row;
    logic [7:0]  group;         // columns group*LANES and on
    logic [7:0]  cols;
    logic [15:0] out;           // word of the row
    logic [7:0]  zp;
    logic [7:0]  lo;
    logic [7:0]  hi;
  } group_t;

endpackage
