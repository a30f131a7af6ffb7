// SPDX-License-Identifier: Apache-2.0
// The image loader with the load unit and the reference memory, which holds a pattern that the bench knows (see `pattern`
// in image_loader_bench.py).

module ga2_image_loader_tb
  import ga2_ops_pkg::*;
#(
  parameter int COLS       = 4,
  parameter int BUS_BYTES  = 4,
  parameter int IMEM_DEPTH = 64,
  parameter int CMEM_DEPTH = 64,
  parameter int BYTES      = 16384
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kill_i,
  input  logic        start_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] instrs_i,
  input  logic [31:0] consts_i,
  output logic        busy_o,
  output logic        done_o,
  output logic        outstanding_o,
  output logic        imem_we_o,
  output logic [15:0] imem_index_o,
  output logic [255:0] imem_data_o,
  output logic        cmem_we_o,
  output logic [15:0] cmem_index_o,
  output const_t      cmem_data_o,
  output logic        err_valid_o,
  output logic [7:0]  err_code_o,
  output logic [31:0] err_addr_o,
  output logic        bus_err_valid_o,
  output logic [7:0]  bus_err_code_o,
  output logic [31:0] bus_err_addr_o
);

  ld_op_t                        op;
  logic                          op_valid, op_ready, word_valid;
  logic [8*COLS-1:0]             word;
  logic [$clog2(IMEM_DEPTH)-1:0] imem_addr;
  logic [$clog2(CMEM_DEPTH)-1:0] cmem_addr;

  assign imem_index_o = 16'(imem_addr);
  assign cmem_index_o = 16'(cmem_addr);

  ga2_image_loader #(.COLS(COLS), .IMEM_DEPTH(IMEM_DEPTH), .CMEM_DEPTH(CMEM_DEPTH)) u_dut (
    .clk_i, .rst_ni, .kill_i, .start_i, .addr_i, .instrs_i, .consts_i, .busy_o, .done_o,
    .op_valid_o   (op_valid),
    .op_ready_i   (op_ready),
    .op_o         (op),
    .word_valid_i (word_valid),
    .word_i       (word),
    .imem_we_o,
    .imem_addr_o  (imem_addr),
    .imem_data_o,
    .cmem_we_o,
    .cmem_addr_o  (cmem_addr),
    .cmem_data_o,
    .err_valid_o, .err_code_o, .err_addr_o
  );

  logic [31:0]            araddr;
  logic [7:0]             arlen;
  logic                   arvalid, arready, rlast, rvalid, rready;
  logic [8*BUS_BYTES-1:0] rdata;
  logic [1:0]             rresp;

  ga2_load #(.COLS(COLS), .BUS_BYTES(BUS_BYTES)) u_load (
    .clk_i, .rst_ni, .kill_i,
    .op_valid_i    (op_valid),
    .op_ready_o    (op_ready),
    .op_i          (op),
    .done_o        (),
    .done_slot_o   (),
    .busy_o        (),
    .rd_en_o       (),
    .rd_addr_o     (),
    .rd_data_i     ('0),
    .wr_en_o       (word_valid),
    .wr_addr_o     (),
    .wr_data_o     (word),
    .m_axi_arid    (),
    .m_axi_araddr  (araddr),
    .m_axi_arlen   (arlen),
    .m_axi_arsize  (),
    .m_axi_arburst (),
    .m_axi_arcache (),
    .m_axi_arprot  (),
    .m_axi_arvalid (arvalid),
    .m_axi_arready (arready),
    .m_axi_rdata   (rdata),
    .m_axi_rresp   (rresp),
    .m_axi_rlast   (rlast),
    .m_axi_rvalid  (rvalid),
    .m_axi_rready  (rready),
    .beat_o        (),
    .outstanding_o,
    .err_valid_o   (bus_err_valid_o),
    .err_code_o    (bus_err_code_o),
    .err_addr_o    (bus_err_addr_o),
    .err_slot_o    ()
  );

  ga2_refmem #(.BUS_BYTES(BUS_BYTES), .BYTES(BYTES)) u_mem (
    .clk_i, .rst_ni,
    .s_axi_araddr  (araddr),
    .s_axi_arlen   (arlen),
    .s_axi_arvalid (arvalid),
    .s_axi_arready (arready),
    .s_axi_rdata   (rdata),
    .s_axi_rresp   (rresp),
    .s_axi_rlast   (rlast),
    .s_axi_rvalid  (rvalid),
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
