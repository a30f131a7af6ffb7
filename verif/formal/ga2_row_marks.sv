// SPDX-License-Identifier: Apache-2.0
// What in row ROW of the array is the row's own, told from marks and tags alone: of each line byte, accumulator and sum,
// whether nothing but marked bytes of the row and the right operand has gone into it since reset.

module ga2_row_marks #(
  parameter int COLS = 4,
  parameter int ROW  = 1                  // below COLS
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 en_i,
  // the feeder's word
  input  logic                 turn_i,    // the row's
  input  logic                 line_i,
  input  logic                 mark_i,    // the word is the row's own
  // the element that enters the row: {valid in a row of the tile, first, last}
  input  logic [2:0]           tag_i,
  output logic                 live_o,    // the row's liveness is told
  output logic [COLS-1:0]      line_o,    // bytes left in the row's line
  output logic [COLS-1:0]      known_o,   // right bytes have come to row r
  output logic [COLS-1:0]      left_o,    // the left byte that leaves column j
  output logic [COLS-1:0]      told_o,    // its tag is what this module was told: tag_o
  output logic [COLS-1:0][2:0] tag_o,
  output logic [COLS-1:0]      acc_o,
  output logic [COLS-1:0]      sum_o
);

  logic [COLS:0]      left, told;  // entering column j
  logic [COLS:0][2:0] tag;

  assign left = {left_o, line_o[0] && known_o[ROW]};
  assign told = {told_o, live_o && known_o[ROW]};
  assign tag = {tag_o, tag_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_o <= '0;
      live_o <= 1'b0;
      known_o <= COLS'(1);
    end else if (en_i) begin
      line_o <= line_o >> 1;
      if (turn_i) begin
        live_o <= 1'b1;
        if (line_i) line_o <= {COLS{mark_i}};
      end
      known_o <= {known_o[COLS-2:0], 1'b1};
    end
  end

  for (genvar j = 0; j < COLS; j++) begin : gen_column
    logic valid, first, last, own;

    assign {valid, first, last} = tag[j];
    assign own = (first || acc_o[j]) && left[j];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        left_o[j] <= 1'b0;
        told_o[j] <= 1'b0;
        acc_o[j] <= 1'b0;
        sum_o[j] <= 1'b0;
      end else if (en_i) begin
        left_o[j] <= left[j];
        told_o[j] <= told[j];
        if (!told[j]) begin
          acc_o[j] <= 1'b0;
          sum_o[j] <= 1'b0;
        end else begin
          if (valid) acc_o[j] <= own;
          if (last) sum_o[j] <= valid ? own : acc_o[j];
        end
      end
    end
    always_ff @(posedge clk_i) if (en_i) tag_o[j] <= tag[j];
  end

endmodule
