// SPDX-License-Identifier: Apache-2.0
// The core between scan chains, for synthesis: its ports are more than a package has pins.
//
// Every input of the core comes out of a register and every output enters one, as within a larger chip, so each path
// of the core has its true start and end. Inputs are shifted in; outputs are captured, then shifted out: nothing is
// known to the optimiser and nothing is left unobserved. `u_core` is what the figures count.
module ga2_ecp5
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
    input  logic clk_i,
    input  logic rst_ni,
    input  logic shift_i,    // the next bit into the inputs
    input  logic capture_i,  // all outputs at once; else they move one bit out
    input  logic scan_i,
    output logic scan_o
);

  typedef struct packed {
    logic [RegBits-1:0]     axil_awaddr;
    logic [2:0]             axil_awprot;
    logic                   axil_awvalid;
    logic [31:0]            axil_wdata;
    logic [3:0]             axil_wstrb;
    logic                   axil_wvalid;
    logic                   axil_bready;
    logic [RegBits-1:0]     axil_araddr;
    logic [2:0]             axil_arprot;
    logic                   axil_arvalid;
    logic                   axil_rready;
    logic                   arready;
    logic                   rid;
    logic [8*BUS_BYTES-1:0] rdata;
    logic [1:0]             rresp;
    logic                   rlast;
    logic                   rvalid;
    logic                   awready;
    logic                   wready;
    logic                   bid;
    logic [1:0]             bresp;
    logic                   bvalid;
  } inputs_t;

  typedef struct packed {
    logic                   irq;
    logic                   axil_awready;
    logic                   axil_wready;
    logic [1:0]             axil_bresp;
    logic                   axil_bvalid;
    logic                   axil_arready;
    logic [31:0]            axil_rdata;
    logic [1:0]             axil_rresp;
    logic                   axil_rvalid;
    logic                   arid;
    logic [31:0]            araddr;
    logic [7:0]             arlen;
    logic [2:0]             arsize;
    logic [1:0]             arburst;
    logic [3:0]             arcache;
    logic [2:0]             arprot;
    logic                   arvalid;
    logic                   rready;
    logic                   awid;
    logic [31:0]            awaddr;
    logic [7:0]             awlen;
    logic [2:0]             awsize;
    logic [1:0]             awburst;
    logic [3:0]             awcache;
    logic [2:0]             awprot;
    logic                   awvalid;
    logic [8*BUS_BYTES-1:0] wdata;
    logic [BUS_BYTES-1:0]   wstrb;
    logic                   wlast;
    logic                   wvalid;
    logic                   bready;
    logic                   trace_valid;
    logic [31:0]            trace_seq;
    logic [15:0]            trace_pc;
    logic [7:0]             trace_opcode;
    logic [2:0]             trace_unit;
    logic [31:0]            trace_dst_lo;
    logic [31:0]            trace_dst_hi;
    logic [7:0]             trace_fault;
  } outputs_t;

  inputs_t    in_q;
  outputs_t   outs, out_q;
  logic       settling_q, running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin  // the reset ends in step with the clock
    if (!rst_ni) {running_q, settling_q} <= 2'b00;
    else {running_q, settling_q} <= {settling_q, 1'b1};
  end

  always_ff @(posedge clk_i) begin
    if (shift_i) in_q <= {in_q[$bits(inputs_t)-2:0], scan_i};
    out_q <= capture_i ? outs : {out_q[$bits(outputs_t)-2:0], 1'b0};
  end

  assign scan_o = out_q[$bits(outputs_t)-1];

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
  ) u_core (
      .clk_i,
      .rst_ni        (running_q),
      .irq_o         (outs.irq),
      .s_axil_awaddr (in_q.axil_awaddr),
      .s_axil_awprot (in_q.axil_awprot),
      .s_axil_awvalid(in_q.axil_awvalid),
      .s_axil_awready(outs.axil_awready),
      .s_axil_wdata  (in_q.axil_wdata),
      .s_axil_wstrb  (in_q.axil_wstrb),
      .s_axil_wvalid (in_q.axil_wvalid),
      .s_axil_wready (outs.axil_wready),
      .s_axil_bresp  (outs.axil_bresp),
      .s_axil_bvalid (outs.axil_bvalid),
      .s_axil_bready (in_q.axil_bready),
      .s_axil_araddr (in_q.axil_araddr),
      .s_axil_arprot (in_q.axil_arprot),
      .s_axil_arvalid(in_q.axil_arvalid),
      .s_axil_arready(outs.axil_arready),
      .s_axil_rdata  (outs.axil_rdata),
      .s_axil_rresp  (outs.axil_rresp),
      .s_axil_rvalid (outs.axil_rvalid),
      .s_axil_rready (in_q.axil_rready),
      .m_axi_arid    (outs.arid),
      .m_axi_araddr  (outs.araddr),
      .m_axi_arlen   (outs.arlen),
      .m_axi_arsize  (outs.arsize),
      .m_axi_arburst (outs.arburst),
      .m_axi_arcache (outs.arcache),
      .m_axi_arprot  (outs.arprot),
      .m_axi_arvalid (outs.arvalid),
      .m_axi_arready (in_q.arready),
      .m_axi_rid     (in_q.rid),
      .m_axi_rdata   (in_q.rdata),
      .m_axi_rresp   (in_q.rresp),
      .m_axi_rlast   (in_q.rlast),
      .m_axi_rvalid  (in_q.rvalid),
      .m_axi_rready  (outs.rready),
      .m_axi_awid    (outs.awid),
      .m_axi_awaddr  (outs.awaddr),
      .m_axi_awlen   (outs.awlen),
      .m_axi_awsize  (outs.awsize),
      .m_axi_awburst (outs.awburst),
      .m_axi_awcache (outs.awcache),
      .m_axi_awprot  (outs.awprot),
      .m_axi_awvalid (outs.awvalid),
      .m_axi_awready (in_q.awready),
      .m_axi_wdata   (outs.wdata),
      .m_axi_wstrb   (outs.wstrb),
      .m_axi_wlast   (outs.wlast),
      .m_axi_wvalid  (outs.wvalid),
      .m_axi_wready  (in_q.wready),
      .m_axi_bid     (in_q.bid),
      .m_axi_bresp   (in_q.bresp),
      .m_axi_bvalid  (in_q.bvalid),
      .m_axi_bready  (outs.bready),
      .trace_valid_o (outs.trace_valid),
      .trace_seq_o   (outs.trace_seq),
      .trace_pc_o    (outs.trace_pc),
      .trace_opcode_o(outs.trace_opcode),
      .trace_unit_o  (outs.trace_unit),
      .trace_dst_lo_o(outs.trace_dst_lo),
      .trace_dst_hi_o(outs.trace_dst_hi),
      .trace_fault_o (outs.trace_fault)
  );

endmodule
