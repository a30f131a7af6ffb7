// SPDX-License-Identifier: Apache-2.0
// Left feeder, array and drain: the bytes of a row depend on that row's own left operand and aux word, on the right
// operand, the tile and its constants, on nothing else.
//
// Two copies are told the same at any time: tags, right bytes, tiles and kills. Marked words of row ROW, marked
// constants, and the aux word that the row gets, are the same in both. All other words and constants, every other row's
// aux word, and what registers hold at first are free in each copy. Where marks say of every column of a word that its
// sum (ga2_row_marks) and its constant were marked alone, both copies write the same word.

module ga2_row_matrix_formal
  import ga2_ops_pkg::*;
  import ga2_mm_pkg::*;
#(
  parameter int ROWS  = 2,
  parameter int COLS  = 4,
  parameter int LANES = 2,
  parameter int ROW   = 1
) (
  input logic                    clk_i,
  input logic                    kill_i,
  // feeder and array
  input logic                    en_i,
  input logic [3:0]              tag_i,      // {unsigned, valid, first, last} of row 0's element
  input logic [8*COLS-1:0]       right_i,
  input logic [7:0]              slot_i,
  input logic                    line_i,
  input logic                    mark_i,     // the word, if it is the row's, is the same in both copies
  input logic [1:0][8*COLS-1:0]  word_i,
  // drain
  input logic                    tile_valid_i,
  input tile_t                   tile_i,
  input const_t [1:0]            const_data_i,
  input logic                    const_mark_i,  // the constant is the same in both copies
  input logic [1:0][8*COLS-1:0]  aux_i
);

  localparam int Groups = COLS / LANES;
  localparam int Aim = 0, Got = 1, Add = 2, Mul = 3, Sft = 4, Out = 5;  // stages of the drain

  logic                    rst_n, ours;
  logic [1:0]              const_en, aux_en, wr_en, done;
  logic [1:0][15:0]        const_addr, aux_addr, wr_addr;
  logic [1:0][7:0]         row;
  logic [1:0][8*ROWS-1:0]  left;
  logic [1:0][ROWS-1:0]    live;
  logic [1:0][32*COLS-1:0] sums;
  logic [1:0][8*COLS-1:0]  wr_data;
  logic [1:0][2:0]         done_slot;

  // Of the first copy's stages.
  logic [5:0]      valid, is_row;
  logic [5:0][7:0] at_row, at_group;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  assign ours = slot_i == 8'(ROW);

  for (genvar c = 0; c < 2; c++) begin : gen_copy
    ga2_feeder #(.LINES(ROWS), .COLS(COLS)) u_left (
      .clk_i, .en_i, .word_i(ours && mark_i ? word_i[0] : word_i[c]), .slot_i, .line_i, .spread_i(1'b0),
      .bytes_o(left[c]), .live_o(live[c])
    );
    ga2_array #(.ROWS(ROWS), .COLS(COLS)) u_array (
      .clk_i, .en_i, .valid_i(tag_i[2]), .first_i(tag_i[1]), .last_i(tag_i[0]), .unsigned_i(tag_i[3]),
      .left_i(left[c]), .live_i(live[c]), .right_i, .row_i(row[c]), .sums_o(sums[c])
    );
    ga2_drain #(.COLS(COLS), .LANES(LANES)) u_drain (
      .clk_i, .rst_ni(rst_n), .kill_i, .tile_valid_i, .tile_i,
      .const_en_o(const_en[c]), .const_addr_o(const_addr[c]), .const_data_i(const_data_i[const_mark_i ? 0 : c]),
      .aux_en_o(aux_en[c]), .aux_addr_o(aux_addr[c]), .aux_data_i(is_row[Got] ? aux_i[0] : aux_i[c]),
      .row_o(row[c]), .sums_i(sums[c]),
      .wr_en_o(wr_en[c]), .wr_addr_o(wr_addr[c]), .wr_data_o(wr_data[c]),
      .done_o(done[c]), .done_slot_o(done_slot[c])
    );
  end

  // --- The tag on its way to the row -------------------------------------------------------------------------------
  logic [ROW:0][3:0] tag;
  assign tag[0] = tag_i;
  for (genvar r = 0; r < ROW; r++) begin : gen_row
    logic [3:0] tag_q;
    always_ff @(posedge clk_i) if (en_i) tag_q <= tag[r];
    assign tag[r+1] = tag_q;
  end

  // --- What is the row's own, up to the word -----------------------------------------------------------------------
  logic                 live_own;
  logic [COLS-1:0]      line_own, known, left_own, told_own, acc_own, sum_own;
  logic [COLS-1:0][2:0] tag_own;
  logic [COLS-1:0]      arriving_own_q, serving_own_q;  // constants
  logic [Out:Mul][LANES-1:0] own_q;                     // sums and constants of the group in this stage
  logic [COLS-1:0]      word_own_q, word_own;           // columns of the word; those beyond the tile are zero
  logic                 moving, const_wr_q;
  logic [7:0]           const_col_q;

  ga2_row_marks #(.COLS(COLS), .ROW(ROW)) u_marks (
    .clk_i, .rst_ni(rst_n), .en_i, .turn_i(ours), .line_i, .mark_i,
    .tag_i({tag[ROW][2] && live[0][ROW], tag[ROW][1:0]}),
    .live_o(live_own), .line_o(line_own), .known_o(known), .left_o(left_own), .told_o(told_own), .tag_o(tag_own),
    .acc_o(acc_own), .sum_o(sum_own)
  );

  assign moving = |valid;
  always_ff @(posedge clk_i) begin
    if (moving) begin
      own_q <= {own_q[Sft], own_q[Mul], LANES'((sum_own & serving_own_q) >> (at_group[Add] * 8'(LANES)))};
      word_own_q <= word_own;
    end
  end
  for (genvar j = 0; j < COLS; j++) begin : gen_word
    assign word_own[j] = at_group[Out] != 8'(j / LANES) ? word_own_q[j]
        : own_q[Out][j%LANES] || 8'(j) >= gen_copy[0].u_drain.out_group_q.cols;
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      const_wr_q <= 1'b0;
      arriving_own_q <= '0;
      serving_own_q <= '0;
    end else begin
      const_wr_q <= const_en[0];
      for (int j = 0; j < COLS; j++) begin
        if (const_wr_q && const_col_q == 8'(j)) arriving_own_q[j] <= const_mark_i;
        if (valid[Got] && at_row[Got] == '0 && at_group[Got] == 8'(j / LANES)) serving_own_q[j] <= arriving_own_q[j];
      end
    end
  end
  always_ff @(posedge clk_i) const_col_q <= gen_copy[0].u_drain.col_q;

  // --- Stages ------------------------------------------------------------------------------------------------------
  assign valid = {
    gen_copy[0].u_drain.out_group_q.valid, gen_copy[0].u_drain.sft_q.valid, gen_copy[0].u_drain.mul_q.valid,
    gen_copy[0].u_drain.add_q.valid, gen_copy[0].u_drain.got_q.valid, gen_copy[0].u_drain.draining_q
  };
  assign at_row = {
    gen_copy[0].u_drain.out_group_q.row, gen_copy[0].u_drain.sft_q.row, gen_copy[0].u_drain.mul_q.row,
    gen_copy[0].u_drain.add_q.row, gen_copy[0].u_drain.got_q.row, gen_copy[0].u_drain.row_q
  };
  assign at_group = {
    gen_copy[0].u_drain.out_group_q.group, gen_copy[0].u_drain.sft_q.group, gen_copy[0].u_drain.mul_q.group,
    gen_copy[0].u_drain.add_q.group, gen_copy[0].u_drain.got_q.group, gen_copy[0].u_drain.group_q
  };
  for (genvar s = Aim; s <= Out; s++) begin : gen_stage
    assign is_row[s] = valid[s] && at_row[s] == 8'(ROW);
    always_comb begin
      if (rst_n && valid[s]) begin
        inv_range: assert (at_group[s] < 8'(Groups));
      end
    end
  end
  for (genvar s = Aim; s < Out; s++) begin : gen_follow
    always_comb begin
      if (rst_n && valid[s]) begin
        // A row's groups follow each other without a gap.
        inv_follow: assert (at_group[s] == '0 || (valid[s+1] && at_row[s+1] == at_row[s]
                                                  && at_group[s+1] == at_group[s] - 8'd1));
      end
    end
  end

  // --- Properties --------------------------------------------------------------------------------------------------
  logic other_aux_q;
  always_ff @(posedge clk_i) other_aux_q <= gen_copy[0].u_drain.aux_word_q != gen_copy[1].u_drain.aux_word_q;

  always_comb begin
    if (rst_n) begin
      same_time: assert (wr_en[0] == wr_en[1] && done[0] == done[1] && aux_en[0] == aux_en[1]
                         && const_en[0] == const_en[1]);
      same_place: assert ((!wr_en[0] || wr_addr[0] == wr_addr[1]) && (!aux_en[0] || aux_addr[0] == aux_addr[1])
                          && (!const_en[0] || const_addr[0] == const_addr[1])
                          && (!done[0] || done_slot[0] == done_slot[1]) && (!valid[Add] || row == {2{at_row[Add]}}));
      same_word: assert (!wr_en[0] || !is_row[Out] || word_own != '1 || wr_data[0] == wr_data[1]);

      reach_word: cover (wr_en[0] && is_row[Out] && word_own == '1 && own_q[Out] == '1);
      reach_other_row: cover (valid[Add] && !is_row[Add] && other_aux_q);
      reach_two_tiles: cover (done[0] && gen_copy[0].u_drain.preparing_q);
    end
  end

  // --- Invariants of the edge and the array ------------------------------------------------------------------------
  for (genvar r = 0; r < ROW; r++) begin : gen_above
    for (genvar j = 0; j < COLS; j++) begin : gen_right
      always_comb begin
        if (rst_n && known[r+1]) begin
          inv_right: assert (gen_copy[0].u_array.gen_col[j].gen_pe[r].u_pe.right_o
                             == gen_copy[1].u_array.gen_col[j].gen_pe[r].u_pe.right_o);
        end
      end
    end
    always_comb begin
      if (rst_n && known[r+1]) begin
        inv_tag: assert (gen_copy[0].u_array.gen_row[r+1].gen_below.tag_q == tag[r+1]
                         && gen_copy[1].u_array.gen_row[r+1].gen_below.tag_q == tag[r+1]);
      end
    end
  end

  for (genvar j = 0; j < COLS; j++) begin : gen_column
    always_comb begin
      if (rst_n) begin
        inv_line: assert (!line_own[j] || gen_copy[0].u_left.gen_line[ROW].line_q[8*j+:8]
                                       == gen_copy[1].u_left.gen_line[ROW].line_q[8*j+:8]);
        inv_known: assert (!left_own[j] && !told_own[j] || known[ROW]);
        inv_left: assert (!left_own[j] || gen_copy[0].u_array.gen_col[j].gen_pe[ROW].u_pe.across_o[11:3]
                                       == gen_copy[1].u_array.gen_col[j].gen_pe[ROW].u_pe.across_o[11:3]);
        inv_told: assert (!told_own[j]
            || (gen_copy[0].u_array.gen_col[j].gen_pe[ROW].u_pe.across_o[2:0] == tag_own[j]
                && gen_copy[1].u_array.gen_col[j].gen_pe[ROW].u_pe.across_o[2:0] == tag_own[j]));
        inv_acc: assert (!acc_own[j] || gen_copy[0].u_array.gen_col[j].gen_pe[ROW].u_pe.acc_q
                                     == gen_copy[1].u_array.gen_col[j].gen_pe[ROW].u_pe.acc_q);
        inv_tile_sum: assert (!sum_own[j] || gen_copy[0].u_array.gen_col[j].gen_pe[ROW].u_pe.sum_q
                                          == gen_copy[1].u_array.gen_col[j].gen_pe[ROW].u_pe.sum_q);
        inv_arriving: assert (!arriving_own_q[j] || gen_copy[0].u_drain.u_constants.arriving_q[j]
                              == gen_copy[1].u_drain.u_constants.arriving_q[j]);
        inv_serving: assert (!serving_own_q[j] || gen_copy[0].u_drain.u_constants.serving_q[j]
                             == gen_copy[1].u_drain.u_constants.serving_q[j]);
        inv_word: assert (!is_row[Out] || 8'(j / LANES) >= at_group[Out] || !word_own_q[j]
                          || gen_copy[0].u_drain.word_q[8*j+:8] == gen_copy[1].u_drain.word_q[8*j+:8]);
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      inv_live: assert (!live_own || live[0][ROW] == live[1][ROW]);
      inv_ones: assert ((known & (known + 1'b1)) == '0 && known[0]);
    end
  end

  // --- Invariants of the drain -------------------------------------------------------------------------------------
  always_comb begin
    if (rst_n) begin
      inv_preparing: assert (gen_copy[0].u_drain.preparing_q == gen_copy[1].u_drain.preparing_q
          && (!gen_copy[0].u_drain.preparing_q || (gen_copy[0].u_drain.next_q == gen_copy[1].u_drain.next_q
                                                   && gen_copy[0].u_drain.col_q == gen_copy[1].u_drain.col_q)));
      inv_draining: assert (gen_copy[0].u_drain.draining_q == gen_copy[1].u_drain.draining_q
          && (!gen_copy[0].u_drain.draining_q
              || {gen_copy[0].u_drain.tile_q, gen_copy[0].u_drain.group_q, gen_copy[0].u_drain.row_q,
                  gen_copy[0].u_drain.out_q, gen_copy[0].u_drain.aux_q}
              == {gen_copy[1].u_drain.tile_q, gen_copy[1].u_drain.group_q, gen_copy[1].u_drain.row_q,
                  gen_copy[1].u_drain.out_q, gen_copy[1].u_drain.aux_q}));
      inv_valid: assert (valid[Out:Got] == {
          gen_copy[1].u_drain.out_group_q.valid, gen_copy[1].u_drain.sft_q.valid, gen_copy[1].u_drain.mul_q.valid,
          gen_copy[1].u_drain.add_q.valid, gen_copy[1].u_drain.got_q.valid});
      inv_got: assert (!valid[Got] || gen_copy[0].u_drain.got_q == gen_copy[1].u_drain.got_q);
      inv_add: assert (!valid[Add] || gen_copy[0].u_drain.add_q == gen_copy[1].u_drain.add_q);
      inv_mul: assert (!valid[Mul] || gen_copy[0].u_drain.mul_q == gen_copy[1].u_drain.mul_q);
      inv_sft: assert (!valid[Sft] || gen_copy[0].u_drain.sft_q == gen_copy[1].u_drain.sft_q);
      inv_out: assert (!valid[Out] || gen_copy[0].u_drain.out_group_q == gen_copy[1].u_drain.out_group_q);
      inv_aux: assert (!is_row[Add] || gen_copy[0].u_drain.aux_word_q == gen_copy[1].u_drain.aux_word_q);
      inv_const: assert ({gen_copy[0].u_drain.const_wr_q, gen_copy[1].u_drain.const_wr_q} == {2{const_wr_q}}
          && (!const_wr_q || (gen_copy[0].u_drain.const_col_q == const_col_q
                              && gen_copy[1].u_drain.const_col_q == const_col_q)));
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    always_comb begin
      if (rst_n) begin
        inv_sum: assert (!is_row[Mul] || !own_q[Mul][l]
            || {gen_copy[0].u_drain.gen_lane[l].u_requant.acc_q, gen_copy[0].u_drain.gen_lane[l].u_requant.mult_q,
                gen_copy[0].u_drain.gen_lane[l].u_requant.shift1_q,
                gen_copy[0].u_drain.gen_lane[l].u_requant.double_q}
            == {gen_copy[1].u_drain.gen_lane[l].u_requant.acc_q, gen_copy[1].u_drain.gen_lane[l].u_requant.mult_q,
                gen_copy[1].u_drain.gen_lane[l].u_requant.shift1_q,
                gen_copy[1].u_drain.gen_lane[l].u_requant.double_q});
        inv_products: assert (!is_row[Sft] || !own_q[Sft][l]
            || {gen_copy[0].u_drain.gen_lane[l].u_requant.base_q, gen_copy[0].u_drain.gen_lane[l].u_requant.cross_q,
                gen_copy[0].u_drain.gen_lane[l].u_requant.shift2_q,
                gen_copy[0].u_drain.gen_lane[l].u_requant.beyond_q}
            == {gen_copy[1].u_drain.gen_lane[l].u_requant.base_q, gen_copy[1].u_drain.gen_lane[l].u_requant.cross_q,
                gen_copy[1].u_drain.gen_lane[l].u_requant.shift2_q,
                gen_copy[1].u_drain.gen_lane[l].u_requant.beyond_q});
        inv_shifted: assert (!is_row[Out] || !own_q[Out][l]
            || {gen_copy[0].u_drain.gen_lane[l].u_requant.narrow_q, gen_copy[0].u_drain.gen_lane[l].u_requant.half_q}
            == {gen_copy[1].u_drain.gen_lane[l].u_requant.narrow_q,
                gen_copy[1].u_drain.gen_lane[l].u_requant.half_q});
      end
    end
  end

endmodule
