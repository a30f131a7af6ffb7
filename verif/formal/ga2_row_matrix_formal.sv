// SPDX-License-Identifier: Apache-2.0
// Matrix unit, array and drain together: the bytes of a row depend on that row's own left operand and aux word, on the
// right operand and on the constants, on nothing else.
//
// One copy multiplies a block of ROWS rows, the other row ROW alone, ROW cycles later, as the skew of the array has it.
// Words of that row, the right operand, the constants and what the operation says of arithmetic are chosen once and are
// the same in both. Other rows' words, what a read that was not asked for brings, and what registers hold at first are
// free in each copy. The stages between are compared too, so that a solver need not look through all of them at once.

module ga2_row_matrix_formal
  import ga2_ops_pkg::*;
#(
  parameter int ROWS  = 2,
  parameter int COLS  = 4,  // and as many lanes: a row a cycle, so that array and drain have the same skew
  parameter int ROW   = 1,  // the last of the block: both copies end together
  parameter int TILES = 2,  // column tiles
  parameter int K     = 5   // elements: more than a word, and a last word that is not full
) (
  input logic                              clk_i,
  input logic [3:0]                        flags_i,      // {unsigned_left, residual, rowmul, double_round}
  input logic [23:0]                       range_i,      // {zp, lo, hi}
  input logic [1:0][8*COLS-1:0]            left_i,
  input logic [TILES*K-1:0][8*COLS-1:0]    right_i,
  input logic [TILES-1:0][8*COLS-1:0]      aux_i,
  input logic [TILES*COLS-1:0][$bits(const_t)-1:0] const_i,
  input logic [1:0][8*COLS-1:0]            any_left_i,   // of each copy
  input logic [1:0][8*COLS-1:0]            any_right_i,
  input logic [1:0][8*COLS-1:0]            any_aux_i,
  input logic [1:0][$bits(const_t)-1:0]    any_const_i
);

  localparam int Words = (K + COLS - 1) / COLS;
  localparam int Period = COLS * Words;  // cycles of a tile
  localparam logic [15:0] Left = 16'h1000, Right = 16'h2000, Aux = 16'h3000, Out = 16'h4000, Const = 16'h5000;
  localparam logic [15:0] Row = 16'h10 * 16'(ROW);  // the row's words lie a pitch of 16 behind the one before

  logic                                      rst_n;
  logic [3:0]                                flags_q;
  logic [23:0]                               range_q;
  logic [1:0][8*COLS-1:0]                    left_q;
  logic [TILES*K-1:0][8*COLS-1:0]            right_q;
  logic [TILES-1:0][8*COLS-1:0]              aux_q;
  logic [TILES*COLS-1:0][$bits(const_t)-1:0] const_q;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  // Chosen once, in the cycle of reset.
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      flags_q <= flags_i;
      range_q <= range_i;
      left_q <= left_i;
      right_q <= right_i;
      aux_q <= aux_i;
      const_q <= const_i;
    end
  end

  // The copy with the row alone starts ROW cycles later; age_q counts the cycles since then.
  logic [1:0]          op_valid, ready, done, busy, wr_en;
  logic [1:0][15:0]    wr_addr;
  logic [1:0][8*COLS-1:0] wr_data;
  logic [1:0]          taken_q;
  logic [ROW-1:0]      later_q;
  logic [7:0]          age_q;

  assign op_valid = {later_q[ROW-1] && !taken_q[1], !taken_q[0]};
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      taken_q <= '0;
      later_q <= '0;
      age_q <= '0;
    end else begin
      taken_q <= taken_q | (op_valid & ready);
      later_q <= ROW'({later_q, taken_q[0] || (op_valid[0] && ready[0])});
      if (taken_q[1] && age_q != '1) age_q <= age_q + 8'd1;
    end
  end

  for (genvar c = 0; c < 2; c++) begin : gen_copy
    localparam bit Alone = c == 1;

    mm_op_t              op;
    logic                left_en, right_en, aux_en, const_en;
    logic [15:0]         left_addr, right_addr, aux_addr, const_addr;
    logic [8*COLS-1:0]   left_word, right_word, aux_word, left_data_q, right_data_q, aux_data_q;
    logic [$bits(const_t)-1:0] const_word, const_data_q;

    always_comb begin
      op = '0;
      {op.unsigned_left, op.residual, op.rowmul, op.double_round} = flags_q;
      {op.zp, op.lo, op.hi} = range_q;
      op.m = Alone ? 12'd1 : 12'(ROWS);
      op.n = 12'(TILES * COLS);
      op.k = 12'(K);
      op.cidx = Const;
      op.left = Left + (Alone ? Row : 16'd0);
      op.left_pitch = 16'h10;
      op.right = Right;
      op.aux = Aux + (Alone ? Row : 16'd0);
      op.aux_pitch = 16'h10;
      op.out = Out + (Alone ? Row : 16'd0);
      op.out_pitch = 16'h10;

      left_word = any_left_i[c];
      right_word = any_right_i[c];
      aux_word = any_aux_i[c];
      const_word = any_const_i[c];
      for (int w = 0; w < Words; w++) if (left_addr == Left + Row + 16'(w)) left_word = left_q[w];
      for (int w = 0; w < TILES * K; w++) if (right_addr == Right + 16'(w)) right_word = right_q[w];
      for (int w = 0; w < TILES; w++) if (aux_addr == Aux + Row + 16'(w)) aux_word = aux_q[w];
      for (int w = 0; w < TILES * COLS; w++) if (const_addr == Const + 16'(w)) const_word = const_q[w];
    end

    always_ff @(posedge clk_i) begin
      left_data_q <= left_en ? left_word : any_left_i[c];
      right_data_q <= right_en ? right_word : any_right_i[c];
      aux_data_q <= aux_en ? aux_word : any_aux_i[c];
      const_data_q <= const_en ? const_word : any_const_i[c];
    end

    ga2_mm #(.ROWS(ROWS), .COLS(COLS), .LANES(COLS)) u_dut (
      .clk_i, .rst_ni(rst_n), .kill_i(1'b0),
      .op_valid_i(op_valid[c]), .op_ready_o(ready[c]), .op_i(op), .done_o(done[c]), .done_slot_o(), .busy_o(busy[c]),
      .stepping_o(),
      .left_en_o(left_en), .left_addr_o(left_addr), .left_data_i(left_data_q),
      .right_en_o(right_en), .right_addr_o(right_addr), .right_data_i(right_data_q),
      .aux_en_o(aux_en), .aux_addr_o(aux_addr), .aux_data_i(aux_data_q),
      .wr_en_o(wr_en[c]), .wr_addr_o(wr_addr[c]), .wr_data_o(wr_data[c]),
      .const_en_o(const_en), .const_addr_o(const_addr), .const_data_i(const_data_q)
    );
  end

  logic ours, mul, sft, out;  // the row is in these stages of the block's drain
  assign ours = wr_en[0] && wr_addr[0][15:4] == Out[15:4] + 12'(ROW);
  assign mul = gen_copy[0].u_dut.u_drain.mul_q.valid && gen_copy[0].u_dut.u_drain.mul_q.row == 8'(ROW);
  assign sft = gen_copy[0].u_dut.u_drain.sft_q.valid && gen_copy[0].u_dut.u_drain.sft_q.row == 8'(ROW);
  assign out = gen_copy[0].u_dut.u_drain.out_group_q.valid
      && gen_copy[0].u_dut.u_drain.out_group_q.row == 8'(ROW);

  always_comb begin
    if (rst_n) begin
      flags: assume (!flags_q[2] || !flags_q[1]);  // dispatch refuses both

      same_time: assert (wr_en[1] == ours && done[0] == done[1]);
      same_place: assert (!wr_en[1] || wr_addr[0] == wr_addr[1]);
      same_word: assert (!wr_en[1] || wr_data[0] == wr_data[1]);

      reach_done: cover (done == '1);
      reach_word: cover (wr_en[1] && wr_addr[1] == Out + Row + 16'(TILES - 1));
      reach_other_row: cover (age_q == 8'd6 && gen_copy[0].u_dut.u_array.gen_col[0].gen_pe[ROWS-1-ROW].u_pe.across_o
                              != gen_copy[1].u_dut.u_array.gen_col[0].gen_pe[0].u_pe.across_o);
    end
  end

  for (genvar j = 0; j < COLS; j++) begin : gen_column
    always_comb begin
      if (rst_n) begin
        stage_left: assert (age_q < 8'(3 + j) || gen_copy[0].u_dut.u_array.gen_col[j].gen_pe[ROW].u_pe.across_o
            == gen_copy[1].u_dut.u_array.gen_col[j].gen_pe[0].u_pe.across_o);
        stage_right: assert (age_q < 8'(3 + j) || gen_copy[0].u_dut.u_array.gen_col[j].gen_pe[ROW].u_pe.right_o
            == gen_copy[1].u_dut.u_array.gen_col[j].gen_pe[0].u_pe.right_o);
        stage_accumulator: assert (age_q < 8'(3 + j) || gen_copy[0].u_dut.u_array.gen_col[j].gen_pe[ROW].u_pe.acc_q
            == gen_copy[1].u_dut.u_array.gen_col[j].gen_pe[0].u_pe.acc_q);
        stage_sum: assert (age_q < 8'(Period + 2 + j)
            || gen_copy[0].u_dut.u_array.gen_col[j].gen_pe[ROW].u_pe.sum_q
            == gen_copy[1].u_dut.u_array.gen_col[j].gen_pe[0].u_pe.sum_q);
        stage_add: assert (!mul || gen_copy[0].u_dut.u_drain.gen_lane[j].u_requant.acc_q
            == gen_copy[1].u_dut.u_drain.gen_lane[j].u_requant.acc_q);
        stage_multiplier: assert (!mul || gen_copy[0].u_dut.u_drain.gen_lane[j].u_requant.mult_q
            == gen_copy[1].u_dut.u_drain.gen_lane[j].u_requant.mult_q);
        stage_products: assert (!sft || (gen_copy[0].u_dut.u_drain.gen_lane[j].u_requant.base_q
            == gen_copy[1].u_dut.u_drain.gen_lane[j].u_requant.base_q
            && gen_copy[0].u_dut.u_drain.gen_lane[j].u_requant.cross_q
            == gen_copy[1].u_dut.u_drain.gen_lane[j].u_requant.cross_q));
        stage_shifted: assert (!out || (gen_copy[0].u_dut.u_drain.gen_lane[j].u_requant.narrow_q
            == gen_copy[1].u_dut.u_drain.gen_lane[j].u_requant.narrow_q
            && gen_copy[0].u_dut.u_drain.gen_lane[j].u_requant.half_q
            == gen_copy[1].u_dut.u_drain.gen_lane[j].u_requant.half_q));
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^busy;

endmodule
