// SPDX-License-Identifier: Apache-2.0
// The core with the reference memory. The bench drives the control port; memory contents move by files.
//
// tb_cmd, taken at a rising clock edge:
//   1  write external memory to ext.hex           ($writememh, one bus word a line)
//   2  read ext_load.hex into external memory     ($readmemh, @address lines allowed)
//   3  write the scratchpad to spad_<bank>.hex
//   4, 5  with WAVES: dump this program, and this one as the last (ga2_wave_probe)

module ga2_tb
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
    parameter int WRITE_OUTSTANDING = 8,
    parameter int MEM_BYTES         = 1048576,
    parameter int WAVES             = 0       // 1: with the probe that dumps a block
) (
    input  logic clk,
    input  logic rst_n,
    output logic irq,
    input  logic [2:0] tb_cmd,

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

    output logic        trace_valid,
    output logic [31:0] trace_seq,
    output logic [15:0] trace_pc,
    output logic [7:0]  trace_opcode,
    output logic [2:0]  trace_unit,
    output logic [31:0] trace_dst_lo,
    output logic [31:0] trace_dst_hi,
    output logic [7:0]  trace_fault
);

  logic                   arid, arvalid, arready, rid, rlast, rvalid, rready;
  logic [31:0]            araddr, awaddr;
  logic [7:0]             arlen, awlen;
  logic [2:0]             arsize, arprot, awsize, awprot;
  logic [1:0]             arburst, rresp, awburst, bresp;
  logic [3:0]             arcache, awcache;
  logic [8*BUS_BYTES-1:0] rdata, wdata;
  logic                   awid, awvalid, awready, wlast, wvalid, wready, bid, bvalid, bready;
  logic [BUS_BYTES-1:0]   wstrb;

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
      .m_axi_arid    (arid),
      .m_axi_araddr  (araddr),
      .m_axi_arlen   (arlen),
      .m_axi_arsize  (arsize),
      .m_axi_arburst (arburst),
      .m_axi_arcache (arcache),
      .m_axi_arprot  (arprot),
      .m_axi_arvalid (arvalid),
      .m_axi_arready (arready),
      .m_axi_rid     (rid),
      .m_axi_rdata   (rdata),
      .m_axi_rresp   (rresp),
      .m_axi_rlast   (rlast),
      .m_axi_rvalid  (rvalid),
      .m_axi_rready  (rready),
      .m_axi_awid    (awid),
      .m_axi_awaddr  (awaddr),
      .m_axi_awlen   (awlen),
      .m_axi_awsize  (awsize),
      .m_axi_awburst (awburst),
      .m_axi_awcache (awcache),
      .m_axi_awprot  (awprot),
      .m_axi_awvalid (awvalid),
      .m_axi_awready (awready),
      .m_axi_wdata   (wdata),
      .m_axi_wstrb   (wstrb),
      .m_axi_wlast   (wlast),
      .m_axi_wvalid  (wvalid),
      .m_axi_wready  (wready),
      .m_axi_bid     (bid),
      .m_axi_bresp   (bresp),
      .m_axi_bvalid  (bvalid),
      .m_axi_bready  (bready),
      .trace_valid_o (trace_valid),
      .trace_seq_o   (trace_seq),
      .trace_pc_o    (trace_pc),
      .trace_opcode_o(trace_opcode),
      .trace_unit_o  (trace_unit),
      .trace_dst_lo_o(trace_dst_lo),
      .trace_dst_hi_o(trace_dst_hi),
      .trace_fault_o (trace_fault)
  );

  assign rid = 1'b0;
  assign bid = 1'b0;

  ga2_refmem #(
      .BUS_BYTES(BUS_BYTES),
      .BYTES    (MEM_BYTES)
  ) mem (
      .clk_i        (clk),
      .rst_ni       (rst_n),
      .s_axi_araddr (araddr),
      .s_axi_arlen  (arlen),
      .s_axi_arvalid(arvalid),
      .s_axi_arready(arready),
      .s_axi_rdata  (rdata),
      .s_axi_rresp  (rresp),
      .s_axi_rlast  (rlast),
      .s_axi_rvalid (rvalid),
      .s_axi_rready (rready),
      .s_axi_awaddr (awaddr),
      .s_axi_awlen  (awlen),
      .s_axi_awvalid(awvalid),
      .s_axi_awready(awready),
      .s_axi_wdata  (wdata),
      .s_axi_wstrb  (wstrb),
      .s_axi_wlast  (wlast),
      .s_axi_wvalid (wvalid),
      .s_axi_wready (wready),
      .s_axi_bresp  (bresp),
      .s_axi_bvalid (bvalid),
      .s_axi_bready (bready)
  );

  logic unused_attributes;  // the reference memory takes full-width INCR bursts with id 0 only
  assign unused_attributes = ^{arid, arsize, arburst, arcache, arprot, awid, awsize, awburst, awcache, awprot};

  always @(posedge clk) begin  // memory_files
    if (tb_cmd == 3'd1) $writememh("ext.hex", mem.mem_q);
    if (tb_cmd == 3'd2) $readmemh("ext_load.hex", mem.mem_q);
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_dump
    always @(posedge clk) begin  // scratchpad_file
      if (tb_cmd == 3'd3) $writememh($sformatf("spad_%0d.hex", b), dut.u_backend.u_spad.gen_bank[b].u_bank.mem_q);
    end
  end

  ga2_event_log #(
      .COLS(COLS)
  ) event_log (
      .clk_i   (clk),
      .rst_ni  (rst_n),
      .tb_cmd_i(tb_cmd)
  );

  if (WAVES != 0) begin : gen_waves
    ga2_wave_probe #(
        .IMEM_DEPTH(IMEM_DEPTH)
    ) probe (
        .clk_i   (clk),
        .rst_ni  (rst_n),
        .tb_cmd_i(tb_cmd),
        .irq_i   (irq)
    );
  end

endmodule
