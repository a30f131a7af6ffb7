// SPDX-License-Identifier: Apache-2.0
// What a unit's issue queue holds, in terms of the window: invariants of the proof `window`.
//
// Each place between head and tail names a slot of this unit that waits, and knows its place; slots are in order of age.

module ga2_queue_formal
  import ga2_pkg::*;
(
  input logic                        rst_ni,
  input logic [2:0]                  unit_i,
  input logic [3:0]                  head_i,
  input logic [3:0]                  tail_i,
  input logic                        some_i,
  input logic [2:0]                  slot_i,     // of the head
  input logic [WindowSlots-1:0][2:0] slots_i,    // by place
  input logic [2:0]                  oldest_i,   // the window's head
  input logic [WindowSlots-1:0]      waits_i,    // by slot: in the window and not started
  input logic [WindowSlots-1:0][2:0] units_i,    // by slot
  input logic [WindowSlots-1:0][2:0] places_i    // by slot: its place in the queue
);

  logic [3:0] count;
  assign count = tail_i - head_i;

  always_comb begin
    if (rst_ni) begin
      inv_count: assert (count <= 4'd8);
      inv_some: assert (some_i == (count != '0));
      inv_slot: assert (!some_i || slot_i == slots_i[head_i[2:0]]);
    end
  end

  for (genvar p = 0; p < WindowSlots; p++) begin : gen_place
    logic [2:0] depth, after, slot, next_slot;  // depth: behind the head
    assign depth = 3'(p) - head_i[2:0];
    assign after = 3'(p + 1);
    assign slot = slots_i[p];
    assign next_slot = slots_i[after];
    always_comb begin
      if (rst_ni && 4'(depth) < count) begin
        inv_waits: assert (waits_i[slot] && units_i[slot] == unit_i && places_i[slot] == 3'(p));
      end
      if (rst_ni && 4'(depth) + 4'd1 < count) begin
        inv_age: assert (3'(slot - oldest_i) < 3'(next_slot - oldest_i));
      end
    end
  end

  // The other way round: who waits is in its place.
  for (genvar s = 0; s < WindowSlots; s++) begin : gen_slot
    logic [2:0] depth;
    assign depth = places_i[s] - head_i[2:0];
    always_comb begin
      if (rst_ni && waits_i[s] && units_i[s] == unit_i) begin
        inv_queued: assert (4'(depth) < count && slots_i[places_i[s]] == 3'(s));
      end
    end
  end

endmodule
