// SPDX-License-Identifier: Apache-2.0
// One lane's exponential: e16 = 65280 * 2^(-distance * emul / 2^15), three cycles after its input, one a cycle.
//
//   distance -> [x emul] -> [round to 1/64 octave; table of the fraction] -> [shift by the octaves, rounded] -> e16
module ga2_exp
  import ga2_exp_table_pkg::*;
(
    input  logic        clk_i,
    input  logic        valid_i,     // otherwise the result is zero, whatever the distance
    input  logic [7:0]  distance_i,  // row maximum - score
    input  logic [15:0] emul_i,      // score scale * log2(e), 15 fraction bits
    output logic [15:0] e16_o        // 65280 at the maximum
);

  localparam int Drop = 15 - ExpBits;         // fraction bits that the table doesn't resolve
  localparam int IndexBits = 25 - Drop;
  localparam int OctaveBits = IndexBits - ExpBits;

  logic valid_q;
  logic [23:0] product_q;
  logic [24:0] rounded;
  logic [IndexBits-1:0] index;
  logic [OctaveBits-1:0] octaves;
  logic [15:0] entry_q;
  logic [4:0] shift_q;
  logic [16:0] shifted, incremented;
  logic [15:0] e16_q;

  assign rounded = {1'b0, product_q} + 25'(1 << (Drop - 1));
  assign index = rounded[24:Drop];
  assign octaves = index[IndexBits-1:ExpBits];

  // A half bit below the result's last one makes the rounding an increment; 17 octaves and more leave nothing.
  assign shifted = {entry_q, 1'b0} >> shift_q;
  assign incremented = shifted + 17'd1;

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    product_q <= {16'b0, distance_i} * {8'b0, emul_i};
    entry_q <= valid_q ? exp_table(index[ExpBits-1:0]) : '0;
    shift_q <= (octaves > OctaveBits'(31)) ? 5'd31 : octaves[4:0];
    e16_q <= incremented[16:1];
  end

  assign e16_o = e16_q;

  logic unused_bits;
  assign unused_bits = ^{rounded[Drop-1:0], incremented[0]};

endmodule
