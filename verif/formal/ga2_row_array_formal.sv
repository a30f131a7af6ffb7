// SPDX-License-Identifier: Apache-2.0
// Left feeder and array: the sum of a row depends on that row's left operand and on the right operand, on nothing else.
// Two copies run in step. What is row ROW in one copy is row 0 in the other, which is told everything ROW cycles later,
// as the skew tells row ROW. Words of the row may be marked: they are then the same in both copies. All other words,
// all other rows and what the registers hold at first are free in each copy. ga2_row_marks says of a left byte, an
// accumulator and a sum, from marks and tags alone, that nothing but marked bytes and the right operand has gone into it.

module ga2_row_array_formal #(
  parameter int ROWS = 2,
  parameter int COLS = 4,
  parameter int ROW  = 1
) (
  input logic                   clk_i,
  input logic                   en_i,
  input logic [3:0]             tag_i,      // {unsigned, valid, first, last} of row 0's element
  input logic [8*COLS-1:0]      right_i,
  input logic [7:0]             slot_i,
  input logic                   line_i,
  input logic                   mark_i,     // the word, if it is the row's, is the same in both copies
  input logic [8*COLS-1:0]      word_i,     // block
  input logic [8*COLS-1:0]      alone_word_i
);

  logic                   rst_n, ours;
  logic [3:0]             alone_tag;
  logic [8*COLS-1:0]      alone_right, alone_word;
  logic [1:0][8*ROWS-1:0] left;
  logic [1:0][ROWS-1:0]   live;
  logic [1:0][32*COLS-1:0] sums;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  // What the copy with the row alone is told: tags and right bytes ROW cycles later, and the row's turn is row 0's.
  if (ROW == 0) begin : gen_now
    assign alone_tag = tag_i;
    assign alone_right = right_i;
  end else begin : gen_later
    logic [ROW-1:0][3:0]        tag_q;
    logic [ROW-1:0][8*COLS-1:0] right_q;
    always_ff @(posedge clk_i) begin
      if (en_i) begin
        tag_q <= (4*ROW)'({tag_q, tag_i});
        right_q <= (8*COLS*ROW)'({right_q, right_i});
      end
    end
    assign alone_tag = tag_q[ROW-1];
    assign alone_right = right_q[ROW-1];
  end
  assign ours = slot_i == 8'(ROW);
  assign alone_word = ours && mark_i ? word_i : alone_word_i;

  for (genvar c = 0; c < 2; c++) begin : gen_copy
    localparam bit Alone = c == 1;

    ga2_feeder #(.LINES(ROWS), .COLS(COLS)) u_left (
      .clk_i, .en_i, .word_i(Alone ? alone_word : word_i), .slot_i(Alone ? slot_i - 8'(ROW) : slot_i), .line_i,
      .spread_i(1'b0), .bytes_o(left[c]), .live_o(live[c])
    );
    ga2_array #(.ROWS(ROWS), .COLS(COLS)) u_array (
      .clk_i, .en_i, .valid_i(Alone ? alone_tag[2] : tag_i[2]), .first_i(Alone ? alone_tag[1] : tag_i[1]),
      .last_i(Alone ? alone_tag[0] : tag_i[0]), .unsigned_i(Alone ? alone_tag[3] : tag_i[3]),
      .left_i(left[c]), .live_i(live[c]), .right_i(Alone ? alone_right : right_i),
      .row_i(Alone ? 8'd0 : 8'(ROW)), .sums_o(sums[c])
    );
  end

  // What is the row's own, and so the same -------------------------------------------------------------------------

  logic                 live_own;
  logic [COLS-1:0]      line_own, known, left_own, told_own, acc_own, sum_own;
  logic [COLS-1:0][2:0] tag_own;

  ga2_row_marks #(.COLS(COLS), .ROW(ROW)) u_marks (
    .clk_i, .rst_ni(rst_n), .en_i, .turn_i(ours), .line_i, .mark_i,
    .tag_i({alone_tag[2] && live[1][0], alone_tag[1:0]}),
    .live_o(live_own), .line_o(line_own), .known_o(known), .left_o(left_own), .told_o(told_own), .tag_o(tag_own),
    .acc_o(acc_own), .sum_o(sum_own)
  );

  for (genvar j = 0; j < COLS; j++) begin : gen_column
    always_comb begin
      if (rst_n) begin
        same_sum: assert (!sum_own[j] || sums[0][32*j+:32] == sums[1][32*j+:32]);

        inv_acc: assert (!acc_own[j] || gen_copy[0].u_array.gen_col[j].gen_pe[ROW].u_pe.acc_q
                                     == gen_copy[1].u_array.gen_col[j].gen_pe[0].u_pe.acc_q);
        inv_known: assert (!left_own[j] && !told_own[j] || known[ROW]);
        inv_left: assert (!left_own[j] || gen_copy[0].u_array.gen_col[j].gen_pe[ROW].u_pe.across_o[11:3]
                                       == gen_copy[1].u_array.gen_col[j].gen_pe[0].u_pe.across_o[11:3]);
        inv_told: assert (!told_own[j] || (gen_copy[0].u_array.gen_col[j].gen_pe[ROW].u_pe.across_o[2:0] == tag_own[j]
                                        && gen_copy[1].u_array.gen_col[j].gen_pe[0].u_pe.across_o[2:0] == tag_own[j]));
      end
    end
  end

  for (genvar b = 0; b < COLS; b++) begin : gen_byte
    always_comb begin
      if (rst_n) begin
        inv_line: assert (!line_own[b] || gen_copy[0].u_left.gen_line[ROW].line_q[8*b+:8]
                                          == gen_copy[1].u_left.gen_line[0].line_q[8*b+:8]);
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      inv_live: assert (!live_own || live[0][ROW] == live[1][0]);
      inv_ones: assert ((known & (known + 1'b1)) == '0 && known[0]);
    end
  end

  if (ROW > 0) begin : gen_skew
    for (genvar r = 0; r < ROW; r++) begin : gen_row
      for (genvar j = 0; j < COLS; j++) begin : gen_right
        always_comb begin
          if (rst_n && known[r+1]) begin
            inv_right: assert (gen_copy[0].u_array.gen_col[j].gen_pe[r].u_pe.right_o == gen_later.right_q[r][8*j+:8]);
          end
        end
      end
      always_comb begin
        if (rst_n && known[r+1]) begin
          inv_tag: assert (gen_copy[0].u_array.gen_row[r+1].gen_below.tag_q == gen_later.tag_q[r]);
        end
      end
    end
  end

  logic [31:0] other_sum;
  logic        differed_q;  // what the accumulator held before the row's first element differed
  assign other_sum = gen_copy[0].u_array.gen_col[COLS-1].gen_pe[ROWS-1-ROW].u_pe.sum_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) differed_q <= 1'b0;
    else if (en_i && live_own && line_own[0] && known[ROW] && live[1][0] && alone_tag[2:1] == 2'b11)
      differed_q <= gen_copy[0].u_array.gen_col[0].gen_pe[ROW].u_pe.acc_q
          != gen_copy[1].u_array.gen_col[0].gen_pe[0].u_pe.acc_q;
  end

  always_comb begin
    if (rst_n) begin
      reach_sums: cover (sum_own == '1 && sums[0] != '0);
      reach_other_row: cover (sum_own[COLS-1] && other_sum != sums[0][32*COLS-1-:32] && other_sum != '0);
      reach_old_differs: cover (sum_own[0] && differed_q);
    end
  end

endmodule
