// SPDX-License-Identifier: Apache-2.0
// ga2_slot: an operand that passes by is held back exactly where the contract says so (ga2_hazard_formal); the slot is
// clear exactly when everything that it was told to wait for is done; it lives from its allocation until it is freed.
//
// Assumed, as dispatch and window do it: no allocation while in use; what an operand is follows from its unit and its
// index and comes a cycle after its words; done and free only for a slot in use.

module ga2_slot_formal
  import ga2_pkg::*;
#(
  parameter int ADDR_BITS = 13,
  parameter int BANKS     = 8
) (
  input logic                      clk_i,
  input logic                      kill_i,
  input logic                      alloc_i,
  input logic                      alloc_done_i,
  input logic [WindowSlots-1:0]    alloc_deps_i,
  input logic [2:0]                alloc_unit_i,
  input logic [3:0]                alloc_valid_i,
  input logic [3:0][ADDR_BITS-1:0] alloc_lo_i,
  input logic [3:0][ADDR_BITS-1:0] alloc_hi_i,
  input logic [3:0][BANKS-1:0]     alloc_banks_i,
  input logic                      alloc_ext_valid_i,
  input logic [32:0]               alloc_ext_lo_i,
  input logic [32:0]               alloc_ext_hi_i,
  input logic [2:0]                probe_unit_i,
  input logic [2:0]                probe_index_i,   // of the operand that passes by; none: above 4
  input logic [ADDR_BITS-1:0]      probe_lo_i,
  input logic [ADDR_BITS-1:0]      probe_hi_i,
  input logic [BANKS-1:0]          probe_banks_i,
  input logic [32:0]               probe_ext_lo_i,  // a cycle later
  input logic [32:0]               probe_ext_hi_i,
  input logic [WindowSlots-1:0]    done_i,
  input logic                      done_self_i,
  input logic                      free_i
);

  logic rst_n, hit, in_use, finished, clear, waiting;

  // The operand of the cycle before.
  logic [2:0] unit_q, index_q;
  always_ff @(posedge clk_i) begin
    unit_q  <= probe_unit_i;
    index_q <= rst_n ? probe_index_i : '1;
  end

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_slot #(.ADDR_BITS(ADDR_BITS), .BANKS(BANKS)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .alloc_i, .alloc_done_i, .alloc_deps_i, .alloc_unit_i, .alloc_valid_i,
    .alloc_write_i({alloc_unit_i == UnitSoftmax, 3'b001}), .alloc_lo_i, .alloc_hi_i, .alloc_banks_i,
    .alloc_ext_valid_i, .alloc_ext_write_i(alloc_unit_i == UnitStore), .alloc_ext_lo_i, .alloc_ext_hi_i,
    .probe_spad_i(probe_index_i < 3'd4), .probe_lo_i, .probe_hi_i, .probe_banks_i, .probe_unit_i,
    .probe_inner_i(index_q < 3'd4), .probe_ext_i(index_q == 3'd4),
    .probe_write_i(index_q == 3'd0 || (index_q == 3'd3 && unit_q == UnitSoftmax)
                   || (index_q == 3'd4 && unit_q == UnitStore)),
    .probe_stream_i(unit_q == UnitMatrix && (index_q == 3'd1 || index_q == 3'd2)),
    .probe_ext_lo_i, .probe_ext_hi_i, .hit_o(hit), .done_i, .done_self_i, .free_i,
    .valid_o(in_use), .finished_o(finished), .clear_o(clear), .waiting_o(waiting)
  );

  // The instruction as it was allocated -------------------------------------------------------------------------------

  logic                      used_q, ended_q, settled_q;  // settled: in use when the operand passed by
  logic [WindowSlots-1:0]    told_q;                      // to wait for, and not done yet
  logic [2:0]                own_unit_q;
  logic [4:0]                own_has_q, waits;
  logic [3:0][ADDR_BITS-1:0] own_lo_q, own_hi_q;
  logic [3:0][BANKS-1:0]     own_banks_q;
  logic [32:0]               own_ext_lo_q, own_ext_hi_q;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      used_q    <= 1'b0;
      ended_q   <= 1'b0;
      settled_q <= 1'b0;
      told_q    <= '0;
    end else begin
      used_q    <= !kill_i && (alloc_i || (used_q && !free_i));
      ended_q   <= alloc_i ? alloc_done_i : ended_q || done_self_i;
      settled_q <= used_q;
      told_q    <= (alloc_i ? alloc_deps_i : told_q) & ~done_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (alloc_i) begin
      own_unit_q   <= alloc_unit_i;
      own_has_q    <= {alloc_ext_valid_i, alloc_valid_i};
      own_lo_q     <= alloc_lo_i;
      own_hi_q     <= alloc_hi_i;
      own_banks_q  <= alloc_banks_i;
      own_ext_lo_q <= alloc_ext_lo_i;
      own_ext_hi_q <= alloc_ext_hi_i;
    end
  end

  // The design's claims are those (`keeps_...` below), so that the comparison may use them.
  logic [3:0] overlap_q;
  logic [4:0] meet_q, overlap;
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++) begin
      overlap_q[i] <= probe_lo_i < u_dut.hi_q[i] && u_dut.lo_q[i] < probe_hi_i;
      meet_q[i]    <= (u_dut.banks_q[i] & probe_banks_i) != '0;
    end
    meet_q[4] <= 1'b0;
  end
  assign overlap = {probe_ext_lo_i < u_dut.ext_hi_q && u_dut.ext_lo_q < probe_ext_hi_i, overlap_q};

  for (genvar i = 0; i < 5; i++) begin : gen_operand
    logic hazard;
    ga2_hazard_formal u_hazard (
      .old_unit_i(own_unit_q), .old_index_i(3'(i)), .new_unit_i(unit_q), .new_index_i(index_q),
      .overlap_i(overlap[i]), .meet_i(meet_q[i]), .waits_o(hazard)
    );
    assign waits[i] = own_has_q[i] && index_q <= 3'd4 && hazard;
  end

  always_comb begin
    if (rst_n) begin
      assume_free_slot: assume (!(alloc_i && used_q));
      assume_done: assume (!done_self_i || (used_q && !ended_q));
      assume_free: assume (!free_i || (used_q && ended_q));

      hit_where_contract_says: assert (!settled_q || hit == (used_q && !ended_q && !done_self_i && waits != '0));
      lives: assert (in_use == used_q && finished == (used_q && ended_q));
      clear_when_all_done: assert (!used_q || (clear == (told_q == '0) && waiting == !clear));
      no_hit_unless_passing: assert (index_q <= 3'd4 || !hit);
      silent_when_unused: assert (!(!used_q && (finished || waiting)));

      inv_told: assert (!used_q || u_dut.deps_q == told_q);
      keeps_claims: assert (!used_q || ({u_dut.ext_valid_q, u_dut.op_valid_q} == own_has_q && u_dut.unit_q == own_unit_q
          && u_dut.op_write_q == {own_unit_q == UnitSoftmax, 3'b001}
          && u_dut.ext_write_q == (own_unit_q == UnitStore)));
      keeps_words: assert (!used_q || (u_dut.lo_q == own_lo_q && u_dut.hi_q == own_hi_q
          && u_dut.banks_q == own_banks_q));
      keeps_bytes: assert (!used_q || (u_dut.ext_lo_q == own_ext_lo_q && u_dut.ext_hi_q == own_ext_hi_q));

      reach_read_after_write: cover (settled_q && hit && index_q == 3'd1 && waits == 5'b00001);
      reach_write_after_read: cover (settled_q && hit && index_q == 3'd0 && waits == 5'b00010);
      reach_aux_bank: cover (settled_q && hit && index_q == 3'd2 && waits == 5'b01000 && own_unit_q == unit_q);
      reach_outside: cover (settled_q && hit && index_q == 3'd4 && own_unit_q == UnitLoad);
      reach_no_hazard: cover (settled_q && !hit && used_q && !ended_q && own_has_q == '1 && index_q == 3'd3);
      reach_freed: cover (free_i && own_unit_q == UnitMatrix && told_q == '0 && settled_q);
    end
  end

endmodule
