// SPDX-License-Identifier: Apache-2.0
// One lane of the drain: an int32 sum becomes an int8, clamp(rescale(sum + bias [+ aux*rfac]) + zp).
//
//   cycle  t          bias and residual are added
//          t+1        four 16-bit products: acc*mult = {hh, ll} + (cross << 16)
//          t+2        they are added; shifted; saturated to 10 bits, which no zero point can bring back into 8
//          t+3        rounding bit and zero point are added; clamped (out of a register, into the scratchpad)
//
// Rounding half up, (v + (1 << shift-1)) >> shift, is the shifted value plus the last bit shifted out.
// Double rounding adds +-2^30 before, away from zero, when the shift exceeds 31.
module ga2_requant (
    input  logic        clk_i,
    input  logic        en_i,      // otherwise all rests
    // cycle t
    input  logic [31:0] sum_i,
    input  logic [31:0] bias_i,
    input  logic        use_aux_i,
    input  logic [7:0]  aux_i,
    input  logic [15:0] rfac_i,
    input  logic [30:0] mult_i,
    input  logic [5:0]  shift_i,
    input  logic        double_i,
    // cycle t+3
    input  logic [7:0]  zp_i,
    input  logic [7:0]  lo_i,
    input  logic [7:0]  hi_i,
    output logic [7:0]  byte_o
);

  // t: the accumulator
  logic signed [23:0] residual;
  logic signed [31:0] acc_q;
  logic [30:0] mult_q;
  logic [5:0] shift1_q;
  logic double_q;

  assign residual = use_aux_i ? $signed(aux_i) * $signed(rfac_i) : 24'sd0;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      acc_q <= $signed(sum_i) + $signed(bias_i) + 32'(residual);
      mult_q <= mult_i;
      shift1_q <= shift_i;
      double_q <= double_i;
    end
  end

  // t+1: partial products
  logic signed [16:0] acc_hi, acc_lo, mult_hi, mult_lo;
  logic signed [33:0] hh, ll, cross_d, cross_q;
  logic signed [63:0] nudge, base_q;
  logic [5:0] shift2_q;
  logic [54:0] beyond_q;     // bits of the product that lie at or above the shifted one's bit 9

  assign acc_hi = 17'($signed(acc_q[31:16]));
  assign acc_lo = {1'b0, acc_q[15:0]};
  assign mult_hi = {2'b00, mult_q[30:16]};
  assign mult_lo = {1'b0, mult_q[15:0]};
  assign hh = acc_hi * mult_hi;
  assign ll = acc_lo * mult_lo;
  assign cross_d = acc_hi * mult_lo + acc_lo * mult_hi;

  assign nudge = !double_q || shift1_q <= 6'd31 ? '0 : acc_q[31] ? -(64'sd1 <<< 30) : (64'sd1 <<< 30);

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      base_q <= $signed({hh[31:0], ll[31:0]}) + nudge;
      cross_q <= cross_d;
      shift2_q <= shift1_q;
      beyond_q <= {55{1'b1}} << shift1_q;
    end
  end

  // t+2: the product, shifted
  logic signed [63:0] value;
  logic signed [64:0] shifted;
  logic overflow;
  logic signed [9:0] narrow_q;
  logic half_q;

  assign value = base_q + (64'(cross_q) <<< 16);
  assign shifted = $signed({value, 1'b0}) >>> shift2_q;
  assign overflow = |(beyond_q & value[63:9]) && |(beyond_q & ~value[63:9]);  // neither all zeros nor all ones

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      narrow_q <= overflow ? {value[63], {9{!value[63]}}} : shifted[10:1];
      half_q <= shifted[0];
    end
  end

  // t+3: the byte
  logic signed [11:0] total, zp, lo, hi, raised, clamped;

  assign zp = 12'($signed(zp_i));
  assign lo = 12'($signed(lo_i));
  assign hi = 12'($signed(hi_i));
  assign total = 12'(narrow_q) + $signed({11'b0, half_q}) + zp;
  assign raised = (total < lo) ? lo : total;
  assign clamped = (raised > hi) ? hi : raised;
  assign byte_o = clamped[7:0];

  logic unused_bits;
  assign unused_bits = ^{hh[33:32], ll[33:32], shifted[64:11], clamped[11:8]};

endmodule
