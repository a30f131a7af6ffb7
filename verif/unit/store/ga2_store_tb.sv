// SPDX-License-Identifier: Apache-2.0
// The store unit on the reference memory, or, with `external_i`, on a bus that the bench serves.
// The memory begins as guard bytes (0xAA).

module ga2_store_tb
  import ga2_ops_pkg::*;
#(
  parameter int COLS        = 4,
  parameter int BUS_BYTES   = 4,
  parameter int OUTSTANDING = 8,
  parameter int BYTES       = 65536
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   kill_i,
  input  logic                   external_i,
  input  logic                   op_valid_i,
  output logic                   op_ready_o,
  input  st_op_t                 op_i,
  output logic                   done_o,
  output logic [2:0]             done_slot_o,
  output logic                   busy_o,
  output logic                   rd_en_o,
  output logic [15:0]            rd_addr_o,
  input  logic [8*COLS-1:0]      rd_data_i,
  output logic                   beat_o,
  output logic                   outstanding_o,
  output logic                   err_valid_o,
  output logic [7:0]             err_code_o,
  output logic [31:0]            err_addr_o,
  output logic [2:0]             err_slot_o,
  // the unit's channels, whoever serves them
  output logic                   aw_valid_o,
  output logic                   aw_ready_o,
  output logic                   w_valid_o,
  output logic                   w_ready_o,
  // the external bus
  output logic [0:0]             m_axi_awid,
  output logic [31:0]            m_axi_awaddr,
  output logic [7:0]             m_axi_awlen,
  output logic [2:0]             m_axi_awsize,
  output logic [1:0]             m_axi_awburst,
  output logic                   m_axi_awvalid,
  input  logic                   m_axi_awready,
  output logic [8*BUS_BYTES-1:0] m_axi_wdata,
  output logic [BUS_BYTES-1:0]   m_axi_wstrb,
  output logic                   m_axi_wlast,
  output logic                   m_axi_wvalid,
  input  logic                   m_axi_wready,
  input  logic [0:0]             m_axi_bid,
  input  logic [1:0]             m_axi_bresp,
  input  logic                   m_axi_bvalid,
  output logic                   m_axi_bready
);

  logic       mem_awready, mem_wready, mem_bvalid, bready;
  logic [1:0] mem_bresp;

  assign aw_ready_o    = external_i ? m_axi_awready : mem_awready;
  assign w_ready_o     = external_i ? m_axi_wready : mem_wready;
  assign m_axi_awvalid = aw_valid_o && external_i;
  assign m_axi_wvalid  = w_valid_o && external_i;
  assign m_axi_bready  = bready;

  ga2_store #(.COLS(COLS), .BUS_BYTES(BUS_BYTES), .OUTSTANDING(OUTSTANDING)) u_dut (
    .clk_i, .rst_ni, .kill_i,
    .op_valid_i, .op_ready_o, .op_i, .done_o, .done_slot_o, .busy_o, .rd_en_o, .rd_addr_o, .rd_data_i,
    .m_axi_awid, .m_axi_awaddr, .m_axi_awlen, .m_axi_awsize, .m_axi_awburst,
    .m_axi_awcache (),
    .m_axi_awprot  (),
    .m_axi_awvalid (aw_valid_o),
    .m_axi_awready (aw_ready_o),
    .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast,
    .m_axi_wvalid  (w_valid_o),
    .m_axi_wready  (w_ready_o),
    .m_axi_bresp   (external_i ? m_axi_bresp : mem_bresp),
    .m_axi_bvalid  (external_i ? m_axi_bvalid : mem_bvalid),
    .m_axi_bready  (bready),
    .beat_o, .outstanding_o, .err_valid_o, .err_code_o, .err_addr_o, .err_slot_o
  );

  ga2_refmem #(.BUS_BYTES(BUS_BYTES), .BYTES(BYTES), .OUTSTANDING(OUTSTANDING)) u_mem (
    .clk_i, .rst_ni,
    .s_axi_araddr  ('0),
    .s_axi_arlen   ('0),
    .s_axi_arvalid (1'b0),
    .s_axi_arready (),
    .s_axi_rdata   (),
    .s_axi_rresp   (),
    .s_axi_rlast   (),
    .s_axi_rvalid  (),
    .s_axi_rready  (1'b1),
    .s_axi_awaddr  (m_axi_awaddr),
    .s_axi_awlen   (m_axi_awlen),
    .s_axi_awvalid (aw_valid_o && !external_i),
    .s_axi_awready (mem_awready),
    .s_axi_wdata   (m_axi_wdata),
    .s_axi_wstrb   (m_axi_wstrb),
    .s_axi_wlast   (m_axi_wlast),
    .s_axi_wvalid  (w_valid_o && !external_i),
    .s_axi_wready  (mem_wready),
    .s_axi_bresp   (mem_bresp),
    .s_axi_bvalid  (mem_bvalid),
    .s_axi_bready  (bready)
  );

  initial begin : fill
    for (int i = 0; i < BYTES / BUS_BYTES; i++) u_mem.mem_q[i] = {BUS_BYTES{8'hAA}};
  end

  // The whole memory, for the bench to compare.
  final $writememh("memory.hex", u_mem.mem_q);

endmodule
