// SPDX-License-Identifier: Apache-2.0
// The core on a memory that pauses, fails and stalls (ga2_hostile_mem), with its bus rules watched.
//
// Each record of the trace becomes a line of trace.txt: time, seq, pc, opcode, unit, dst_lo, dst_hi, fault. tb_cmd, taken
// at a rising clock edge: 1, 2 and 3 as in ga2_tb; 4 takes `seed` for the memory's pauses.

module ga2_hostile_tb
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
    parameter int MEM_BYTES         = 1048576
) (
    input  logic clk,
    input  logic rst_n,
    output logic irq,
    input  logic [2:0] tb_cmd,

    // The memory's behaviour: ga2_hostile_mem.
    input  logic [31:0]     seed,
    input  logic [4:0][8:0] chance,
    input  logic [4:0][8:0] mask,
    input  logic [4:0]      stuck,
    input  logic            ahead,
    input  logic            bad_read,
    input  logic            bad_write,
    input  logic [31:0]     bad_addr,
    input  logic [1:0]      bad_resp,
    output logic [31:0]     held,
    output logic [31:0]     held_read,
    output logic [31:0]     held_write,
    output logic            bus_outstanding,

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

  logic                   arid, arvalid, arready, rlast, rvalid, rready;
  logic [31:0]            araddr, awaddr;
  logic [7:0]             arlen, awlen;
  logic [2:0]             arsize, arprot, awsize, awprot;
  logic [1:0]             arburst, rresp, awburst, bresp;
  logic [3:0]             arcache, awcache;
  logic [8*BUS_BYTES-1:0] rdata, wdata;
  logic                   awid, awvalid, awready, wlast, wvalid, wready, bvalid, bready;
  logic [BUS_BYTES-1:0]   wstrb;

  ga2_axi_tb #(
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
  ) core (
      .clk,
      .rst_n,
      .irq,
      .tb_cmd,
      .decode_errors (1'b0),
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
      .m_axi_arid     (arid),
      .m_axi_araddr   (araddr),
      .m_axi_arlen    (arlen),
      .m_axi_arsize   (arsize),
      .m_axi_arburst  (arburst),
      .m_axi_arcache  (arcache),
      .m_axi_arprot   (arprot),
      .m_axi_arvalid  (arvalid),
      .m_axi_arready  (arready),
      .m_axi_rid      (1'b0),
      .m_axi_rdata    (rdata),
      .m_axi_rresp    (rresp),
      .m_axi_rlast    (rlast),
      .m_axi_rvalid   (rvalid),
      .m_axi_rready   (rready),
      .m_axi_awid     (awid),
      .m_axi_awaddr   (awaddr),
      .m_axi_awlen    (awlen),
      .m_axi_awsize   (awsize),
      .m_axi_awburst  (awburst),
      .m_axi_awcache  (awcache),
      .m_axi_awprot   (awprot),
      .m_axi_awvalid  (awvalid),
      .m_axi_awready  (awready),
      .m_axi_wdata    (wdata),
      .m_axi_wstrb    (wstrb),
      .m_axi_wlast    (wlast),
      .m_axi_wvalid   (wvalid),
      .m_axi_wready   (wready),
      .m_axi_bid      (1'b0),
      .m_axi_bresp    (bresp),
      .m_axi_bvalid   (bvalid),
      .m_axi_bready   (bready),
      .trace_valid,
      .trace_seq,
      .trace_pc,
      .trace_opcode,
      .trace_unit,
      .trace_dst_lo,
      .trace_dst_hi,
      .trace_fault
  );

  ga2_hostile_mem #(
      .BUS_BYTES(BUS_BYTES),
      .BYTES    (MEM_BYTES)
  ) mem (
      .clk_i        (clk),
      .rst_ni       (rst_n),
      .load_i       (tb_cmd == 3'd4),
      .seed_i       (seed),
      .chance_i     (chance),
      .mask_i       (mask),
      .stuck_i      (stuck),
      .ahead_i      (ahead),
      .bad_read_i   (bad_read),
      .bad_write_i  (bad_write),
      .bad_addr_i   (bad_addr),
      .bad_resp_i   (bad_resp),
      .held_o       (held),
      .held_read_o  (held_read),
      .held_write_o (held_write),
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

  ga2_axi_rules #(
      .BUS_BYTES        (BUS_BYTES),
      .READ_OUTSTANDING (READ_OUTSTANDING),
      .WRITE_OUTSTANDING(WRITE_OUTSTANDING)
  ) rules (
      .clk_i         (clk),
      .rst_ni        (rst_n),
      .quiet_i       (irq),
      .outstanding_o (bus_outstanding),
      .araddr_i      (araddr),
      .arlen_i       (arlen),
      .arsize_i      (arsize),
      .arburst_i     (arburst),
      .arvalid_i     (arvalid),
      .arready_i     (arready),
      .rlast_i       (rlast),
      .rvalid_i      (rvalid),
      .rready_i      (rready),
      .awaddr_i      (awaddr),
      .awlen_i       (awlen),
      .awsize_i      (awsize),
      .awburst_i     (awburst),
      .awvalid_i     (awvalid),
      .awready_i     (awready),
      .wdata_i       (wdata),
      .wstrb_i       (wstrb),
      .wlast_i       (wlast),
      .wvalid_i      (wvalid),
      .wready_i      (wready),
      .bvalid_i      (bvalid),
      .bready_i      (bready)
  );

  logic unused_attributes;
  assign unused_attributes = ^{arid, arcache, arprot, awid, awcache, awprot};

  always @(posedge clk) begin  // memory_files
    if (tb_cmd == 3'd1) $writememh("ext.hex", mem.u_memory.mem_q);
    if (tb_cmd == 3'd2) $readmemh("ext_load.hex", mem.u_memory.mem_q);
  end

  int trace_file;
  initial trace_file = $fopen("trace.txt", "w");

  always @(posedge clk or negedge rst_n) begin  // trace
    if (rst_n) begin
      assert (^trace_valid !== 1'bx) else $fatal(1, "x on trace_valid");
      if (trace_valid) begin
        $fdisplay(trace_file, "%0d %0d %0d %0d %0d %0d %0d %0d", $time, trace_seq, trace_pc, trace_opcode, trace_unit,
                  trace_dst_lo, trace_dst_hi, trace_fault);
        $fflush(trace_file);
      end
    end
  end

endmodule
