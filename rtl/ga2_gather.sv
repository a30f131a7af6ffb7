// SPDX-License-Identifier: Apache-2.0
// The gather sequencer: turns an LDG into one job a row.
//
//   cycle     s         s+1        s+2       t = s+3                 t+1                   t+2
//             accepted  read id    keep it   check it, hand the job  first burst           check the next one ...
//                                            read the next id        keep it
//
// While the burst engine is not ready the next id is read again. A bad id stops the sequencer.

module ga2_gather
  import ga2_mem_pkg::*;
  import ga2_ops_pkg::*;
#(
  parameter int COLS = 4  // bytes of a word, >= 4
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              kill_i,
  // operation
  input  logic              start_i,
  input  ld_op_t            op_i,
  output logic              busy_o,
  // scratchpad reader
  output logic              rd_en_o,
  output logic [15:0]       rd_addr_o,
  /* verilator lint_off UNUSEDSIGNAL */
  input  logic [8*COLS-1:0] rd_data_i,  // an id is the low four bytes of its word
  /* verilator lint_on UNUSEDSIGNAL */
  // one job a row
  output logic              job_valid_o,
  input  logic              job_ready_i,
  output job_t              job_o,
  // an id that is not below the limit
  output logic              bad_valid_o,
  output logic [31:0]       bad_id_o,
  output logic [2:0]        bad_slot_o
);

  typedef enum logic [1:0] {Idle, Read, Keep, Check} state_e;

  state_e      state_q, state_d;
  /* verilator lint_off UNUSEDSIGNAL */
  ld_op_t      op_q;  // rows counts down; dst is the current row's, ids the next id's to read; `gather` is known
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] id_q;
  logic        busy_q, id_ok, next_row, last_row;  // busy_q: not Idle, in a register, as it chooses the unit's job

  // The pitch has one bit set, so the product is a shift: cheaper than a multiplier.
  function automatic logic [31:0] row_offset(input logic [15:0] row, input logic [12:0] pitch);
    row_offset = '0;
    for (int i = 0; i < 13; i++) begin
      if (pitch[i]) row_offset = row_offset | (32'(row) << i);
    end
  endfunction

  always_ff @(posedge clk_i) if (state_q == Keep) id_q <= rd_data_i[31:0];
  assign id_ok = id_q < 32'(op_q.limit);

  assign busy_o      = busy_q;
  assign rd_en_o     = state_q == Read || (state_q == Check && !last_row);
  assign rd_addr_o   = op_q.ids;
  assign job_valid_o = state_q == Check && id_ok;
  assign bad_valid_o = state_q == Check && !id_ok;
  assign bad_id_o    = id_q;
  assign bad_slot_o  = op_q.slot;
  assign next_row    = job_valid_o && job_ready_i;
  assign last_row    = op_q.rows == 16'd1;

  assign job_o = {
      op_q.slot,                                                                 // slot
      last_row,                                                                  // last
      op_q.dst,                                                                  // spad
      16'd0,                                                                     // spad_pitch
      16'd1,                                                                     // rows
      op_q.words,                                                                // words
      op_q.ext_addr + row_offset(id_q[15:0], op_q.ext_pitch_bytes[12:0]),          // ext_addr
      32'd0                                                                      // ext_pitch_bytes
  };

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (start_i) state_d = Read;
      Read:    state_d = Keep;
      Keep:    state_d = Check;
      Check: begin
        if (bad_valid_o || (next_row && last_row)) state_d = Idle;
        else if (next_row) state_d = Keep;
      end
      default: state_d = Idle;
    endcase
    if (kill_i) state_d = Idle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      busy_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      busy_q  <= state_d != Idle;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      op_q <= op_i;  // also without a start, which is known late
    end else if (next_row) begin
      op_q.rows <= op_q.rows - 16'd1;
      op_q.dst  <= op_q.dst + op_q.dst_pitch;
    end
    if (state_q == Read || next_row) op_q.ids <= op_q.ids + op_q.ids_pitch;
  end

endmodule
