// SPDX-License-Identifier: Apache-2.0
// What an address channel of the bus master owes (ARM IHI 0022, A3): valid and every field rest until ready; full-width
// INCR bursts of whole words within 4 KiB; one address for each burst that was made and none besides; no more than
// OUTSTANDING bursts between making and answer. Gives the bursts under way in a ring, as the bus was told of them.

module ga2_channel_formal
  import ga2_mem_pkg::*;
#(
  parameter int COLS        = 4,
  parameter int BUS_BYTES   = 4,
  parameter int OUTSTANDING = 8,  // a power of two
  localparam int Bits = $clog2(OUTSTANDING)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          made_i,
  input  burst_t                        burst_i,
  input  logic                          valid_i,
  input  logic                          ready_i,
  input  logic [31:0]                   addr_i,
  input  logic [7:0]                    len_i,
  input  logic [2:0]                    size_i,
  input  logic [1:0]                    type_i,
  input  logic                          end_i,      // the oldest is answered in full
  // Bursts made, accepted and answered, counted in a ring twice as long as the places.
  output logic [Bits:0]                 made_o,
  output logic [Bits:0]                 taken_o,
  output logic [Bits:0]                 ended_o,
  output burst_t [OUTSTANDING-1:0]      bursts_o,   // as made
  output logic [OUTSTANDING-1:0][7:0]   lengths_o,  // as accepted on the bus
  output logic [OUTSTANDING-1:0]        under_way_o
);

  localparam int BusShift = $clog2(BUS_BYTES);
  localparam int BeatShift = $clog2(COLS / BUS_BYTES);
  localparam logic [31:0] BurstWords = 32'd256 >> BeatShift;

  logic [Bits:0]               made_q, taken_q, ended_q, waiting, accepted;
  burst_t [OUTSTANDING-1:0]    bursts_q;
  logic [OUTSTANDING-1:0][7:0] lengths_q;
  logic                        held_q;
  logic [44:0]                 fields, fields_q;
  burst_t                      newest;

  assign made_o    = made_q;
  assign taken_o   = taken_q;
  assign ended_o   = ended_q;
  assign bursts_o  = bursts_q;
  assign lengths_o = lengths_q;
  assign waiting   = made_q - taken_q;
  assign accepted  = taken_q - ended_q;
  assign fields    = {addr_i, len_i, size_i, type_i};
  assign newest    = bursts_q[taken_q[Bits-1:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      made_q  <= '0;
      taken_q <= '0;
      ended_q <= '0;
      held_q  <= 1'b0;
    end else begin
      made_q  <= made_q + (Bits+1)'(made_i);
      taken_q <= taken_q + (Bits+1)'(valid_i && ready_i);
      ended_q <= ended_q + (Bits+1)'(end_i);
      held_q  <= valid_i && !ready_i;
    end
  end
  always_ff @(posedge clk_i) begin
    fields_q <= fields;
    if (made_i) bursts_q[made_q[Bits-1:0]] <= burst_i;
    if (valid_i && ready_i) lengths_q[taken_q[Bits-1:0]] <= len_i;
  end

  for (genvar i = 0; i < OUTSTANDING; i++) begin : gen_place
    logic [Bits:0] age;  // from the oldest
    assign age            = {1'b0, Bits'(Bits'(i) - ended_q[Bits-1:0])};
    assign under_way_o[i] = age < made_q - ended_q;
    always_comb begin
      if (rst_ni && under_way_o[i]) begin
        inv_words: assert (bursts_q[i].words != '0 && 32'(bursts_q[i].words) <= BurstWords);
        inv_place: assert ((bursts_q[i].addr & 32'(COLS - 1)) == '0
            && 32'(bursts_q[i].addr[11:0]) + (32'(bursts_q[i].words) << $clog2(COLS)) <= 32'd4096);
        inv_length: assert (age >= accepted
                            || 32'(lengths_q[i]) + 32'd1 == 32'(bursts_q[i].words) << BeatShift);
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      stable_until_ready: assert (!held_q || (valid_i && fields == fields_q));
      full_width_incr: assert (!valid_i || (size_i == 3'(BusShift) && type_i == 2'b01));
      whole_words: assert (!valid_i || ((addr_i & 32'(COLS - 1)) == '0
                                        && ((32'(len_i) + 32'd1) & 32'(COLS / BUS_BYTES - 1)) == '0));
      within_page: assert (!valid_i || 32'(addr_i[11:0]) + ((32'(len_i) + 32'd1) << BusShift) <= 32'd4096);
      address_of_a_burst: assert (valid_i == (waiting != '0) && (!valid_i || (
          addr_i == newest.addr && 32'(len_i) + 32'd1 == 32'(newest.words) << BeatShift)));
      no_more_than_outstanding: assert (made_q - ended_q <= (Bits+1)'(OUTSTANDING));

      inv_waiting: assert (waiting <= (Bits+1)'(1));
      inv_accepted: assert (accepted <= made_q - ended_q);

      reach_all_outstanding: cover (accepted == (Bits+1)'(OUTSTANDING));
      reach_end_of_page: cover (valid_i && made_i && burst_i.addr[11:0] == '0
                                && burst_i.addr == addr_i + ((32'(len_i) + 32'd1) << BusShift));
      reach_two_beats: cover (valid_i && len_i == 8'd1 && accepted != '0);
    end
  end

endmodule
