// SPDX-License-Identifier: Apache-2.0
// The load unit on the reference memory, or, with `external_i`, on a bus that the bench serves.
// The memory holds a pattern that the bench knows: see `pattern` in load_bench.py.

module ga2_load_tb
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
  input  ld_op_t                 op_i,
  output logic                   done_o,
  output logic [2:0]             done_slot_o,
  output logic                   busy_o,
  output logic                   rd_en_o,
  output logic [15:0]            rd_addr_o,
  input  logic [8*COLS-1:0]      rd_data_i,
  output logic                   wr_en_o,
  output logic [15:0]            wr_addr_o,
  output logic [8*COLS-1:0]      wr_data_o,
  output logic                   beat_o,
  output logic                   outstanding_o,
  output logic                   err_valid_o,
  output logic [7:0]             err_code_o,
  output logic [31:0]            err_addr_o,
  output logic [2:0]             err_slot_o,
  // the unit's address channel, whoever serves it
  output logic                   ar_valid_o,
  output logic                   ar_ready_o,
  // the external bus
  output logic [0:0]             m_axi_arid,
  output logic [31:0]            m_axi_araddr,
  output logic [7:0]             m_axi_arlen,
  output logic [2:0]             m_axi_arsize,
  output logic [1:0]             m_axi_arburst,
  output logic                   m_axi_arvalid,
  input  logic                   m_axi_arready,
  input  logic [0:0]             m_axi_rid,
  input  logic [8*BUS_BYTES-1:0] m_axi_rdata,
  input  logic [1:0]             m_axi_rresp,
  input  logic                   m_axi_rlast,
  input  logic                   m_axi_rvalid,
  output logic                   m_axi_rready
);

  logic                   mem_arready, mem_rlast, mem_rvalid, rready;
  logic [8*BUS_BYTES-1:0] mem_rdata;
  logic [1:0]             mem_rresp;

  assign ar_ready_o    = external_i ? m_axi_arready : mem_arready;
  assign m_axi_arvalid = ar_valid_o && external_i;
  assign m_axi_rready  = rready;

  ga2_load #(.COLS(COLS), .BUS_BYTES(BUS_BYTES), .OUTSTANDING(OUTSTANDING)) u_dut (
    .clk_i, .rst_ni, .kill_i,
    .op_valid_i, .op_ready_o, .op_i, .done_o, .done_slot_o, .busy_o,
    .rd_en_o, .rd_addr_o, .rd_data_i, .wr_en_o, .wr_addr_o, .wr_data_o,
    .m_axi_arid, .m_axi_araddr, .m_axi_arlen, .m_axi_arsize, .m_axi_arburst,
    .m_axi_arcache (),
    .m_axi_arprot  (),
    .m_axi_arvalid (ar_valid_o),
    .m_axi_arready (ar_ready_o),
    .m_axi_rdata   (external_i ? m_axi_rdata : mem_rdata),
    .m_axi_rresp   (external_i ? m_axi_rresp : mem_rresp),
    .m_axi_rlast   (external_i ? m_axi_rlast : mem_rlast),
    .m_axi_rvalid  (external_i ? m_axi_rvalid : mem_rvalid),
    .m_axi_rready  (rready),
    .beat_o, .outstanding_o, .err_valid_o, .err_code_o, .err_addr_o, .err_slot_o
  );

  ga2_refmem #(.BUS_BYTES(BUS_BYTES), .BYTES(BYTES), .OUTSTANDING(OUTSTANDING)) u_mem (
    .clk_i, .rst_ni,
    .s_axi_araddr  (m_axi_araddr),
    .s_axi_arlen   (m_axi_arlen),
    .s_axi_arvalid (ar_valid_o && !external_i),
    .s_axi_arready (mem_arready),
    .s_axi_rdata   (mem_rdata),
    .s_axi_rresp   (mem_rresp),
    .s_axi_rlast   (mem_rlast),
    .s_axi_rvalid  (mem_rvalid),
    .s_axi_rready  (rready),
    .s_axi_awaddr  ('0),
    .s_axi_awlen   ('0),
    .s_axi_awvalid (1'b0),
    .s_axi_awready (),
    .s_axi_wdata   ('0),
    .s_axi_wstrb   ('0),
    .s_axi_wlast   (1'b0),
    .s_axi_wvalid  (1'b0),
    .s_axi_wready  (),
    .s_axi_bresp   (),
    .s_axi_bvalid  (),
    .s_axi_bready  (1'b1)
  );

  initial begin : fill
    logic [8*BUS_BYTES-1:0] entry;
    for (int i = 0; i < BYTES / BUS_BYTES; i++) begin
      for (int j = 0; j < BUS_BYTES; j++) begin
        entry[8*j +: 8] = 8'((i * BUS_BYTES + j) * 167 + ((i * BUS_BYTES + j) >> 8) * 59 + 17);
      end
      u_mem.mem_q[i] = entry;
    end
  end

endmodule
