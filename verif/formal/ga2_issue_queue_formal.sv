// SPDX-License-Identifier: Apache-2.0
// ga2_issue_queue: operations leave in the order of their coming, unchanged, each only when its slot is clear.
//
// Any one push is watched, as in ga2_fifo_formal. Assumed: no push when eight operations wait (a window has eight
// slots; the proof `window` shows it).

module ga2_issue_queue_formal
  import ga2_pkg::*;
#(
  parameter int WIDTH = 64
) (
  input logic                   clk_i,
  input logic                   kill_i,
  input logic                   push_i,
  input logic [WIDTH-1:0]       op_i,
  input logic [WindowSlots-1:0] clear_i,
  input logic                   ready_i,
  input logic                   watch_i  // this push is the watched one
);

  logic             rst_n, valid, pop;
  logic [WIDTH-1:0] op;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_issue_queue #(.WIDTH(WIDTH)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i,
    .push_i, .op_i, .clear_i,
    .op_valid_o(valid), .op_ready_i(ready_i), .op_o(op)
  );
  assign pop = valid && ready_i;

  logic [3:0]       count_q, ahead_q;
  logic [WIDTH-1:0] value_q;
  logic             watched_q, left_q;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      count_q   <= '0;
      watched_q <= 1'b0;
      left_q    <= 1'b0;
    end else if (kill_i) begin
      count_q   <= '0;
      watched_q <= 1'b0;
    end else begin
      count_q <= count_q + 4'(push_i) - 4'(pop);
      if (push_i && watch_i && !watched_q && !left_q) begin
        watched_q <= 1'b1;
        value_q   <= op_i;
        ahead_q   <= count_q - 4'(pop);
      end else if (watched_q && pop) begin
        ahead_q   <= ahead_q - 4'd1;
        watched_q <= ahead_q != '0;
        left_q    <= ahead_q == '0;
      end
    end
  end

  logic [2:0] place;
  assign place = u_dut.head_q[2:0] + ahead_q[2:0];

  always_comb begin
    if (rst_n) begin
      assume_no_overflow: assume (!(push_i && count_q == 4'd8));

      some_is_not_empty: assert (u_dut.some_q == (count_q != '0));
      slot_is_heads: assert (count_q == '0 || u_dut.slot_q == op[WIDTH-1-:3]);
      valid_is_clear_head: assert (valid == (count_q != '0 && clear_i[op[WIDTH-1-:3]]));
      comes_out_in_order: assert (!(watched_q && ahead_q == '0) || op == value_q);

      inv_watched_is_inside: assert (!watched_q || ahead_q < count_q);
      inv_count: assert (count_q <= 4'd8 && count_q == 4'(u_dut.tail_q - u_dut.head_q));
      inv_value_kept: assert (!watched_q || u_dut.mem_q[place] == value_q);
      inv_slot: assert (count_q == '0 || u_dut.slot_q == u_dut.mem_q[u_dut.head_q[2:0]][WIDTH-1-:3]);

      reach_full: cover (count_q == 4'd8);
      reach_out: cover (left_q && count_q == 4'd3);
      reach_replaced_head: cover (valid && ready_i && push_i && count_q == 4'd1);
      reach_blocked: cover (count_q == 4'd2 && ready_i && !valid && !kill_i);
      reach_refilled: cover (left_q && count_q == 4'd1 && u_dut.head_q == 4'd9);
    end
  end

endmodule
