// SPDX-License-Identifier: Apache-2.0
// A gate in a ready/valid channel: closes at random, from a seed, or for as long as it is told to.
//
//   source valid --&--> sink valid          open_o is both &
//   source ready <--&-- sink ready
//
// In a cycle in which it is open it closes with a chance of chance_i/256, for 1 + (random & mask_i) cycles. It never
// closes on a transfer that the sink has seen and not yet taken. Same seed, same cycles, in every simulator.

module ga2_gate #(
  parameter int CHANNEL = 0  // gates that share a seed differ by it
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // behaviour
  input  logic        load_i,    // take the seed
  input  logic [31:0] seed_i,
  input  logic [8:0]  chance_i,  // 0 never closes, 256 always
  input  logic [8:0]  mask_i,    // bounds the length of a pause
  input  logic        stuck_i,   // closed until released
  // channel
  input  logic        valid_i,   // of the source
  input  logic        ready_i,   // of the sink
  output logic        open_o,
  output logic        held_o     // a transfer that the sink could take is held back in this cycle
);

  localparam logic [31:0] ResetState = 32'h9e37_79b9;

  logic [31:0] start, random_q, random_1, random_2, random_3;
  logic [9:0]  pause_q;
  logic        stuck_q, committed, closes;

  // Marsaglia's xorshift32: 13, 17, 5. Zero would stay zero.
  assign start    = seed_i ^ (ResetState << CHANNEL);
  assign random_1 = random_q ^ (random_q << 13);
  assign random_2 = random_1 ^ (random_1 >> 17);
  assign random_3 = random_2 ^ (random_2 << 5);

  assign open_o    = pause_q == '0 && !stuck_q;
  assign held_o    = valid_i && !open_o;
  assign committed = valid_i && open_o && !ready_i;
  assign closes    = {1'b0, random_q[31:24]} < chance_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      random_q <= ResetState;
      pause_q  <= '0;
      stuck_q  <= 1'b0;
    end else begin
      random_q <= load_i ? (start == '0 ? ResetState : start) : random_3;
      stuck_q  <= stuck_i && (stuck_q || !committed);
      if (pause_q != '0) pause_q <= pause_q - 10'd1;
      else if (!committed && closes) pause_q <= 10'd1 + 10'(random_q[8:0] & mask_i);
    end
  end

endmodule
