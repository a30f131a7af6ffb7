// SPDX-License-Identifier: Apache-2.0
// The matrix unit between behavioural memories. The bench fills them through the `set` ports while the unit is idle;
// `poison_i` makes every word unknown (X where the simulator knows X, else a pattern), so that a byte which ought not to
// matter and does is seen. A read port gives garbage in every cycle but the one after its request.

module ga2_mm_tb
  import ga2_ops_pkg::*;
#(
  parameter int ROWS   = 4,
  parameter int COLS   = 4,
  parameter int LANES  = 4,
  parameter int WORDS  = 4096,
  parameter int CONSTS = 256
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   kill_i,
  // memories
  input  logic                   poison_i,
  input  logic                   set_en_i,
  input  logic [15:0]            set_addr_i,
  input  logic [8*COLS-1:0]      set_data_i,
  input  logic                   set_const_en_i,
  input  logic [15:0]            set_const_addr_i,
  input  logic [$bits(const_t)-1:0] set_const_data_i,
  // the unit
  input  logic                   op_valid_i,
  output logic                   op_ready_o,
  input  mm_op_t                 op_i,
  output logic                   done_o,
  output logic [2:0]             done_slot_o,
  output logic                   busy_o,
  output logic                   stepping_o,
  output logic                   left_en_o,
  output logic [15:0]            left_addr_o,
  output logic                   right_en_o,
  output logic [15:0]            right_addr_o,
  output logic                   aux_en_o,
  output logic [15:0]            aux_addr_o,
  output logic                   const_en_o,
  output logic [15:0]            const_addr_o,
  output logic                   wr_en_o,
  output logic [15:0]            wr_addr_o,
  output logic [8*COLS-1:0]      wr_data_o
);

  localparam int Bits = $bits(const_t);
  localparam int Address = $clog2(WORDS);
  localparam int ConstAddress = $clog2(CONSTS);

  logic [8*COLS-1:0] spad_q[WORDS];
  logic [Bits-1:0] consts_q[CONSTS];
  logic [8*COLS-1:0] garbage, left_q, right_q, aux_q;
  logic [Bits-1:0] const_garbage, const_q;

`ifdef VERILATOR
  assign garbage = {COLS{8'hA7}};
  assign const_garbage = {Bits{1'b1}};
`else
  assign garbage = 'x;
  assign const_garbage = 'x;
`endif

  always_ff @(posedge clk_i) begin
    if (poison_i) begin
      for (int i = 0; i < WORDS; i++) spad_q[i] <= garbage;
      for (int i = 0; i < CONSTS; i++) consts_q[i] <= const_garbage;
    end
    if (set_en_i) spad_q[Address'(set_addr_i)] <= set_data_i;
    if (wr_en_o) spad_q[Address'(wr_addr_o)] <= wr_data_o;
    if (set_const_en_i) consts_q[ConstAddress'(set_const_addr_i)] <= set_const_data_i;
    left_q <= left_en_o ? spad_q[Address'(left_addr_o)] : garbage;
    right_q <= right_en_o ? spad_q[Address'(right_addr_o)] : garbage;
    aux_q <= aux_en_o ? spad_q[Address'(aux_addr_o)] : garbage;
    const_q <= const_en_o ? consts_q[ConstAddress'(const_addr_o)] : const_garbage;
  end

  logic unused_bits;
  assign unused_bits = ^{set_addr_i, set_const_addr_i};

  ga2_mm #(
    .ROWS (ROWS),
    .COLS (COLS),
    .LANES(LANES)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .op_valid_i,
    .op_ready_o,
    .op_i,
    .done_o,
    .done_slot_o,
    .busy_o,
    .stepping_o,
    .left_en_o,
    .left_addr_o,
    .left_data_i(left_q),
    .right_en_o,
    .right_addr_o,
    .right_data_i(right_q),
    .aux_en_o,
    .aux_addr_o,
    .aux_data_i(aux_q),
    .wr_en_o,
    .wr_addr_o,
    .wr_data_o,
    .const_en_o,
    .const_addr_o,
    .const_data_i(const_q)
  );

endmodule
