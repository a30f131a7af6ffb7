// SPDX-License-Identifier: Apache-2.0
// Writes what happens inside the core to events.txt, for scoreboards and for the locator of a divergence
// (verif/locate/events.py reads it). Simulation only; looks into the instance `dut` beside it.
//
//   tb_cmd 6   log from now on
//   tb_cmd 7   a last state, and log no more
//
// A line is a letter and numbers; a cycle counts as the counter `total` does, from 1, the one after START's.
//   p time                        a program starts
//   i unit pc                     a unit takes an instruction in; decimal, unit numbers of spec/isa.yaml
//   w unit word data              scratchpad write: hexadecimal
//   d unit pc                     the instruction is done, with the last of its writes at the latest
//   m unit pc address words       load or store makes a burst; address and words hexadecimal
//   b data strobes                write beat taken: hexadecimal
//   t pc opcode fault             retirement trace
//   @ cycle                       all lines up to the next @ happened in this cycle
// The state of everything that may wait goes to state.txt, whether the log is on or not, when the watchdog or an abort
// ends a program (in the last cycle before the core is cleared), and with tb_cmd 7.

module ga2_event_log
  import ga2_mem_pkg::*;
  import ga2_pkg::*;
#(
    parameter int COLS = 4
) (
    input logic       clk_i,
    input logic       rst_ni,
    input logic [2:0] tb_cmd_i
);

  localparam int WRITERS = 4;  // of the scratchpad: matrix, vector, softmax, load
  localparam int UNITS = 5;

  logic [31:0] cycle_q;
  logic        on_q;
  int          log_file;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycle_q <= '0;
    else cycle_q <= dut.start ? 32'd1 : cycle_q + 32'd1;
  end

  initial begin  // log_file
    on_q     = 1'b0;
    log_file = $fopen("events.txt", "w");
  end

  always @(posedge clk_i) begin  // command
    if (tb_cmd_i == 3'd6) on_q <= 1'b1;
    else if (tb_cmd_i == 3'd7) on_q <= 1'b0;
  end

  // ---- Events -----------------------------------------------------------------------------------------------

  wire [WRITERS-1:0]             wr_en;
  wire [WRITERS-1:0][15:0]       wr_addr;
  wire [WRITERS-1:0][8*COLS-1:0] wr_data;
  assign wr_en   = dut.u_backend.u_spad.wr_en_i;
  assign wr_addr = dut.u_backend.u_spad.wr_addr_i;
  assign wr_data = dut.u_backend.u_spad.wr_data_i;

  // By unit number: load, matrix, vector, softmax, store.
  wire [UNITS-1:0]      taken, done;
  wire [UNITS-1:0][2:0] taken_slot, done_slot;
  assign taken = {dut.u_frontend.u_store_queue.pop, dut.u_frontend.u_softmax_queue.pop,
                  dut.u_frontend.u_vector_queue.pop, dut.u_frontend.u_matrix_queue.pop,
                  dut.u_frontend.u_load_queue.pop};
  assign taken_slot = {dut.u_frontend.u_store_queue.slot_q, dut.u_frontend.u_softmax_queue.slot_q,
                       dut.u_frontend.u_vector_queue.slot_q, dut.u_frontend.u_matrix_queue.slot_q,
                       dut.u_frontend.u_load_queue.slot_q};
  assign done = {dut.u_backend.st_done, dut.u_backend.sm_done, dut.u_backend.vec_done, dut.u_backend.mm_done,
                 dut.u_backend.ld_done && !dut.loading};
  assign done_slot = {dut.u_backend.st_slot, dut.u_backend.sm_slot, dut.u_backend.vec_slot, dut.u_backend.mm_slot,
                      dut.u_backend.ld_slot};

  wire [WindowSlots-1:0][15:0] slot_pc;
  for (genvar s = 0; s < WindowSlots; s++) begin : gen_slot
    assign slot_pc[s] = dut.u_frontend.u_window.pc_q[s];
  end

  wire   [1:0] made;  // by load, store
  wire         beat_taken, some;
  /* verilator lint_off UNUSEDSIGNAL */  // not every field of a burst is logged
  wire burst_t read_burst, write_burst;
  /* verilator lint_on UNUSEDSIGNAL */
  assign made        = {dut.u_backend.u_store.burst_valid, dut.u_backend.u_load.burst_valid && !dut.loading};
  assign read_burst  = dut.u_backend.u_load.burst;
  assign write_burst = dut.u_backend.u_store.burst;
  assign beat_taken  = dut.m_axi_wvalid && dut.m_axi_wready;
  assign some        = dut.trace_valid_o || wr_en != '0 || taken != '0 || done != '0 || made != '0 || beat_taken;

  function automatic int unit_of_writer(input int writer);
    return writer == 3 ? 0 : writer + 1;
  endfunction

  always @(posedge clk_i or negedge rst_ni) begin  // log
    if (rst_ni && on_q) begin
      if (some) begin
        $fdisplay(log_file, "@ %0d", cycle_q);
        for (int u = 0; u < UNITS; u++) begin
          if (taken[u]) $fdisplay(log_file, "i %0d %0d", u, slot_pc[taken_slot[u]]);
        end
        for (int w = 0; w < WRITERS; w++) begin
          if (wr_en[w]) $fdisplay(log_file, "w %0d %h %h", unit_of_writer(w), wr_addr[w], wr_data[w]);
        end
        for (int u = 0; u < UNITS; u++) begin
          if (done[u]) $fdisplay(log_file, "d %0d %0d", u, slot_pc[done_slot[u]]);
        end
        if (made[0]) begin
          $fdisplay(log_file, "m 0 %0d %h %h", slot_pc[read_burst.slot], read_burst.addr, read_burst.words);
        end
        if (made[1]) begin
          $fdisplay(log_file, "m 4 %0d %h %h", slot_pc[write_burst.slot], write_burst.addr, write_burst.words);
        end
        if (beat_taken) $fdisplay(log_file, "b %h %h", dut.m_axi_wdata, dut.m_axi_wstrb);
        if (dut.trace_valid_o) begin
          $fdisplay(log_file, "t %0d %0d %0d", dut.trace_pc_o, dut.trace_opcode_o, dut.trace_fault_o);
        end
        $fflush(log_file);
      end
      if (dut.start) begin
        $fdisplay(log_file, "p %0d", $time);
        $fflush(log_file);  // a no-op at the entry retires before anything else is logged
      end
    end
  end

  // ---- What waits -------------------------------------------------------------------------------------------

  wire [WindowSlots-1:0]                  valid, finished, clear;
  wire [WindowSlots-1:0][WindowSlots-1:0] deps;
  assign valid    = dut.u_frontend.u_window.valid;
  assign finished = dut.u_frontend.u_window.finished;
  assign clear    = dut.u_frontend.u_window.clear_o;
  for (genvar s = 0; s < WindowSlots; s++) begin : gen_deps
    assign deps[s] = dut.u_frontend.u_window.gen_slot[s].u_slot.deps_q;
  end

  wire [UNITS-1:0][3:0] queued;
  wire [UNITS-1:0]      ready, busy;
  assign queued = {dut.u_frontend.u_store_queue.tail_q - dut.u_frontend.u_store_queue.head_q,
                   dut.u_frontend.u_softmax_queue.tail_q - dut.u_frontend.u_softmax_queue.head_q,
                   dut.u_frontend.u_vector_queue.tail_q - dut.u_frontend.u_vector_queue.head_q,
                   dut.u_frontend.u_matrix_queue.tail_q - dut.u_frontend.u_matrix_queue.head_q,
                   dut.u_frontend.u_load_queue.tail_q - dut.u_frontend.u_load_queue.head_q};
  assign ready = {dut.st_ready, dut.sm_ready, dut.vec_ready, dut.mm_ready, dut.ld_ready};
  assign busy  = {dut.st_busy, dut.sm_busy, dut.vec_busy, dut.mm_busy, dut.ld_busy};

  wire [3:0] dispatch_state;
  wire [2:0] softmax_state, head;
  assign dispatch_state = 4'(dut.u_frontend.u_dispatch.state_q);
  assign softmax_state  = 3'(dut.u_backend.u_softmax.state_q);
  assign head           = dut.u_frontend.u_window.head_q;

  task automatic write_state();
    int file;
    file = $fopen("state.txt", "w");
    $fdisplay(file, "core cycle=%0d pc=%0d dispatch=%0d loading=%0d len=%0d m=%0d", cycle_q, dut.current_pc,
              dispatch_state, dut.loading, dut.len, dut.m);
    for (int s = 0; s < WindowSlots; s++) begin
      if (valid[3'(s)]) begin
        $fdisplay(file, "slot index=%0d oldest=%0d pc=%0d finished=%0d clear=%0d deps=%0d", s, 3'(s) == head,
                  slot_pc[s], finished[s], clear[s], deps[s]);
      end
    end
    for (int u = 0; u < UNITS; u++) begin
      $fdisplay(file, "unit number=%0d queued=%0d head=%0d ready=%0d busy=%0d", u, queued[u],
                taken_slot[u], ready[u], busy[u]);
    end
    $fdisplay(file, "ar valid=%0d ready=%0d addr=%0d", dut.m_axi_arvalid, dut.m_axi_arready, dut.m_axi_araddr);
    $fdisplay(file, "r valid=%0d ready=%0d", dut.m_axi_rvalid, dut.m_axi_rready);
    $fdisplay(file, "aw valid=%0d ready=%0d addr=%0d", dut.m_axi_awvalid, dut.m_axi_awready, dut.m_axi_awaddr);
    $fdisplay(file, "w valid=%0d ready=%0d", dut.m_axi_wvalid, dut.m_axi_wready);
    $fdisplay(file, "b valid=%0d ready=%0d", dut.m_axi_bvalid, dut.m_axi_bready);
    $fdisplay(file, "load engine=%0d bursts=%0d addr=%0d beat=%0d gather=%0d stopped=%0d",
              dut.u_backend.u_load.engine_active, dut.u_backend.u_load.u_records.count_q,
              dut.u_backend.u_load.head_addr, dut.u_backend.u_load.beat_q, dut.u_backend.u_load.gather_busy,
              dut.u_backend.u_load.stopped_q);
    $fdisplay(file, "store engine=%0d bursts=%0d addr=%0d unread=%0d words=%0d stopped=%0d",
              dut.u_backend.u_store.engine_active, dut.u_backend.u_store.u_records.count_q,
              dut.u_backend.u_store.answered_addr, dut.u_backend.u_store.u_to_read.count_q,
              dut.u_backend.u_store.credits_q, dut.u_backend.u_store.stopped_q);
    $fdisplay(file, "matrix stepping=%0d", dut.stepping);
    $fdisplay(file, "softmax state=%0d", softmax_state);
    $fclose(file);
  endtask

  wire stopped_from_outside;
  assign stopped_from_outside = dut.u_control.imprecise && !dut.u_control.error_i;

  always @(posedge clk_i or negedge rst_ni) begin  // state
    if (rst_ni && (tb_cmd_i == 3'd7 || stopped_from_outside)) write_state();
  end

endmodule
