// SPDX-License-Identifier: Apache-2.0
// The units around the scratchpad: load, store, matrix, vector, softmax, and the image loader that borrows the load
// unit while no program runs.

module ga2_backend
  import ga2_pkg::*;
  import ga2_ops_pkg::*;
#(
    parameter int ROWS              = 4,
    parameter int COLS              = 4,
    parameter int BUS_BYTES         = 4,
    parameter int LANES             = 4,
    parameter int SPAD_WORDS        = 4096,
    parameter int BANKS             = 8,
    parameter int IMEM_DEPTH        = 512,
    parameter int CMEM_DEPTH        = 512,
    parameter int READ_OUTSTANDING  = 8,
    parameter int WRITE_OUTSTANDING = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic kill_i,

    // image
    input  logic                          load_i,
    input  logic [31:0]                   image_addr_i,
    input  logic [15:0]                   image_instrs_i,
    input  logic [15:0]                   image_consts_i,
    output logic                          load_finish_o,
    output logic                          imem_we_o,
    output logic [$clog2(IMEM_DEPTH)-1:0] imem_addr_o,
    output logic [InstrWidth-1:0]         imem_data_o,
    output logic                          cmem_we_o,
    output logic [$clog2(CMEM_DEPTH)-1:0] cmem_waddr_o,
    output const_t                        cmem_wdata_o,

    // operations
    input  logic                   ld_valid_i,
    output logic                   ld_ready_o,
    input  ld_op_t                 ld_op_i,
    input  logic                   st_valid_i,
    output logic                   st_ready_o,
    input  st_op_t                 st_op_i,
    input  logic                   mm_valid_i,
    output logic                   mm_ready_o,
    input  mm_op_t                 mm_op_i,
    input  logic                   sm_valid_i,
    output logic                   sm_ready_o,
    input  sm_op_t                 sm_op_i,
    input  logic                   vec_valid_i,
    output logic                   vec_ready_o,
    input  vec_op_t                vec_op_i,
    output logic [WindowSlots-1:0] done_slots_o,

    // column constants
    output logic        cmem_en_o,
    output logic [15:0] cmem_addr_o,
    input  const_t      cmem_data_i,

    // faults in execution
    output logic        error_o,
    output logic [7:0]  error_code_o,
    output logic [31:0] error_addr_o,
    output logic [2:0]  error_slot_o,
    output logic        outstanding_o,  // a burst is unfinished

    // for the counters
    output logic ld_busy_o,
    output logic st_busy_o,
    output logic mm_busy_o,
    output logic sm_busy_o,
    output logic vec_busy_o,
    output logic stepping_o,
    output logic read_beat_o,
    output logic write_beat_o,

    // data bus
    output logic                   m_axi_arid,
    output logic [31:0]            m_axi_araddr,
    output logic [7:0]             m_axi_arlen,
    output logic [2:0]             m_axi_arsize,
    output logic [1:0]             m_axi_arburst,
    output logic [3:0]             m_axi_arcache,
    output logic [2:0]             m_axi_arprot,
    output logic                   m_axi_arvalid,
    input  logic                   m_axi_arready,
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
    input  logic [1:0]             m_axi_bresp,
    input  logic                   m_axi_bvalid,
    output logic                   m_axi_bready
);

  localparam int WORD = 8 * COLS;

  // ---- Image ------------------------------------------------------------------------------------------------

  logic   image_busy, image_valid, image_error, unit_valid, ld_wr_en;
  ld_op_t image_op, unit_op;
  logic [7:0]      image_error_code;
  logic [31:0]     image_error_addr;
  logic [15:0]     ld_wr_addr;
  logic [WORD-1:0] ld_wr_data;

  ga2_image_loader #(
      .COLS      (COLS),
      .IMEM_DEPTH(IMEM_DEPTH),
      .CMEM_DEPTH(CMEM_DEPTH)
  ) u_image_loader (
      .clk_i,
      .rst_ni,
      .kill_i,
      .start_i     (load_i),
      .addr_i      (image_addr_i),
      .instrs_i    (32'(image_instrs_i)),
      .consts_i    (32'(image_consts_i)),
      .busy_o      (image_busy),
      .done_o      (load_finish_o),
      .op_valid_o  (image_valid),
      .op_ready_i  (ld_ready_o),
      .op_o        (image_op),
      .word_valid_i(ld_wr_en),
      .word_i      (ld_wr_data),
      .imem_we_o,
      .imem_addr_o,
      .imem_data_o,
      .cmem_we_o,
      .cmem_addr_o (cmem_waddr_o),
      .cmem_data_o (cmem_wdata_o),
      .err_valid_o (image_error),
      .err_code_o  (image_error_code),
      .err_addr_o  (image_error_addr)
  );
  assign unit_valid = image_busy ? image_valid : ld_valid_i;
  assign unit_op    = image_busy ? image_op : ld_op_i;

  // ---- Scratchpad -------------------------------------------------------------------------------------------

  // readers: 0 matrix left, 1 matrix right, 2 matrix aux, 3 vector a, 4 vector b, 5 softmax, 6 load ids, 7 store
  wire                  rd_en [8];
  wire [15:0]           rd_addr [8];
  logic [7:0][WORD-1:0] rd_data;
  // writers: 0 matrix, 1 vector, 2 softmax, 3 load
  wire                  wr_en [4];
  wire [15:0]           wr_addr [4];
  wire [WORD-1:0]       wr_data [4];

  assign wr_en[3]   = ld_wr_en && !image_busy;
  assign wr_addr[3] = ld_wr_addr;
  assign wr_data[3] = ld_wr_data;

  ga2_spad #(
      .COLS (COLS),
      .WORDS(SPAD_WORDS),
      .BANKS(BANKS)
  ) u_spad (
      .clk_i,
      .rst_ni,
      .rd_en_i  ({rd_en[7], rd_en[6], rd_en[5], rd_en[4], rd_en[3], rd_en[2], rd_en[1], rd_en[0]}),
      .rd_addr_i({rd_addr[7], rd_addr[6], rd_addr[5], rd_addr[4], rd_addr[3], rd_addr[2], rd_addr[1], rd_addr[0]}),
      .rd_data_o(rd_data),
      .wr_en_i  ({wr_en[3], wr_en[2], wr_en[1], wr_en[0]}),
      .wr_addr_i({wr_addr[3], wr_addr[2], wr_addr[1], wr_addr[0]}),
      .wr_data_i({wr_data[3], wr_data[2], wr_data[1], wr_data[0]})
  );

  // ---- Units ------------------------------------------------------------------------------------------------

  logic       ld_done, st_done, mm_done, sm_done, vec_done, ld_outstanding, st_outstanding, ld_error, st_error;
  logic [2:0] ld_slot, st_slot, mm_slot, sm_slot, vec_slot, ld_error_slot, st_error_slot;
  logic [7:0]  ld_error_code, st_error_code;
  logic [31:0] ld_error_addr, st_error_addr;

  ga2_load #(
      .COLS       (COLS),
      .BUS_BYTES  (BUS_BYTES),
      .OUTSTANDING(READ_OUTSTANDING)
  ) u_load (
      .clk_i,
      .rst_ni,
      .kill_i,
      .op_valid_i   (unit_valid),
      .op_ready_o   (ld_ready_o),
      .op_i         (unit_op),
      .done_o       (ld_done),
      .done_slot_o  (ld_slot),
      .busy_o       (ld_busy_o),
      .rd_en_o      (rd_en[6]),
      .rd_addr_o    (rd_addr[6]),
      .rd_data_i    (rd_data[6]),
      .wr_en_o      (ld_wr_en),
      .wr_addr_o    (ld_wr_addr),
      .wr_data_o    (ld_wr_data),
      .m_axi_arid,
      .m_axi_araddr,
      .m_axi_arlen,
      .m_axi_arsize,
      .m_axi_arburst,
      .m_axi_arcache,
      .m_axi_arprot,
      .m_axi_arvalid,
      .m_axi_arready,
      .m_axi_rdata,
      .m_axi_rresp,
      .m_axi_rlast,
      .m_axi_rvalid,
      .m_axi_rready,
      .beat_o       (read_beat_o),
      .outstanding_o(ld_outstanding),
      .err_valid_o  (ld_error),
      .err_code_o   (ld_error_code),
      .err_addr_o   (ld_error_addr),
      .err_slot_o   (ld_error_slot)
  );

  ga2_store #(
      .COLS       (COLS),
      .BUS_BYTES  (BUS_BYTES),
      .OUTSTANDING(WRITE_OUTSTANDING)
  ) u_store (
      .clk_i,
      .rst_ni,
      .kill_i,
      .op_valid_i   (st_valid_i),
      .op_ready_o   (st_ready_o),
      .op_i         (st_op_i),
      .done_o       (st_done),
      .done_slot_o  (st_slot),
      .busy_o       (st_busy_o),
      .rd_en_o      (rd_en[7]),
      .rd_addr_o    (rd_addr[7]),
      .rd_data_i    (rd_data[7]),
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
      .m_axi_bresp,
      .m_axi_bvalid,
      .m_axi_bready,
      .beat_o       (write_beat_o),
      .outstanding_o(st_outstanding),
      .err_valid_o  (st_error),
      .err_code_o   (st_error_code),
      .err_addr_o   (st_error_addr),
      .err_slot_o   (st_error_slot)
  );

  ga2_mm #(
      .ROWS (ROWS),
      .COLS (COLS),
      .LANES(LANES)
  ) u_mm (
      .clk_i,
      .rst_ni,
      .kill_i,
      .op_valid_i   (mm_valid_i),
      .op_ready_o   (mm_ready_o),
      .op_i         (mm_op_i),
      .done_o       (mm_done),
      .done_slot_o  (mm_slot),
      .busy_o       (mm_busy_o),
      .stepping_o,
      .left_en_o    (rd_en[0]),
      .left_addr_o  (rd_addr[0]),
      .left_data_i  (rd_data[0]),
      .right_en_o   (rd_en[1]),
      .right_addr_o (rd_addr[1]),
      .right_data_i (rd_data[1]),
      .aux_en_o     (rd_en[2]),
      .aux_addr_o   (rd_addr[2]),
      .aux_data_i   (rd_data[2]),
      .wr_en_o      (wr_en[0]),
      .wr_addr_o    (wr_addr[0]),
      .wr_data_o    (wr_data[0]),
      .const_en_o   (cmem_en_o),
      .const_addr_o (cmem_addr_o),
      .const_data_i (cmem_data_i)
  );

  ga2_vec #(
      .COLS(COLS)
  ) u_vec (
      .clk_i,
      .rst_ni,
      .kill_i,
      .op_valid_i (vec_valid_i),
      .op_ready_o (vec_ready_o),
      .op_i       (vec_op_i),
      .done_o     (vec_done),
      .done_slot_o(vec_slot),
      .busy_o     (vec_busy_o),
      .a_en_o     (rd_en[3]),
      .a_addr_o   (rd_addr[3]),
      .a_data_i   (rd_data[3]),
      .b_en_o     (rd_en[4]),
      .b_addr_o   (rd_addr[4]),
      .b_data_i   (rd_data[4]),
      .wr_en_o    (wr_en[1]),
      .wr_addr_o  (wr_addr[1]),
      .wr_data_o  (wr_data[1])
  );

  ga2_softmax #(
      .COLS(COLS)
  ) u_softmax (
      .clk_i,
      .rst_ni,
      .kill_i,
      .op_valid_i (sm_valid_i),
      .op_ready_o (sm_ready_o),
      .op_i       (sm_op_i),
      .done_o     (sm_done),
      .done_slot_o(sm_slot),
      .busy_o     (sm_busy_o),
      .rd_en_o    (rd_en[5]),
      .rd_addr_o  (rd_addr[5]),
      .rd_data_i  (rd_data[5]),
      .wr_en_o    (wr_en[2]),
      .wr_addr_o  (wr_addr[2]),
      .wr_data_o  (wr_data[2])
  );

  // ---- What came of it --------------------------------------------------------------------------------------

  function automatic logic [WindowSlots-1:0] one_slot(input logic valid, input logic [2:0] slot);
    return valid ? WindowSlots'(1) << slot : '0;
  endfunction

  // An image load ends here too, unmasked: no program runs beside it, so it meets an empty window.
  assign done_slots_o = one_slot(ld_done, ld_slot) | one_slot(st_done, st_slot)
                      | one_slot(mm_done, mm_slot) | one_slot(sm_done, sm_slot) | one_slot(vec_done, vec_slot);

  assign outstanding_o = ld_outstanding || st_outstanding;
  assign error_o       = ld_error || st_error || image_error;
  assign error_code_o  = ld_error ? ld_error_code : st_error ? st_error_code : image_error_code;
  assign error_addr_o  = ld_error ? ld_error_addr : st_error ? st_error_addr : image_error_addr;
  assign error_slot_o  = ld_error ? ld_error_slot : st_error_slot;

endmodule
