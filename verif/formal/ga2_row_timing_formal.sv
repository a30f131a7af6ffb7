// SPDX-License-Identifier: Apache-2.0
// Matrix unit: what the drain takes for a row of a tile is that tile's own. Any operations follow each other, with kills;
// one of their tiles is chosen, and its words and constants alone are marked. When the drain takes sums of row ROW for
// that tile, marks say of every column of the tile that sum and constant come from marked ones alone. The drain turns to
// a tile when it has been at every row of the one before.

module ga2_row_timing_formal
  import ga2_ops_pkg::*;
  import ga2_mm_pkg::*;
#(
  parameter int ROWS  = 2,
  parameter int COLS  = 4,
  parameter int LANES = 2,
  parameter int ROW   = 1,
  parameter int SIZE  = 8   // largest m, n and k of an operation
) (
  input logic              clk_i,
  input logic              kill_i,
  input logic              op_valid_i,
  input mm_op_t            op_i,
  input logic              choose_i,
  input logic [8*COLS-1:0] left_data_i,
  input logic [8*COLS-1:0] right_data_i,
  input logic [8*COLS-1:0] aux_data_i,
  input const_t            const_data_i
);

  logic rst_n, ready, busy;
  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_mm #(.ROWS(ROWS), .COLS(COLS), .LANES(LANES)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .op_valid_i, .op_ready_o(ready), .op_i, .done_o(), .done_slot_o(), .busy_o(busy),
    .stepping_o(), .left_en_o(), .left_addr_o(), .left_data_i, .right_en_o(), .right_addr_o(), .right_data_i,
    .aux_en_o(), .aux_addr_o(), .aux_data_i, .wr_en_o(), .wr_addr_o(), .wr_data_o(), .const_en_o(), .const_addr_o(),
    .const_data_i
  );

  // --- The chosen tile on its way ----------------------------------------------------------------------------------
  logic chosen_once_q;                    // at most one is chosen
  logic streams_q, words_q;               // its operands are read; words arrive a cycle later
  logic prepared_q, const_q, drained_q;   // constants are read; arrive a cycle later; the drain aims at it
  logic got_q, add_q;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      {chosen_once_q, streams_q, words_q, prepared_q, const_q, drained_q, got_q, add_q} <= '0;
    end else begin
      if (u_dut.restart) begin
        streams_q <= choose_i && !chosen_once_q;
        chosen_once_q <= chosen_once_q || choose_i;
      end
      words_q <= streams_q;
      if (u_dut.tile_ending) prepared_q <= streams_q;
      const_q <= prepared_q;
      if (u_dut.u_drain.turn) drained_q <= prepared_q;
      got_q <= drained_q;
      add_q <= got_q;
    end
  end

  // --- Marks -------------------------------------------------------------------------------------------------------
  logic [COLS-1:0]      line_own, known, left_own, told_own, acc_own, sum_own, arriving_own_q, serving_own_q;
  logic [COLS-1:0][2:0] tag_own;
  logic                 live_own;
  logic [3:0]           tag;

  assign tag = u_dut.u_array.edge_tag[ROW];

  ga2_row_marks #(.COLS(COLS), .ROW(ROW)) u_marks (
    .clk_i, .rst_ni(rst_n), .en_i(busy), .turn_i(u_dut.slot_q == 8'(ROW)), .line_i(u_dut.left_line_q),
    .mark_i(words_q), .tag_i({tag[2] && u_dut.left_live[ROW], tag[1:0]}),
    .live_o(live_own), .line_o(line_own), .known_o(known), .left_o(left_own), .told_o(told_own), .tag_o(tag_own),
    .acc_o(acc_own), .sum_o(sum_own)
  );

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      arriving_own_q <= '0;
      serving_own_q <= '0;
    end else begin
      for (int j = 0; j < COLS; j++) begin
        if (u_dut.u_drain.const_wr_q && u_dut.u_drain.const_col_q == 8'(j)) arriving_own_q[j] <= const_q;
        if (u_dut.u_drain.got_q.valid && u_dut.u_drain.got_q.row == '0 && u_dut.u_drain.got_q.group == 8'(j / LANES))
          serving_own_q[j] <= arriving_own_q[j];
      end
    end
  end

  // --- Properties --------------------------------------------------------------------------------------------------
  logic takes, killed_q;
  assign takes = add_q && u_dut.u_drain.add_q.valid && u_dut.u_drain.add_q.row == 8'(ROW);

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) killed_q <= 1'b0;
    else if (kill_i && busy) killed_q <= 1'b1;
  end

  always_comb begin
    if (rst_n) begin
      sizes: assume (!op_valid_i || (op_i.m inside {[1:SIZE]} && op_i.n inside {[1:SIZE]} && op_i.k inside {[1:SIZE]}));

      all_rows: assert (!u_dut.u_drain.turn || !u_dut.u_drain.draining_q
                        || (u_dut.u_drain.group_end && u_dut.u_drain.row_end));

      reach_chosen: cover (takes);
      reach_second: cover (takes && !u_dut.u_drain.add_q.final_row && !streams_q && u_dut.streaming_q);
      reach_after_kill: cover (takes && killed_q);
    end
  end
  for (genvar j = 0; j < COLS; j++) begin : gen_column
    always_comb begin
      if (rst_n && takes && u_dut.u_drain.add_q.group == 8'(j / LANES) && 8'(j) < u_dut.u_drain.add_q.cols) begin
        own_sum: assert (sum_own[j]);
        own_constant: assert (serving_own_q[j]);
      end
    end
  end

endmodule
