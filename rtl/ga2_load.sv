// SPDX-License-Identifier: Apache-2.0
// The load unit: LD and LDG, external memory to scratchpad.
//
//   op --+-----------------> burst engine --> AR
//        +--> gather (ids) --^   |
//                                v records of outstanding bursts
//                  R beats --> word --> scratchpad writer
//
// A word is written the cycle after its last beat; `done_o` is the cycle of the operation's last word. R is never
// held back. An error stops the unit (no write, no done, not ready) until it is killed. A killed unit makes no new
// burst and discards what the outstanding ones bring.

module ga2_load
  import ga2_mem_pkg::*;
  import ga2_ops_pkg::*;
  import ga2_pkg::*;
#(
  parameter int COLS        = 4,  // bytes of a word
  parameter int BUS_BYTES   = 4,  // bytes of a beat, divides COLS
  parameter int OUTSTANDING = 8   // read bursts in flight, >= 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   kill_i,
  // operation
  input  logic                   op_valid_i,
  output logic                   op_ready_o,
  input  ld_op_t                 op_i,
  output logic                   done_o,
  output logic [2:0]             done_slot_o,
  output logic                   busy_o,
  // scratchpad: ids in, words out
  output logic                   rd_en_o,
  output logic [15:0]            rd_addr_o,
  input  logic [8*COLS-1:0]      rd_data_i,
  output logic                   wr_en_o,
  output logic [15:0]            wr_addr_o,
  output logic [8*COLS-1:0]      wr_data_o,
  // AXI4 read channels
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
  // events
  output logic                   beat_o,         // a data beat in this cycle
  output logic                   outstanding_o,  // a burst is valid on the bus or unfinished
  // the first error, one pulse
  output logic                   err_valid_o,
  output logic [7:0]             err_code_o,
  output logic [31:0]            err_addr_o,     // byte address of the beat, or the id
  output logic [2:0]             err_slot_o
);

  localparam int BeatShift = $clog2(COLS / BUS_BYTES);
  localparam logic [8:0] LastBeat = 9'(COLS / BUS_BYTES - 1);

  logic   op_fire, stopped_q;
  job_t   linear_job, gather_job, job;
  logic   job_valid, job_ready, gather_job_valid, gather_busy, engine_active;
  /* verilator lint_off UNUSEDSIGNAL */
  burst_t burst;  // RLAST ends a burst here: its number of words is not needed
  /* verilator lint_on UNUSEDSIGNAL */
  logic   burst_valid, full, empty, burst_done;

  // Operations ----------------------------------------------------------------------------------------------------

  assign op_ready_o = job_ready && !gather_busy && !stopped_q;
  assign op_fire    = op_valid_i && op_ready_o;

  assign linear_job = {
      op_i.slot,             // slot
      1'b1,                  // last
      op_i.dst,              // spad
      op_i.dst_pitch,        // spad_pitch
      op_i.rows,             // rows
      op_i.words,            // words
      op_i.ext_addr,         // ext_addr
      op_i.ext_pitch_bytes   // ext_pitch_bytes
  };

  assign job       = gather_busy ? gather_job : linear_job;
  assign job_valid = gather_busy ? gather_job_valid : (op_fire && !op_i.gather);

  logic        bad_valid;
  logic [31:0] bad_id;
  logic [2:0]  bad_slot;

  ga2_gather #(.COLS(COLS)) u_gather (
    .clk_i, .rst_ni, .kill_i,
    .start_i     (op_fire && op_i.gather),
    .op_i,
    .busy_o      (gather_busy),
    .rd_en_o, .rd_addr_o, .rd_data_i,
    .job_valid_o (gather_job_valid),
    .job_ready_i (job_ready),
    .job_o       (gather_job),
    .bad_valid_o (bad_valid),
    .bad_id_o    (bad_id),
    .bad_slot_o  (bad_slot)
  );

  ga2_burst #(.COLS(COLS), .BUS_BYTES(BUS_BYTES)) u_burst (
    .clk_i, .rst_ni,
    .kill_i        (kill_i || stopped_q),
    .job_valid_i   (job_valid),
    .job_ready_o   (job_ready),
    .job_i         (job),
    .job_in_page_i (gather_busy),  // a row of a table lies within its pitch, a power of two up to a page
    .active_o      (engine_active),
    .ax_valid_o    (m_axi_arvalid),
    .ax_ready_i    (m_axi_arready),
    .ax_addr_o     (m_axi_araddr),
    .ax_len_o      (m_axi_arlen),
    .room_i        (!full),
    .burst_valid_o (burst_valid),
    .burst_o       (burst)
  );

  assign m_axi_arid    = 1'b0;
  assign m_axi_arsize  = 3'($clog2(BUS_BYTES));
  assign m_axi_arburst = 2'b01;
  assign m_axi_arcache = 4'b0011;
  assign m_axi_arprot  = 3'b000;

  // The oldest outstanding burst: the one whose beats arrive.
  logic [2:0]  head_slot;
  logic        head_last;
  logic [15:0] head_spad;
  logic [31:0] head_addr;

  ga2_fifo #(.WIDTH(3 + 1 + 16 + 32), .DEPTH(OUTSTANDING)) u_records (
    .clk_i, .rst_ni,
    .push_i  (burst_valid),
    .data_i  ({burst.slot, burst.last, burst.spad, burst.addr}),
    .full_o  (full),
    .pop_i   (burst_done),
    .data_o  ({head_slot, head_last, head_spad, head_addr}),
    .empty_o (empty)
  );

  // Beats to words ------------------------------------------------------------------------------------------------

  logic [8:0]        beat_q;  // of the head burst
  logic [8*COLS-1:0] word_q;
  logic              word_end, read_err, word_valid_q, word_last_q;

  assign m_axi_rready  = 1'b1;
  assign beat_o        = m_axi_rvalid;
  assign outstanding_o = !empty;
  assign burst_done    = beat_o && m_axi_rlast;
  assign word_end      = (beat_q & LastBeat) == LastBeat;
  assign read_err      = beat_o && m_axi_rresp[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (beat_o) beat_q <= m_axi_rlast ? '0 : beat_q + 1'b1;
  end

  // Lowest bytes first: a new beat enters at the top and moves the former ones down.
  if (BeatShift == 0) begin : gen_whole
    always_ff @(posedge clk_i) if (beat_o) word_q <= m_axi_rdata;
  end else begin : gen_parts
    always_ff @(posedge clk_i) if (beat_o) word_q <= {m_axi_rdata, word_q[8*COLS-1:8*BUS_BYTES]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) word_valid_q <= 1'b0;
    else word_valid_q <= beat_o && word_end && !read_err && !stopped_q && !kill_i;
  end

  always_ff @(posedge clk_i) begin
    if (beat_o) begin
      word_last_q <= head_last && m_axi_rlast;
      wr_addr_o   <= head_spad + 16'(beat_q >> BeatShift);
      done_slot_o <= head_slot;
    end
  end

  assign wr_en_o   = word_valid_q;
  assign wr_data_o = word_q;
  assign done_o    = word_valid_q && word_last_q;
  assign busy_o    = gather_busy || engine_active || !empty || word_valid_q;

  // Errors: a beat belongs to an older operation than a gathered id, so it goes first -----------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stopped_q   <= 1'b0;
      err_valid_o <= 1'b0;
    end else if (kill_i) begin
      stopped_q   <= 1'b0;
      err_valid_o <= 1'b0;
    end else begin
      stopped_q   <= stopped_q || read_err || bad_valid;
      err_valid_o <= !stopped_q && (read_err || bad_valid);
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_err) begin
      err_code_o <= m_axi_rresp[0] ? FaultReadDecerr : FaultReadSlverr;
      err_addr_o <= head_addr + 32'(beat_q) * BUS_BYTES;
      err_slot_o <= head_slot;
    end else if (bad_valid) begin
      err_code_o <= FaultGatherId;
      err_addr_o <= bad_id;
      err_slot_o <= bad_slot;
    end
  end

endmodule
