// SPDX-License-Identifier: Apache-2.0
// Dumps one block of a decoding, and writes readable text beside its signals. Simulation only; looks into ga2_tb.
//
//   tb_cmd 4   before each program of the block: read the texts; the first of them opens the dump with its START
//   tb_cmd 5   the same before the last program: the dump closes one cycle after its interrupt rises
//   +wave_from=A +wave_to=B   instead of whole programs only cycles A to B of the first one, counted as `total` counts
//
// Texts are right-aligned ASCII: label.hex holds the program's, lanes.hex one for each address of the instruction
// memory. A unit's first lane shows the instruction that it takes in, the second the oldest of those taken in before.

/* verilator lint_off UNUSEDSIGNAL */  // read by a viewer alone
module ga2_wave_probe
  import ga2_pkg::*;
  import ga2_ops_pkg::*;
#(
    parameter int IMEM_DEPTH = 512
) (
    input logic       clk_i,
    input logic       rst_ni,
    input logic [2:0] tb_cmd_i,
    input logic       irq_i
);

  localparam int TEXT = 8 * 40;
  localparam int PC = $clog2(IMEM_DEPTH);

  logic [TEXT-1:0] text_q [IMEM_DEPTH];
  logic [TEXT-1:0] label_q [1];

  // ---- The dump ---------------------------------------------------------------------------------------------

  logic arm, armed_q, open_q, closed_q, last_q, irq_q, starts, ends;
  int   wave_from, wave_to, cycle_q;
  assign arm    = tb_cmd_i == 3'd4 || tb_cmd_i == 3'd5;
  assign starts = armed_q && (wave_from > 0 ? cycle_q == wave_from : ga2_tb.dut.start);
  assign ends   = open_q && ((last_q && irq_i && !irq_q) || (wave_to > 0 && cycle_q == wave_to));

  initial begin  // part
    if ($value$plusargs("wave_from=%d", wave_from) == 0) wave_from = 0;
    if ($value$plusargs("wave_to=%d", wave_to) == 0) wave_to = 0;
  end

  always @(posedge clk_i) begin  // texts
    if (arm) $readmemh("lanes.hex", text_q);
    if (arm) $readmemh("label.hex", label_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin  // armed
    if (!rst_ni) begin
      armed_q  <= 1'b0;
      open_q   <= 1'b0;
      closed_q <= 1'b0;
      last_q   <= 1'b0;
      irq_q    <= 1'b0;
      cycle_q  <= 0;
    end else begin
      if (armed_q && ga2_tb.dut.start) cycle_q <= 1;
      else if (cycle_q != 0) cycle_q <= cycle_q + 1;
      if (ends) closed_q <= 1'b1;
      if (arm) armed_q <= 1'b1;
      if (starts) open_q <= 1'b1;
      if (tb_cmd_i == 3'd5) last_q <= 1'b1;
      irq_q <= irq_i;
    end
  end

  always @(posedge starts) begin  // open: within the cycle of START, to show it
    if (!open_q) begin
      $dumpfile("block.fst");
      $dumpvars(0, ga2_tb);
    end
  end

  always @(posedge clk_i) begin  // close
    if (ends && !closed_q) begin
`ifdef VERILATOR
      $c("vlSymsp->_traceDumpClose();");  // there $dumpoff does nothing
`else
      $dumpoff;
      $dumpflush;
`endif
    end
  end

  // ---- Programs, dispatch, window, retirement ----------------------------------------------------------------

  logic [WindowSlots-1:0][15:0] slot_pc;
  logic [WindowSlots-1:0]       slot_valid;
  logic [15:0]                  dispatch_pc, retire_pc;
  logic [TEXT-1:0]              program_name, dispatch, retire;

  assign slot_valid   = ga2_tb.dut.u_frontend.u_window.valid;
  assign dispatch_pc  = ga2_tb.dut.current_pc;
  assign retire_pc    = ga2_tb.trace_pc;
  assign program_name = ga2_tb.dut.busy && !ga2_tb.dut.loading ? label_q[0] : '0;
  assign dispatch     = ga2_tb.dut.active ? text_q[dispatch_pc[PC-1:0]] : '0;
  assign retire       = ga2_tb.trace_valid ? text_q[retire_pc[PC-1:0]] : '0;

  for (genvar s = 0; s < WindowSlots; s++) begin : gen_slot
    logic [15:0]     pc;
    logic [TEXT-1:0] instruction;
    assign pc          = ga2_tb.dut.u_frontend.u_window.pc_q[s];
    assign slot_pc[s]  = pc;
    assign instruction = slot_valid[s] ? text_q[pc[PC-1:0]] : '0;
  end

  // The condition that takes the cycle, as ga2_counters.sv chooses it.
  logic [63:0] spent;
  always_comb begin  // partition
    if (!ga2_tb.dut.busy || ga2_tb.dut.loading) spent = '0;
    else if (ga2_tb.dut.stepping) spent = "array";
    else if (ga2_tb.dut.vec_busy || ga2_tb.dut.sm_busy) spent = "vector";
    else if (ga2_tb.dut.ld_busy) spent = "load";
    else if (ga2_tb.dut.st_busy) spent = "store";
    else if (ga2_tb.dut.waiting) spent = "hazard";
    else if (ga2_tb.dut.active) spent = "dispatch";
    else spent = "idle";
  end

  for (genvar c = 0; c < NumCounters; c++) begin : gen_counter
    logic [31:0] value;
    assign value = ga2_tb.dut.u_counters.value_q[c];
  end

  // ---- Units ------------------------------------------------------------------------------------------------

  logic            load_start, load_issuing, load_finishing;
  logic [2:0]      load_slot;
  logic [15:0]     load_issuing_pc, load_finishing_pc;
  logic [TEXT-1:0] load_requests, load_data;
  assign load_start = ga2_tb.dut.u_frontend.u_load_queue.pop;
  assign load_slot  = ga2_tb.dut.u_frontend.u_load_queue.op_o[$bits(ld_op_t)-1-:3];
  ga2_wave_lane u_load (
      .clk_i,
      .rst_ni,
      .kill_i        (ga2_tb.dut.kill),
      .start_i       (load_start),
      .pc_i          (slot_pc[load_slot]),
      .ready_i       (ga2_tb.dut.ld_ready),
      .done_i        (ga2_tb.dut.u_backend.ld_done && !ga2_tb.dut.loading),
      .issuing_o     (load_issuing),
      .issuing_pc_o  (load_issuing_pc),
      .finishing_o   (load_finishing),
      .finishing_pc_o(load_finishing_pc)
  );
  assign load_requests = load_issuing ? text_q[load_issuing_pc[PC-1:0]] : '0;
  assign load_data = load_finishing ? text_q[load_finishing_pc[PC-1:0]] : '0;

  logic            store_start, store_issuing, store_finishing;
  logic [2:0]      store_slot;
  logic [15:0]     store_issuing_pc, store_finishing_pc;
  logic [TEXT-1:0] store_requests, store_data;
  assign store_start = ga2_tb.dut.u_frontend.u_store_queue.pop;
  assign store_slot  = ga2_tb.dut.u_frontend.u_store_queue.op_o[$bits(st_op_t)-1-:3];
  ga2_wave_lane u_store (
      .clk_i,
      .rst_ni,
      .kill_i        (ga2_tb.dut.kill),
      .start_i       (store_start),
      .pc_i          (slot_pc[store_slot]),
      .ready_i       (ga2_tb.dut.st_ready),
      .done_i        (ga2_tb.dut.u_backend.st_done),
      .issuing_o     (store_issuing),
      .issuing_pc_o  (store_issuing_pc),
      .finishing_o   (store_finishing),
      .finishing_pc_o(store_finishing_pc)
  );
  assign store_requests = store_issuing ? text_q[store_issuing_pc[PC-1:0]] : '0;
  assign store_data = store_finishing ? text_q[store_finishing_pc[PC-1:0]] : '0;

  logic            matrix_start, matrix_issuing, matrix_finishing;
  logic [2:0]      matrix_slot;
  logic [15:0]     matrix_issuing_pc, matrix_finishing_pc;
  logic [TEXT-1:0] matrix_array, matrix_drain;
  assign matrix_start = ga2_tb.dut.u_frontend.u_matrix_queue.pop;
  assign matrix_slot  = ga2_tb.dut.u_frontend.u_matrix_queue.op_o[$bits(mm_op_t)-1-:3];
  ga2_wave_lane u_matrix (
      .clk_i,
      .rst_ni,
      .kill_i        (ga2_tb.dut.kill),
      .start_i       (matrix_start),
      .pc_i          (slot_pc[matrix_slot]),
      .ready_i       (ga2_tb.dut.mm_ready),
      .done_i        (ga2_tb.dut.u_backend.mm_done),
      .issuing_o     (matrix_issuing),
      .issuing_pc_o  (matrix_issuing_pc),
      .finishing_o   (matrix_finishing),
      .finishing_pc_o(matrix_finishing_pc)
  );
  assign matrix_array = matrix_issuing ? text_q[matrix_issuing_pc[PC-1:0]] : '0;
  assign matrix_drain = matrix_finishing ? text_q[matrix_finishing_pc[PC-1:0]] : '0;

  logic            vector_start, vector_issuing, vector_finishing;
  logic [2:0]      vector_slot;
  logic [15:0]     vector_issuing_pc, vector_finishing_pc;
  logic [TEXT-1:0] vector;
  assign vector_start = ga2_tb.dut.u_frontend.u_vector_queue.pop;
  assign vector_slot  = ga2_tb.dut.u_frontend.u_vector_queue.op_o[$bits(vec_op_t)-1-:3];
  ga2_wave_lane u_vector (
      .clk_i,
      .rst_ni,
      .kill_i        (ga2_tb.dut.kill),
      .start_i       (vector_start),
      .pc_i          (slot_pc[vector_slot]),
      .ready_i       (ga2_tb.dut.vec_ready),
      .done_i        (ga2_tb.dut.u_backend.vec_done),
      .issuing_o     (vector_issuing),
      .issuing_pc_o  (vector_issuing_pc),
      .finishing_o   (vector_finishing),
      .finishing_pc_o(vector_finishing_pc)
  );
  assign vector = vector_issuing ? text_q[vector_issuing_pc[PC-1:0]] : '0;

  logic            softmax_start, softmax_issuing, softmax_finishing;
  logic [2:0]      softmax_slot;
  logic [15:0]     softmax_issuing_pc, softmax_finishing_pc;
  logic [TEXT-1:0] softmax;
  assign softmax_start = ga2_tb.dut.u_frontend.u_softmax_queue.pop;
  assign softmax_slot  = ga2_tb.dut.u_frontend.u_softmax_queue.op_o[$bits(sm_op_t)-1-:3];
  ga2_wave_lane u_softmax (
      .clk_i,
      .rst_ni,
      .kill_i        (ga2_tb.dut.kill),
      .start_i       (softmax_start),
      .pc_i          (slot_pc[softmax_slot]),
      .ready_i       (ga2_tb.dut.sm_ready),
      .done_i        (ga2_tb.dut.u_backend.sm_done),
      .issuing_o     (softmax_issuing),
      .issuing_pc_o  (softmax_issuing_pc),
      .finishing_o   (softmax_finishing),
      .finishing_pc_o(softmax_finishing_pc)
  );
  assign softmax = softmax_issuing ? text_q[softmax_issuing_pc[PC-1:0]] : '0;

endmodule
/* verilator lint_on UNUSEDSIGNAL */
