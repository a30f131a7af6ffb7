// SPDX-License-Identifier: Apache-2.0
// The core with its data bus brought out, for an AXI slave in the bench that pauses and fails at will.
//
// tb_cmd 3, taken at a rising clock edge, writes the scratchpad to spad_<bank>.hex, as in ga2_tb. `decode_errors` turns
// the slave's SLVERR, the only error it knows, into DECERR.

module ga2_axi_tb
  import ga2_pkg::*;
#(
    parameter int ROWS              = 4,
    parameter int COLS              = 4,
    parameter int BUS_BYTES         = 4,
    parameter int LANES             = 4,
    parameter int SPAD_BYTES        = 16384,
    parameter int BANKS             = 8,
    parameter int IMEM_DEPTH        = 512,
    parameter int CMEM_DEPTH        = 512,
    parameter int MAX_LEN           = 320,
    parameter int M_MAX             = 16,
    parameter int READ_OUTSTANDING  = 8,
    parameter int WRITE_OUTSTANDING = 8
) (
    input  logic clk,
    input  logic rst_n,
    output logic irq,
    input  logic [2:0] tb_cmd,
    input  logic decode_errors,

    input  logic [RegBits-1:0] s_axil_awaddr,
    input  logic [2:0]         s_axil_awprot,
    input  logic               s_axil_awvalid,
    output logic               s_axil_awready,
    input  logic [31:0]        s_axil_wdata,
    input  logic [3:0]         s_axil_wstrb,
    input  logic               s_axil_wvalid,
    output logic               s_axil_wready,
    output logic [1:0]         s_axil_bresp,
    output logic               s_axil_bvalid,
    input  logic               s_axil_bready,
    input  logic [RegBits-1:0] s_axil_araddr,
    input  logic [2:0]         s_axil_arprot,
    input  logic               s_axil_arvalid,
    output logic               s_axil_arready,
    output logic [31:0]        s_axil_rdata,
    output logic [1:0]         s_axil_rresp,
    output logic               s_axil_rvalid,
    input  logic               s_axil_rready,

    output logic                   m_axi_arid,
    output logic [31:0]            m_axi_araddr,
    output logic [7:0]             m_axi_arlen,
    output logic [2:0]             m_axi_arsize,
    output logic [1:0]             m_axi_arburst,
    output logic [3:0]             m_axi_arcache,
    output logic [2:0]             m_axi_arprot,
    output logic                   m_axi_arvalid,
    input  logic                   m_axi_arready,
    input  logic                   m_axi_rid,
    input  logic [8*BUS_BYTES-1:0] m_axi_rdata,
    input  logic [1:0]             m_axi_rresp,
    input  logic                   m_axi_rlast,
    input  logic                   m_axi_rvalid,
    output logic                   m_axi_rready,
    output logic                   m_axi_awid,
    output logic [31:0]            m_axi_awaddr,
    output logic [7:0]             m_axi_awlen,
    output logic [2:0]             m_axi_awsize,
    output logic [1:0]             m_axi_awburst,
    output logic [3:0]             m_axi_awcache,
    output logic [2:0]             m_axi_awprot,
    output logic                   m_axi_awvalid,
    input  logic                   m_axi_awready,
    output logic [8*BUS_BYTES-1:0] m_axi_wdata,
    output logic [BUS_BYTES-1:0]   m_axi_wstrb,
    output logic                   m_axi_wlast,
    output logic                   m_axi_wvalid,
    input  logic                   m_axi_wready,
    input  logic                   m_axi_bid,
    input  logic [1:0]             m_axi_bresp,
    input  logic                   m_axi_bvalid,
    output logic                   m_axi_bready,

    output logic        trace_valid,
    output logic [31:0] trace_seq,
    output logic [15:0] trace_pc,
    output logic [7:0]  trace_opcode,
    output logic [2:0]  trace_unit,
    output logic [31:0] trace_dst_lo,
    output logic [31:0] trace_dst_hi,
    output logic [7:0]  trace_fault
);

  logic [1:0] rresp, bresp;
  assign rresp = {m_axi_rresp[1], m_axi_rresp[0] || (m_axi_rresp[1] && decode_errors)};
  assign bresp = {m_axi_bresp[1], m_axi_bresp[0] || (m_axi_bresp[1] && decode_errors)};

  ga2_top #(
      .ROWS             (ROWS),
      .COLS             (COLS),
      .BUS_BYTES        (BUS_BYTES),
      .LANES            (LANES),
      .SPAD_BYTES       (SPAD_BYTES),
      .BANKS            (BANKS),
      .IMEM_DEPTH       (IMEM_DEPTH),
      .CMEM_DEPTH       (CMEM_DEPTH),
      .MAX_LEN          (MAX_LEN),
      .M_MAX            (M_MAX),
      .READ_OUTSTANDING (READ_OUTSTANDING),
      .WRITE_OUTSTANDING(WRITE_OUTSTANDING)
  ) dut (
      .clk_i         (clk),
      .rst_ni        (rst_n),
      .irq_o         (irq),
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .m_axi_arid,
      .m_axi_araddr,
      .m_axi_arlen,
      .m_axi_arsize,
      .m_axi_arburst,
      .m_axi_arcache,
      .m_axi_arprot,
      .m_axi_arvalid,
      .m_axi_arready,
      .m_axi_rid,
      .m_axi_rdata,
      .m_axi_rresp   (rresp),
      .m_axi_rlast,
      .m_axi_rvalid,
      .m_axi_rready,
      .m_axi_awid,
      .m_axi_awaddr,
      .m_axi_awlen,
      .m_axi_awsize,
      .m_axi_awburst,
      .m_axi_awcache,
      .m_axi_awprot,
      .m_axi_awvalid,
      .m_axi_awready,
      .m_axi_wdata,
      .m_axi_wstrb,
      .m_axi_wlast,
      .m_axi_wvalid,
      .m_axi_wready,
      .m_axi_bid,
      .m_axi_bresp   (bresp),
      .m_axi_bvalid,
      .m_axi_bready,
      .trace_valid_o (trace_valid),
      .trace_seq_o   (trace_seq),
      .trace_pc_o    (trace_pc),
      .trace_opcode_o(trace_opcode),
      .trace_unit_o  (trace_unit),
      .trace_dst_lo_o(trace_dst_lo),
      .trace_dst_hi_o(trace_dst_hi),
      .trace_fault_o (trace_fault)
  );

  ga2_event_log #(
      .COLS(COLS)
  ) event_log (
      .clk_i   (clk),
      .rst_ni  (rst_n),
      .tb_cmd_i(tb_cmd)
  );

  for (genvar b = 0; b < BANKS; b++) begin : gen_dump
    always @(posedge clk) begin : scratchpad_file
      if (tb_cmd == 3'd3) $writememh($sformatf("spad_%0d.hex", b), dut.u_backend.u_spad.gen_bank[b].u_bank.mem_q);
    end
  end

endmodule
