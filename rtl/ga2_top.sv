// SPDX-License-Identifier: Apache-2.0
// GA2: AXI4-Lite control, one AXI4 master for data, an interrupt and a retirement trace.
//
//            AXI4-Lite            AXI4 read         AXI4 write
//               |                     |                 ^
//    irq <--  csr + counters        load              store
//               |                     |                 |
//      instruction, constants         |                 |
//               |        dispatch + window              |
//               |             |                         |
//               |             +----> scratchpad --------+
//               |             |     /     |    \
//               +------> matrix    vector   softmax

module ga2_top
  import ga2_pkg::*;
  import ga2_ops_pkg::*;
#(
    parameter int ROWS              = 4,      // array rows: tokens verified at once; at most COLS
    parameter int COLS              = 4,      // array columns = bytes of a scratchpad word; 4, 8 or 16
    parameter int BUS_BYTES         = 4,      // AXI4 data bytes; divides COLS
    parameter int LANES             = 4,      // requantising lanes; divides COLS
    parameter int SPAD_BYTES        = 16384,
    parameter int BANKS             = 8,      // of the scratchpad
    parameter int IMEM_DEPTH        = 512,    // instructions
    parameter int CMEM_DEPTH        = 512,    // column constants
    parameter int MAX_LEN           = 320,    // largest LEN + M
    parameter int M_MAX             = 16,     // largest M
    parameter int READ_OUTSTANDING  = 8,      // read bursts
    parameter int WRITE_OUTSTANDING = 8
) (
    input  logic clk_i,
    input  logic rst_ni,
    output logic irq_o,

    // control
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

    // data
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

    // retirement trace, in program order; a fault is reported with its pc when the program stops
    output logic        trace_valid_o,
    output logic [31:0] trace_seq_o,
    output logic [15:0] trace_pc_o,
    output logic [7:0]  trace_opcode_o,
    output logic [2:0]  trace_unit_o,
    output logic [31:0] trace_dst_lo_o,  // scratchpad words, or bytes of a store
    output logic [31:0] trace_dst_hi_o,
    output logic [7:0]  trace_fault_o
);

  localparam int SPAD_WORDS = SPAD_BYTES / COLS;

  // ---- Control ----------------------------------------------------------------------------------------------

  logic             start, clear, abort, load, busy, loading, done, fault, kill, outstanding;
  logic [7:0]       fault_code;
  logic [15:0]      fault_pc, entry, len, m, image_instrs, image_consts;
  logic [31:0]      fault_addr, watchdog, image_addr, counter;
  logic [3:0][31:0] win_base, win_size;
  logic [3:0]       win_writable;
  logic [$clog2(NumCounters)-1:0] counter_index;

  ga2_csr #(
      .ROWS      (ROWS),
      .COLS      (COLS),
      .BUS_BYTES (BUS_BYTES),
      .LANES     (LANES),
      .SPAD_WORDS(SPAD_WORDS),
      .BANKS     (BANKS),
      .IMEM_DEPTH(IMEM_DEPTH),
      .CMEM_DEPTH(CMEM_DEPTH),
      .MAX_LEN   (MAX_LEN),
      .M_MAX     (M_MAX)
  ) u_csr (
      .clk_i,
      .rst_ni,
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
      .start_o        (start),
      .clear_o        (clear),
      .abort_o        (abort),
      .load_o         (load),
      .busy_i         (busy),
      .done_i         (done),
      .fault_i        (fault),
      .loading_i      (loading),
      .outstanding_i  (outstanding),
      .fault_code_i   (fault_code),
      .fault_pc_i     (fault_pc),
      .fault_addr_i   (fault_addr),
      .irq_o,
      .entry_o        (entry),
      .len_o          (len),
      .m_o            (m),
      .watchdog_o     (watchdog),
      .image_addr_o   (image_addr),
      .image_instrs_o (image_instrs),
      .image_consts_o (image_consts),
      .win_base_o     (win_base),
      .win_size_o     (win_size),
      .win_writable_o (win_writable),
      .counter_index_o(counter_index),
      .counter_i      (counter)
  );

  logic        finish, load_finish, precise, progress;
  logic [7:0]  precise_code;
  logic [15:0] precise_pc, oldest_pc, slot_pc, error_pc;
  logic [31:0] precise_addr;
  logic        error;
  logic [7:0]  error_code;
  logic [31:0] error_addr;
  logic [2:0]  error_slot;

  assign error_pc = loading ? 16'd0 : slot_pc;

  ga2_control u_control (
      .clk_i,
      .rst_ni,
      .start_i       (start),
      .load_i        (load),
      .clear_i       (clear),
      .abort_i       (abort),
      .watchdog_i    (watchdog),
      .progress_i    (progress),
      .finish_i      (finish),
      .load_finish_i (load_finish),
      .precise_i     (precise),
      .precise_code_i(precise_code),
      .precise_pc_i  (precise_pc),
      .precise_addr_i(precise_addr),
      .error_i       (error),
      .error_code_i  (error_code),
      .error_pc_i    (error_pc),
      .error_addr_i  (error_addr),
      .oldest_pc_i   (loading ? 16'd0 : oldest_pc),
      .busy_o        (busy),
      .loading_o     (loading),
      .done_o        (done),
      .fault_o       (fault),
      .kill_o        (kill),
      .fault_code_o  (fault_code),
      .fault_pc_o    (fault_pc),
      .fault_addr_o  (fault_addr)
  );

  // ---- Programs ---------------------------------------------------------------------------------------------

  logic                          imem_en, imem_we, cmem_en, cmem_we;
  logic [15:0]                   imem_addr, cmem_addr;
  logic [$clog2(IMEM_DEPTH)-1:0] imem_waddr;
  logic [$clog2(CMEM_DEPTH)-1:0] cmem_waddr;
  logic [InstrWidth-1:0]         imem_data, imem_wdata;
  const_t                        cmem_data, cmem_wdata;

  ga2_ram_1r1w #(
      .WIDTH(InstrWidth),
      .DEPTH(IMEM_DEPTH)
  ) u_imem (
      .clk_i,
      .rd_en_i  (imem_en),
      .rd_addr_i(imem_addr[$clog2(IMEM_DEPTH)-1:0]),
      .rd_data_o(imem_data),
      .wr_en_i  (imem_we),
      .wr_addr_i(imem_waddr),
      .wr_data_i(imem_wdata)
  );

  ga2_ram_1r1w #(
      .WIDTH($bits(const_t)),
      .DEPTH(CMEM_DEPTH)
  ) u_cmem (
      .clk_i,
      .rd_en_i  (cmem_en),
      .rd_addr_i(cmem_addr[$clog2(CMEM_DEPTH)-1:0]),
      .rd_data_o(cmem_data),
      .wr_en_i  (cmem_we),
      .wr_addr_i(cmem_waddr),
      .wr_data_i(cmem_wdata)
  );

  logic                   active, alloc, waiting, retire;
  logic                   ld_valid, st_valid, mm_valid, sm_valid, vec_valid;
  logic                   ld_ready, st_ready, mm_ready, sm_ready, vec_ready;
  ld_op_t                 ld_op;
  st_op_t                 st_op;
  mm_op_t                 mm_op;
  sm_op_t                 sm_op;
  vec_op_t                vec_op;
  logic [WindowSlots-1:0] done_slots;
  logic [31:0]            retire_seq, retire_dst_lo, retire_dst_hi;
  logic [15:0]            retire_pc, current_pc;
  logic [7:0]             retire_opcode;
  logic [2:0]             retire_unit;

  ga2_frontend #(
      .COLS      (COLS),
      .SPAD_WORDS(SPAD_WORDS),
      .BANKS     (BANKS),
      .IMEM_DEPTH(IMEM_DEPTH),
      .CMEM_DEPTH(CMEM_DEPTH),
      .MAX_LEN   (MAX_LEN),
      .M_MAX     (M_MAX)
  ) u_frontend (
      .clk_i,
      .rst_ni,
      .kill_i         (kill),
      .start_i        (start),
      .entry_i        (entry),
      .len_i          (len),
      .m_i            (m),
      .win_base_i     (win_base),
      .win_size_i     (win_size),
      .win_writable_i (win_writable),
      .finish_o       (finish),
      .fault_o        (precise),
      .fault_code_o   (precise_code),
      .fault_addr_o   (precise_addr),
      .pc_o           (current_pc),
      .active_o       (active),
      .alloc_o        (alloc),
      .waiting_o      (waiting),
      .imem_en_o      (imem_en),
      .imem_addr_o    (imem_addr),
      .imem_data_i    (imem_data),
      .ld_valid_o     (ld_valid),
      .ld_ready_i     (ld_ready),
      .ld_op_o        (ld_op),
      .st_valid_o     (st_valid),
      .st_ready_i     (st_ready),
      .st_op_o        (st_op),
      .mm_valid_o     (mm_valid),
      .mm_ready_i     (mm_ready),
      .mm_op_o        (mm_op),
      .sm_valid_o     (sm_valid),
      .sm_ready_i     (sm_ready),
      .sm_op_o        (sm_op),
      .vec_valid_o    (vec_valid),
      .vec_ready_i    (vec_ready),
      .vec_op_o       (vec_op),
      .done_i         (done_slots),
      .pc_slot_i      (error_slot),
      .slot_pc_o      (slot_pc),
      .oldest_pc_o    (oldest_pc),
      .retire_valid_o (retire),
      .retire_seq_o   (retire_seq),
      .retire_pc_o    (retire_pc),
      .retire_opcode_o(retire_opcode),
      .retire_unit_o  (retire_unit),
      .retire_dst_lo_o(retire_dst_lo),
      .retire_dst_hi_o(retire_dst_hi)
  );
  assign precise_pc = current_pc;

  // HALT and faults leave no window slot, so they are traced as the program ends.
  // A fault in execution comes before a retirement of the same cycle, and nothing is traced after it.
  logic traced;
  assign traced         = retire && !error;
  assign trace_valid_o  = busy && !loading && (retire || finish || precise || error);
  assign trace_seq_o    = retire_seq;
  assign trace_pc_o     = error ? error_pc : retire ? retire_pc : current_pc;
  assign trace_opcode_o = traced ? retire_opcode : finish ? OpHalt : 8'h00;
  assign trace_unit_o   = traced ? retire_unit : UnitControl;
  assign trace_dst_lo_o = traced ? retire_dst_lo : '0;
  assign trace_dst_hi_o = traced ? retire_dst_hi : '0;
  assign trace_fault_o  = error ? error_code : precise ? precise_code : FaultNone;

  // ---- Execution --------------------------------------------------------------------------------------------

  logic ld_busy, st_busy, mm_busy, sm_busy, vec_busy, stepping, read_beat, write_beat;

  ga2_backend #(
      .ROWS             (ROWS),
      .COLS             (COLS),
      .BUS_BYTES        (BUS_BYTES),
      .LANES            (LANES),
      .SPAD_WORDS       (SPAD_WORDS),
      .BANKS            (BANKS),
      .IMEM_DEPTH       (IMEM_DEPTH),
      .CMEM_DEPTH       (CMEM_DEPTH),
      .READ_OUTSTANDING (READ_OUTSTANDING),
      .WRITE_OUTSTANDING(WRITE_OUTSTANDING)
  ) u_backend (
      .clk_i,
      .rst_ni,
      .kill_i        (kill),
      .load_i        (load),
      .image_addr_i  (image_addr),
      .image_instrs_i(image_instrs),
      .image_consts_i(image_consts),
      .load_finish_o (load_finish),
      .imem_we_o     (imem_we),
      .imem_addr_o   (imem_waddr),
      .imem_data_o   (imem_wdata),
      .cmem_we_o     (cmem_we),
      .cmem_waddr_o  (cmem_waddr),
      .cmem_wdata_o  (cmem_wdata),
      .ld_valid_i    (ld_valid),
      .ld_ready_o    (ld_ready),
      .ld_op_i       (ld_op),
      .st_valid_i    (st_valid),
      .st_ready_o    (st_ready),
      .st_op_i       (st_op),
      .mm_valid_i    (mm_valid),
      .mm_ready_o    (mm_ready),
      .mm_op_i       (mm_op),
      .sm_valid_i    (sm_valid),
      .sm_ready_o    (sm_ready),
      .sm_op_i       (sm_op),
      .vec_valid_i   (vec_valid),
      .vec_ready_o   (vec_ready),
      .vec_op_i      (vec_op),
      .done_slots_o  (done_slots),
      .cmem_en_o     (cmem_en),
      .cmem_addr_o   (cmem_addr),
      .cmem_data_i   (cmem_data),
      .error_o       (error),
      .error_code_o  (error_code),
      .error_addr_o  (error_addr),
      .error_slot_o  (error_slot),
      .outstanding_o (outstanding),
      .ld_busy_o     (ld_busy),
      .st_busy_o     (st_busy),
      .mm_busy_o     (mm_busy),
      .sm_busy_o     (sm_busy),
      .vec_busy_o    (vec_busy),
      .stepping_o    (stepping),
      .read_beat_o   (read_beat),
      .write_beat_o  (write_beat),
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
      .m_axi_bready
  );

  // ---- Counting ---------------------------------------------------------------------------------------------

  assign progress = alloc || retire || stepping || vec_busy || sm_busy || read_beat || write_beat
                 || (m_axi_arvalid && m_axi_arready) || (m_axi_awvalid && m_axi_awready)
                 || (m_axi_bvalid && m_axi_bready);

  ga2_counters u_counters (
      .clk_i,
      .rst_ni,
      .start_i       (start),
      .running_i     (busy && !loading),
      .matrix_busy_i (mm_busy),
      .stepping_i    (stepping),
      .load_busy_i   (ld_busy),
      .store_busy_i  (st_busy),
      .vector_busy_i (vec_busy),
      .softmax_busy_i(sm_busy),
      .hazard_i      (waiting),
      .dispatch_i    (active),
      .read_beat_i   (read_beat),
      .write_beat_i  (write_beat),
      .retire_i      (retire || finish),
      .index_i       (counter_index),
      .value_o       (counter)
  );

  // Every burst has id 0, so responses come in order; checked addresses need only the memories' bits.
  logic unused;
  assign unused = ^{m_axi_rid, m_axi_bid, imem_addr[15:$clog2(IMEM_DEPTH)], cmem_addr[15:$clog2(CMEM_DEPTH)]};

endmodule
