// SPDX-License-Identifier: Apache-2.0
// From instructions to started operations: dispatch, the window, and one queue a unit.
//
//   imem -> dispatch --alloc--> window --clear--+
//              |                                v
//              +----operation----> queue a unit ----> start

module ga2_frontend
  import ga2_pkg::*;
  import ga2_ops_pkg::*;
#(
    parameter int COLS       = 4,
    parameter int SPAD_WORDS = 4096,
    parameter int BANKS      = 8,
    parameter int IMEM_DEPTH = 512,
    parameter int CMEM_DEPTH = 512,
    parameter int MAX_LEN    = 320,
    parameter int M_MAX      = 16
) (
    input logic clk_i,
    input logic rst_ni,
    input logic kill_i,

    // program
    input  logic                   start_i,
    input  logic [15:0]            entry_i,
    input  logic [15:0]            len_i,
    input  logic [15:0]            m_i,
    input  logic [3:0][31:0]       win_base_i,
    input  logic [3:0][31:0]       win_size_i,
    input  logic [3:0]             win_writable_i,
    output logic                   finish_o,
    output logic                   fault_o,
    output logic [7:0]             fault_code_o,
    output logic [31:0]            fault_addr_o,
    output logic [15:0]            pc_o,
    output logic                   active_o,       // fetching or dispatching
    output logic                   alloc_o,
    output logic                   waiting_o,      // an instruction waits for an older one

    // instruction memory
    output logic                   imem_en_o,
    output logic [15:0]            imem_addr_o,
    input  logic [InstrWidth-1:0]  imem_data_i,

    // units
    output logic                   ld_valid_o,
    input  logic                   ld_ready_i,
    output ld_op_t                 ld_op_o,
    output logic                   st_valid_o,
    input  logic                   st_ready_i,
    output st_op_t                 st_op_o,
    output logic                   mm_valid_o,
    input  logic                   mm_ready_i,
    output mm_op_t                 mm_op_o,
    output logic                   sm_valid_o,
    input  logic                   sm_ready_i,
    output sm_op_t                 sm_op_o,
    output logic                   vec_valid_o,
    input  logic                   vec_ready_i,
    output vec_op_t                vec_op_o,
    input  logic [WindowSlots-1:0] done_i,

    // program counters for faults in execution
    input  logic [2:0]             pc_slot_i,
    output logic [15:0]            slot_pc_o,
    output logic [15:0]            oldest_pc_o,

    // retirement
    output logic                   retire_valid_o,
    output logic [31:0]            retire_seq_o,
    output logic [15:0]            retire_pc_o,
    output logic [7:0]             retire_opcode_o,
    output logic [2:0]             retire_unit_o,
    output logic [31:0]            retire_dst_lo_o,
    output logic [31:0]            retire_dst_hi_o
);

  localparam int ADDR_BITS = $clog2(SPAD_WORDS) + 1;

  logic                      full, empty, alloc_done, alloc_ext_valid, alloc_ext_write;
  logic [2:0]                tail, alloc_unit;
  logic [WindowSlots-1:0]    alloc_deps, hits, clear;
  logic [7:0]                alloc_opcode;
  logic [3:0]                alloc_valid, alloc_write;
  logic [3:0][ADDR_BITS-1:0] alloc_lo, alloc_hi;
  logic [3:0][BANKS-1:0]     alloc_banks;
  logic [32:0]               alloc_ext_lo, alloc_ext_hi;
  logic                      probe_spad, probe_ext, probe_inner, probe_write, probe_stream;
  logic [ADDR_BITS-1:0]      probe_lo, probe_hi;
  logic [BANKS-1:0]          probe_banks;
  ld_op_t                    ld_op;
  st_op_t                    st_op;
  mm_op_t                    mm_op;
  sm_op_t                    sm_op;
  vec_op_t                   vec_op;

  ga2_dispatch #(
      .COLS      (COLS),
      .SPAD_WORDS(SPAD_WORDS),
      .BANKS     (BANKS),
      .IMEM_DEPTH(IMEM_DEPTH),
      .CMEM_DEPTH(CMEM_DEPTH),
      .MAX_LEN   (MAX_LEN),
      .M_MAX     (M_MAX),
      .ADDR_BITS (ADDR_BITS)
  ) u_dispatch (
      .clk_i,
      .rst_ni,
      .kill_i,
      .start_i,
      .entry_i,
      .len_i,
      .m_i,
      .finish_o,
      .fault_o,
      .fault_code_o,
      .fault_addr_o,
      .pc_o,
      .active_o,
      .win_base_i,
      .win_size_i,
      .win_writable_i,
      .imem_en_o,
      .imem_addr_o,
      .imem_data_i,
      .full_i           (full),
      .empty_i          (empty),
      .tail_i           (tail),
      .alloc_o,
      .alloc_done_o     (alloc_done),
      .alloc_deps_o     (alloc_deps),
      .alloc_unit_o     (alloc_unit),
      .alloc_opcode_o   (alloc_opcode),
      .alloc_valid_o    (alloc_valid),
      .alloc_write_o    (alloc_write),
      .alloc_lo_o       (alloc_lo),
      .alloc_hi_o       (alloc_hi),
      .alloc_banks_o    (alloc_banks),
      .alloc_ext_valid_o(alloc_ext_valid),
      .alloc_ext_write_o(alloc_ext_write),
      .alloc_ext_lo_o   (alloc_ext_lo),
      .alloc_ext_hi_o   (alloc_ext_hi),
      .probe_spad_o     (probe_spad),
      .probe_ext_o      (probe_ext),
      .probe_inner_o    (probe_inner),
      .probe_write_o    (probe_write),
      .probe_stream_o   (probe_stream),
      .probe_lo_o       (probe_lo),
      .probe_hi_o       (probe_hi),
      .probe_banks_o    (probe_banks),
      .hits_i           (hits),
      .done_i,
      .ld_op_o          (ld_op),
      .st_op_o          (st_op),
      .mm_op_o          (mm_op),
      .sm_op_o          (sm_op),
      .vec_op_o         (vec_op)
  );

  ga2_window #(
      .ADDR_BITS(ADDR_BITS),
      .BANKS    (BANKS)
  ) u_window (
      .clk_i,
      .rst_ni,
      .kill_i,
      .start_i,
      .full_o           (full),
      .empty_o          (empty),
      .tail_o           (tail),
      .alloc_i          (alloc_o),
      .alloc_done_i     (alloc_done),
      .alloc_deps_i     (alloc_deps),
      .alloc_unit_i     (alloc_unit),
      .alloc_pc_i       (pc_o),
      .alloc_opcode_i   (alloc_opcode),
      .alloc_valid_i    (alloc_valid),
      .alloc_write_i    (alloc_write),
      .alloc_lo_i       (alloc_lo),
      .alloc_hi_i       (alloc_hi),
      .alloc_banks_i    (alloc_banks),
      .alloc_ext_valid_i(alloc_ext_valid),
      .alloc_ext_write_i(alloc_ext_write),
      .alloc_ext_lo_i   (alloc_ext_lo),
      .alloc_ext_hi_i   (alloc_ext_hi),
      .probe_unit_i     (alloc_unit),
      .probe_spad_i     (probe_spad),
      .probe_ext_i      (probe_ext),
      .probe_inner_i    (probe_inner),
      .probe_write_i    (probe_write),
      .probe_stream_i   (probe_stream),
      .probe_lo_i       (probe_lo),
      .probe_hi_i       (probe_hi),
      .probe_banks_i    (probe_banks),
      .probe_ext_lo_i   (alloc_ext_lo),
      .probe_ext_hi_i   (alloc_ext_hi),
      .hits_o           (hits),
      .done_i,
      .clear_o          (clear),
      .waiting_o,
      .pc_slot_i,
      .pc_o             (slot_pc_o),
      .oldest_pc_o,
      .retire_valid_o,
      .retire_seq_o,
      .retire_pc_o,
      .retire_opcode_o,
      .retire_unit_o,
      .retire_dst_lo_o,
      .retire_dst_hi_o
  );

  logic push;
  assign push = alloc_o && !alloc_done;

  // Compared here and not in the port lists: there Icarus takes an imported name for a new, undriven net.
  logic push_load, push_store, push_matrix, push_softmax, push_vector;
  assign push_load    = push && alloc_unit == UnitLoad;
  assign push_store   = push && alloc_unit == UnitStore;
  assign push_matrix  = push && alloc_unit == UnitMatrix;
  assign push_softmax = push && alloc_unit == UnitSoftmax;
  assign push_vector  = push && alloc_unit == UnitVector;

  ga2_issue_queue #(.WIDTH($bits(ld_op_t))) u_load_queue (
      .clk_i, .rst_ni, .kill_i,
      .push_i(push_load), .op_i(ld_op), .clear_i(clear),
      .op_valid_o(ld_valid_o), .op_ready_i(ld_ready_i), .op_o(ld_op_o)
  );
  ga2_issue_queue #(.WIDTH($bits(st_op_t))) u_store_queue (
      .clk_i, .rst_ni, .kill_i,
      .push_i(push_store), .op_i(st_op), .clear_i(clear),
      .op_valid_o(st_valid_o), .op_ready_i(st_ready_i), .op_o(st_op_o)
  );
  ga2_issue_queue #(.WIDTH($bits(mm_op_t))) u_matrix_queue (
      .clk_i, .rst_ni, .kill_i,
      .push_i(push_matrix), .op_i(mm_op), .clear_i(clear),
      .op_valid_o(mm_valid_o), .op_ready_i(mm_ready_i), .op_o(mm_op_o)
  );
  ga2_issue_queue #(.WIDTH($bits(sm_op_t))) u_softmax_queue (
      .clk_i, .rst_ni, .kill_i,
      .push_i(push_softmax), .op_i(sm_op), .clear_i(clear),
      .op_valid_o(sm_valid_o), .op_ready_i(sm_ready_i), .op_o(sm_op_o)
  );
  ga2_issue_queue #(.WIDTH($bits(vec_op_t))) u_vector_queue (
      .clk_i, .rst_ni, .kill_i,
      .push_i(push_vector), .op_i(vec_op), .clear_i(clear),
      .op_valid_o(vec_valid_o), .op_ready_i(vec_ready_i), .op_o(vec_op_o)
  );

endmodule
