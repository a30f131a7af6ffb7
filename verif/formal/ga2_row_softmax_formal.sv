// SPDX-License-Identifier: Apache-2.0
// Softmax unit: a row's bytes and multiplier depend on that row's own scores, on nothing else.
//
// Two copies run the same causal block of ROWS rows. Row ROW has the same LENGTH + ROW scores in both. The other rows,
// the scores behind a row's own, what a read that was not asked for brings, and what registers hold at first are free
// in each copy. The stages between are compared too, so that a solver need not look through all of them at once.

module ga2_row_softmax_formal
  import ga2_ops_pkg::*;
#(
  parameter int COLS     = 4,
  parameter int DIV_BITS = 4,
  parameter int ROWS     = 2,
  parameter int ROW      = 1,
  parameter int LENGTH   = 4  // scores of row 0; a row has one more than the row before
) (
  input logic                   clk_i,
  input logic [15:0]            emul_i,
  input logic [30:0]            scale_i,
  input logic [LENGTH+ROW-1:0][7:0] scores_i,
  input logic [1:0][8*COLS-1:0] any_word_i
);

  localparam int Seen = LENGTH + ROW;
  localparam logic [15:0] Source = 16'h1000 + 16'h10 * 16'(ROW);
  localparam logic [15:0] Multiplier = 16'h3000 + 16'h10 * 16'(ROW);

  logic                       rst_n, taken_q;
  logic [15:0]                emul_q;
  logic [30:0]                scale_q;
  logic [Seen-1:0][7:0]       scores_q;
  sm_op_t                     op;
  logic [1:0]                 ready, done, busy, rd_en, wr_en;
  logic [1:0][2:0]            done_slot;
  logic [1:0][15:0]           rd_addr, wr_addr;
  logic [1:0][8*COLS-1:0]     rd_data_q, wr_data;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  // Chosen once, in the cycle of reset.
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      emul_q <= emul_i;
      scale_q <= scale_i;
      scores_q <= scores_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) taken_q <= 1'b0;
    else if (ready[0]) taken_q <= 1'b1;
  end

  always_comb begin
    op = '0;
    op.emul = emul_q;
    op.scale = scale_q;
    op.rows = 12'(ROWS);
    op.n = 12'(LENGTH + ROWS - 1);
    op.len = 12'(LENGTH);
    op.step = 8'd1;
    op.src = 16'h1000;
    op.src_pitch = 16'h10;
    op.dst = 16'h2000;
    op.dst_pitch = 16'h10;
    op.rmul = 16'h3000;
    op.rmul_pitch = 16'h10;
  end

  for (genvar c = 0; c < 2; c++) begin : gen_copy
    logic [8*COLS-1:0] word;

    always_comb begin
      word = any_word_i[c];
      for (int j = 0; j < Seen; j++) if (rd_addr[c] == Source + 16'(j / COLS)) word[8*(j%COLS)+:8] = scores_q[j];
    end
    always_ff @(posedge clk_i) rd_data_q[c] <= rd_en[c] ? word : any_word_i[c];

    ga2_softmax #(.COLS(COLS), .DIV_BITS(DIV_BITS)) u_dut (
      .clk_i, .rst_ni(rst_n), .kill_i(1'b0), .op_valid_i(!taken_q), .op_ready_o(ready[c]), .op_i(op),
      .done_o(done[c]), .done_slot_o(done_slot[c]), .busy_o(busy[c]), .rd_en_o(rd_en[c]), .rd_addr_o(rd_addr[c]),
      .rd_data_i(rd_data_q[c]), .wr_en_o(wr_en[c]), .wr_addr_o(wr_addr[c]), .wr_data_o(wr_data[c])
    );
  end

  // Where the row is: counted by the ends of rows, then along the stages; dividing_q until the next division starts.
  logic [11:0] row_q;
  logic [7:1]  ours_q, exp, max;
  logic        dividing_q;
  assign exp = gen_copy[0].u_dut.exp_q & ours_q;
  assign max = {4'b0, gen_copy[0].u_dut.max_q & ours_q[3:1]};

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      row_q <= '0;
      ours_q <= '0;
      dividing_q <= 1'b0;
    end else begin
      if (gen_copy[0].u_dut.row_end) row_q <= row_q + 12'd1;
      ours_q <= {ours_q[6:1], taken_q && row_q == 12'(ROW)};
      if (gen_copy[0].u_dut.start_division) dividing_q <= exp[7];
    end
  end

  always_comb begin
    if (rst_n) begin
      same_time: assert (wr_en[0] == wr_en[1] && done[0] == done[1] && (wr_en == '0 || wr_addr[0] == wr_addr[1]));
      same_byte: assert (!(wr_en[0] && wr_addr[0][15:4] == {8'h20, 4'(ROW)}) || wr_data[0] == wr_data[1]);
      same_multiplier: assert (!(wr_en[0] && wr_addr[0] == Multiplier) || wr_data[0] == wr_data[1]);

      stage_maximum: assert (!exp[3] || gen_copy[0].u_dut.row_max_q == gen_copy[1].u_dut.row_max_q);
      stage_pairs: assert (!max[3] || gen_copy[0].u_dut.pair_q == gen_copy[1].u_dut.pair_q);
      stage_masked: assert (!(exp[2] || max[2]) || gen_copy[0].u_dut.masked_q == gen_copy[1].u_dut.masked_q);
      stage_scores: assert (!exp[3] || gen_copy[0].u_dut.score_q == gen_copy[1].u_dut.score_q);
      stage_e16: assert (!exp[6] || gen_copy[0].u_dut.e16 == gen_copy[1].u_dut.e16);
      stage_sum: assert (!exp[7] || gen_copy[0].u_dut.row_sum == gen_copy[1].u_dut.row_sum);
      stage_division: assert (!dividing_q || (gen_copy[0].u_dut.u_divider.remainder_q
          == gen_copy[1].u_dut.u_divider.remainder_q
          && gen_copy[0].u_dut.u_divider.quotient_q == gen_copy[1].u_dut.u_divider.quotient_q));

      reach_byte: cover (wr_en[0] && wr_addr[0] == {8'h20, 4'(ROW), 4'h0} && wr_data[0][7:0] != 8'hff);
      reach_done: cover (done == '1);
      reach_other_differs: cover (wr_en[0] && wr_addr[0][15:12] == 4'h2 && wr_addr[0][11:4] != 8'(ROW)
                                  && wr_data[0] != wr_data[1]);
    end
  end

  for (genvar j = 0; j < COLS; j++) begin : gen_lane
    always_comb begin
      if (rst_n) begin
        stage_product: assert (!exp[4] || !gen_copy[0].u_dut.gen_lane[j].u_exp.valid_q
            || gen_copy[0].u_dut.gen_lane[j].u_exp.product_q == gen_copy[1].u_dut.gen_lane[j].u_exp.product_q);
        stage_valid: assert (!exp[4] || gen_copy[0].u_dut.gen_lane[j].u_exp.valid_q
            == gen_copy[1].u_dut.gen_lane[j].u_exp.valid_q);
        stage_entry: assert (!exp[5] || gen_copy[0].u_dut.gen_lane[j].u_exp.entry_q
            == gen_copy[1].u_dut.gen_lane[j].u_exp.entry_q);
        stage_shift: assert (!exp[5] || gen_copy[0].u_dut.gen_lane[j].u_exp.entry_q == '0
            || gen_copy[0].u_dut.gen_lane[j].u_exp.shift_q == gen_copy[1].u_dut.gen_lane[j].u_exp.shift_q);
      end
    end
  end

  for (genvar k = 1; k < (1 << DIV_BITS); k++) begin : gen_multiple
    always_comb begin
      if (rst_n) begin
        stage_multiple: assert (!dividing_q
            || gen_copy[0].u_dut.u_divider.gen_multiple[k].value == gen_copy[1].u_dut.u_divider.gen_multiple[k].value);
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{busy, done_slot, ready};

endmodule
