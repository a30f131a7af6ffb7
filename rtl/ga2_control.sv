// SPDX-License-Identifier: Apache-2.0
// The life of a program or an image load: busy, then done or faulted; faults, abort and the watchdog end it.
//
//   start  ----> busy ----finish---> done
//   load   ---->  |  ----precise---> fault
//                 |  ---imprecise--> fault, and kill stays high until CLEAR
//
// The counted cycles of a program are those with busy_o high and the one after, in which the interrupt rises.

module ga2_control
  import ga2_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,

    // Commands, already checked against the state.
    input logic start_i,
    input logic load_i,
    input logic clear_i,
    input logic abort_i,

    input logic [31:0] watchdog_i,   // cycles without progress; 0 = never
    input logic        progress_i,

    // Ends.
    input logic        finish_i,         // the program
    input logic        load_finish_i,    // the image
    input logic        precise_i,
    input logic [7:0]  precise_code_i,
    input logic [15:0] precise_pc_i,
    input logic [31:0] precise_addr_i,
    input logic        error_i,          // an imprecise fault in a unit
    input logic [7:0]  error_code_i,
    input logic [15:0] error_pc_i,
    input logic [31:0] error_addr_i,
    input logic [15:0] oldest_pc_i,      // for abort and watchdog

    output logic        busy_o,
    output logic        loading_o,
    output logic        done_o,
    output logic        fault_o,
    output logic        kill_o,
    output logic [7:0]  fault_code_o,
    output logic [15:0] fault_pc_o,
    output logic [31:0] fault_addr_o
);

  logic [31:0] quiet_q;  // cycles since the last progress
  logic        expired, imprecise;

  assign expired   = busy_o && watchdog_i != '0 && quiet_q >= watchdog_i;
  assign imprecise = busy_o && (error_i || abort_i || expired);

  always_ff @(posedge clk_i or negedge rst_ni) begin  // watchdog
    if (!rst_ni) quiet_q <= '0;
    else if (!busy_o || progress_i) quiet_q <= '0;
    else quiet_q <= quiet_q + 32'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin  // life
    if (!rst_ni) begin
      busy_o       <= 1'b0;
      loading_o    <= 1'b0;
      done_o       <= 1'b0;
      fault_o      <= 1'b0;
      kill_o       <= 1'b0;
      fault_code_o <= FaultNone;
      fault_pc_o   <= '0;
      fault_addr_o <= '0;
    end else begin
      if (clear_i) begin
        done_o       <= 1'b0;
        fault_o      <= 1'b0;
        kill_o       <= 1'b0;
        fault_code_o <= FaultNone;
        fault_pc_o   <= '0;
        fault_addr_o <= '0;
      end
      if (start_i || load_i) begin
        busy_o    <= 1'b1;
        loading_o <= load_i;
        done_o    <= 1'b0;
      end
      if (imprecise) begin
        busy_o       <= 1'b0;
        loading_o    <= 1'b0;
        fault_o      <= 1'b1;
        kill_o       <= 1'b1;
        fault_code_o <= error_i ? error_code_i : abort_i ? FaultAbort : FaultWatchdog;
        fault_pc_o   <= error_i ? error_pc_i : oldest_pc_i;
        fault_addr_o <= error_i ? error_addr_i : '0;
      end else if (busy_o && precise_i) begin
        busy_o       <= 1'b0;
        fault_o      <= 1'b1;
        fault_code_o <= precise_code_i;
        fault_pc_o   <= precise_pc_i;
        fault_addr_o <= precise_addr_i;
      end else if (busy_o && (finish_i || load_finish_i)) begin
        busy_o    <= 1'b0;
        loading_o <= 1'b0;
        done_o    <= 1'b1;
      end
    end
  end

endmodule
