// SPDX-License-Identifier: Apache-2.0
// ga2_fifo: whatever is pushed comes out once, unchanged and in order; full and empty tell the number of entries.
//
// Any one push is watched: from then on the solver knows its value and how many entries lie before it.
// Assumed: no push when full, no pop when empty (the design's rule, checked in simulation too).

module ga2_fifo_formal #(
  parameter int WIDTH = 8,
  parameter int DEPTH = 8
) (
  input logic             clk_i,
  input logic             push_i,
  input logic [WIDTH-1:0] data_i,
  input logic             pop_i,
  input logic             watch_i  // this push is the watched one
);

  localparam int CountWidth = $clog2(DEPTH + 1);

  logic             rst_n, full, empty;
  logic [WIDTH-1:0] data;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_dut (
    .clk_i, .rst_ni(rst_n),
    .push_i, .data_i, .full_o(full),
    .pop_i, .data_o(data), .empty_o(empty)
  );

  logic [CountWidth-1:0] count_q, ahead_q;  // entries; those before the watched one
  logic [WIDTH-1:0]      value_q;
  logic                  watched_q, left_q;  // it is inside; it has come out

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      count_q   <= '0;
      watched_q <= 1'b0;
      left_q    <= 1'b0;
    end else begin
      count_q <= count_q + CountWidth'(push_i) - CountWidth'(pop_i);
      if (push_i && watch_i && !watched_q && !left_q) begin
        watched_q <= 1'b1;
        value_q   <= data_i;
        ahead_q   <= count_q - CountWidth'(pop_i);
      end else if (watched_q && pop_i) begin
        ahead_q   <= ahead_q - 1'b1;
        watched_q <= ahead_q != '0;
        left_q    <= ahead_q == '0;
      end
    end
  end

  // Where the watched entry lies, counted from the head: what links the solver's count to the registers.
  logic [31:0] place;
  assign place = 32'(u_dut.head_q) + 32'(ahead_q) >= 32'(DEPTH) ? 32'(u_dut.head_q) + 32'(ahead_q) - 32'(DEPTH)
                                                               : 32'(u_dut.head_q) + 32'(ahead_q);

  always_comb begin
    if (rst_n) begin
      assume_push: assume (!(push_i && full));
      assume_pop: assume (!(pop_i && empty));

      full_is_depth_entries: assert (full == (count_q == CountWidth'(DEPTH)));
      empty_is_no_entry: assert (empty == (count_q == '0));
      no_more_than_depth: assert (count_q <= CountWidth'(DEPTH));
      inv_watched_is_inside: assert (!watched_q || ahead_q < count_q);
      comes_out_in_order: assert (!(watched_q && ahead_q == '0) || data == value_q);

      // Invariants that make the proof inductive.
      inv_head_in_range: assert (32'(u_dut.head_q) < 32'(DEPTH));
      inv_tail_in_range: assert (32'(u_dut.tail_q) < 32'(DEPTH));
      inv_count_agrees: assert (count_q == u_dut.count_q);
      inv_tail_follows: assert (32'(u_dut.tail_q) == (32'(u_dut.head_q) + 32'(count_q) >= 32'(DEPTH)
          ? 32'(u_dut.head_q) + 32'(count_q) - 32'(DEPTH) : 32'(u_dut.head_q) + 32'(count_q)));
      inv_value_kept: assert (!watched_q || u_dut.mem_q[place[$clog2(DEPTH)-1:0]] == value_q);

      reach_full: cover (full);
      reach_out_after_full: cover (left_q && full);
      reach_both_when_one: cover (push_i && pop_i && count_q == CountWidth'(1));
      reach_wrap: cover (left_q && u_dut.head_q == '0 && empty);
    end
  end

endmodule
