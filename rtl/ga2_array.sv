// SPDX-License-Identifier: Apache-2.0
// The ROWS x COLS array, output stationary: left operands enter at the left edge, right operands at the top.
//
// Element k of a tile meets in row r and column j one cycle after it met in row r-1, and one after column j-1. The edge
// bytes come skewed from the feeders; the tags of row 0 are skewed here, one register a row.
module ga2_array #(
    parameter int ROWS = 4,
    parameter int COLS = 4
) (
    input  logic               clk_i,
    input  logic               en_i,        // otherwise all rests
    // tags of row 0's element
    input  logic               valid_i,
    input  logic               first_i,
    input  logic               last_i,
    input  logic               unsigned_i,  // left bytes are uint8
    // edges
    input  logic [8*ROWS-1:0]  left_i,
    input  logic [ROWS-1:0]    live_i,      // rows of the tile: the others rest
    input  logic [8*COLS-1:0]  right_i,
    // sums of the finished tile
    input  logic [7:0]         row_i,
    output logic [32*COLS-1:0] sums_o
);

  localparam int RowBits = (ROWS > 1) ? $clog2(ROWS) : 1;

  // What enters row r, and {left, valid, first, last} entering its column j at [r*(COLS+1) + j].
  wire [3:0]  edge_tag[ROWS];
  wire [11:0] across[ROWS*(COLS+1)];
  // The right operand that enters row r of column j, at [r*COLS + j].
  wire [7:0]  down[(ROWS+1)*COLS];

  for (genvar r = 0; r < ROWS; r++) begin : gen_row
    wire uleft, valid, first, last;

    if (r == 0) begin : gen_top
      assign edge_tag[0] = {unsigned_i, valid_i, first_i, last_i};
    end else begin : gen_below
      logic [3:0] tag_q;
      always_ff @(posedge clk_i) if (en_i) tag_q <= edge_tag[r-1];
      assign edge_tag[r] = tag_q;
    end

    assign {uleft, valid, first, last} = edge_tag[r];
    assign across[r*(COLS+1)] = {
      left_i[8*r+7] && !uleft, left_i[8*r+:8], valid && live_i[r], first, last
    };
  end

  for (genvar j = 0; j < COLS; j++) begin : gen_col
    wire [31:0] sum[ROWS];

    assign down[j] = right_i[8*j+:8];
    assign sums_o[32*j+:32] = sum[RowBits'(row_i)];

    for (genvar r = 0; r < ROWS; r++) begin : gen_pe
      ga2_pe u_pe (
          .clk_i,
          .en_i,
          .across_i(across[r*(COLS+1)+j]),
          .across_o(across[r*(COLS+1)+j+1]),
          .right_i (down[r*COLS+j]),
          .right_o (down[(r+1)*COLS+j]),
          .sum_o   (sum[r])
      );
    end
  end

  logic unused_bits;
  assign unused_bits = ^row_i;

endmodule
