// SPDX-License-Identifier: Apache-2.0
// The store unit: ST, scratchpad to external memory.
//
//   op --> burst engine --> AW
//            |       \--> records of outstanding bursts --> B
//            v bursts to read
//     scratchpad reader --> small FIFO of words --> W beats
//
// A burst made in cycle g: AWVALID from g+1, its first word is read in g+1 at the earliest and its first beat is valid
// in g+3; W never waits for AWREADY. `done_o` is the cycle after the operation's last response. An error stops the unit
// until it is killed. A killed or stopped unit makes no new burst, but reads and sends the words of those it made.

module ga2_store
  import ga2_mem_pkg::*;
  import ga2_ops_pkg::*;
  import ga2_pkg::*;
#(
  parameter int COLS        = 4,  // bytes of a word
  parameter int BUS_BYTES   = 4,  // bytes of a beat, divides COLS
  parameter int OUTSTANDING = 8   // write bursts in flight, >= 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   kill_i,
  // operation
  input  logic                   op_valid_i,
  output logic                   op_ready_o,
  input  st_op_t                 op_i,
  output logic                   done_o,
  output logic [2:0]             done_slot_o,
  output logic                   busy_o,
  // scratchpad reader
  output logic                   rd_en_o,
  output logic [15:0]            rd_addr_o,
  input  logic [8*COLS-1:0]      rd_data_i,
  // AXI4 write channels
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
  output logic                   m_axi_bready,
  // events
  output logic                   beat_o,         // a data beat in this cycle
  output logic                   outstanding_o,  // a burst is valid on the bus or unanswered
  // the first error, one pulse
  output logic                   err_valid_o,
  output logic [7:0]             err_code_o,
  output logic [31:0]            err_addr_o,     // byte address of the burst
  output logic [2:0]             err_slot_o
);

  // Read, data, FIFO, beat and its credit's return take four cycles with one beat a word: less depth would bubble.
  localparam int WordDepth = 4;
  localparam int BeatsPerWord = COLS / BUS_BYTES;

  job_t   job;
  logic   job_ready, engine_active, stopped_q;
  burst_t burst;
  logic   burst_valid, to_read_empty, read_end, answer_empty, answer_full;

  // Operations and addresses --------------------------------------------------------------------------------------

  assign op_ready_o = job_ready && !stopped_q;

  assign job = {
      op_i.slot,             // slot
      1'b1,                  // last
      op_i.src,              // spad
      op_i.src_pitch,        // spad_pitch
      op_i.rows,             // rows
      op_i.words,            // words
      op_i.ext_addr,         // ext_addr
      op_i.ext_pitch_bytes   // ext_pitch_bytes
  };

  ga2_burst #(.COLS(COLS), .BUS_BYTES(BUS_BYTES)) u_burst (
    .clk_i, .rst_ni,
    .kill_i        (kill_i || stopped_q),
    .job_valid_i   (op_valid_i && op_ready_o),
    .job_ready_o   (job_ready),
    .job_i         (job),
    .job_in_page_i (1'b0),
    .active_o      (engine_active),
    .ax_valid_o    (m_axi_awvalid),
    .ax_ready_i    (m_axi_awready),
    .ax_addr_o     (m_axi_awaddr),
    .ax_len_o      (m_axi_awlen),
    .room_i        (!answer_full),
    .burst_valid_o (burst_valid),
    .burst_o       (burst)
  );

  assign m_axi_awid    = 1'b0;
  assign m_axi_awsize  = 3'($clog2(BUS_BYTES));
  assign m_axi_awburst = 2'b01;
  assign m_axi_awcache = 4'b0011;
  assign m_axi_awprot  = 3'b000;

  // Scratchpad reader ---------------------------------------------------------------------------------------------

  /* verilator lint_off UNUSEDSIGNAL */
  logic        to_read_full;  // never met: a burst to read is outstanding, and those are bounded
  /* verilator lint_on UNUSEDSIGNAL */
  logic [15:0] to_read_spad;
  logic [8:0]  to_read_words;

  ga2_fifo #(.WIDTH(16 + 9), .DEPTH(OUTSTANDING)) u_to_read (
    .clk_i, .rst_ni,
    .push_i  (burst_valid),
    .data_i  ({burst.spad, burst.words}),
    .full_o  (to_read_full),
    .pop_i   (read_end),
    .data_o  ({to_read_spad, to_read_words}),
    .empty_o (to_read_empty)
  );

  logic [8:0] word_q;     // next word of the burst
  logic [2:0] credits_q;  // words read and not yet sent
  logic       word_last, word_sent;
  logic       data_valid_q, data_last_q;

  assign rd_en_o   = !to_read_empty && credits_q != 3'(WordDepth);
  assign rd_addr_o = to_read_spad + 16'(word_q);
  assign word_last = word_q + 9'd1 == to_read_words;
  assign read_end  = rd_en_o && word_last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q       <= '0;
      credits_q    <= '0;
      data_valid_q <= 1'b0;
    end else begin
      if (rd_en_o) word_q <= word_last ? '0 : word_q + 9'd1;
      if (rd_en_o && !word_sent) credits_q <= credits_q + 3'd1;
      if (!rd_en_o && word_sent) credits_q <= credits_q - 3'd1;
      data_valid_q <= rd_en_o;
    end
  end

  always_ff @(posedge clk_i) data_last_q <= word_last;

  // Words to beats ------------------------------------------------------------------------------------------------

  /* verilator lint_off UNUSEDSIGNAL */
  logic              words_full;  // never met: the credits bound the words
  /* verilator lint_on UNUSEDSIGNAL */
  logic              words_empty, beat_end, out_last;
  logic [8*COLS-1:0] out_word;

  ga2_fifo #(.WIDTH(8 * COLS + 1), .DEPTH(WordDepth)) u_words (
    .clk_i, .rst_ni,
    .push_i  (data_valid_q),
    .data_i  ({data_last_q, rd_data_i}),
    .full_o  (words_full),
    .pop_i   (word_sent),
    .data_o  ({out_last, out_word}),
    .empty_o (words_empty)
  );

  assign beat_o       = m_axi_wvalid && m_axi_wready;
  assign word_sent    = beat_o && beat_end;
  assign m_axi_wvalid = !words_empty;
  assign m_axi_wstrb  = '1;
  assign m_axi_wlast  = out_last && beat_end;

  if (BeatsPerWord == 1) begin : gen_whole
    assign beat_end    = 1'b1;
    assign m_axi_wdata = out_word;
  end else begin : gen_parts
    logic [$clog2(BeatsPerWord)-1:0] beat_q;

    assign beat_end    = &beat_q;
    assign m_axi_wdata = out_word[32'(beat_q)*8*BUS_BYTES +: 8*BUS_BYTES];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) beat_q <= '0;
      else if (beat_o) beat_q <= beat_q + 1'b1;
    end
  end

  // Responses -----------------------------------------------------------------------------------------------------

  logic answer, write_err;

  logic [2:0]  answered_slot;
  logic        answered_last;
  logic [31:0] answered_addr;

  ga2_fifo #(.WIDTH(3 + 1 + 32), .DEPTH(OUTSTANDING)) u_records (
    .clk_i, .rst_ni,
    .push_i  (burst_valid),
    .data_i  ({burst.slot, burst.last, burst.addr}),
    .full_o  (answer_full),
    .pop_i   (answer),
    .data_o  ({answered_slot, answered_last, answered_addr}),
    .empty_o (answer_empty)
  );

  assign m_axi_bready  = 1'b1;
  assign answer        = m_axi_bvalid;
  assign write_err     = answer && m_axi_bresp[1];
  assign outstanding_o = !answer_empty;
  assign busy_o        = engine_active || !answer_empty || done_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_o <= 1'b0;
    else done_o <= answer && answered_last && !write_err && !stopped_q && !kill_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stopped_q   <= 1'b0;
      err_valid_o <= 1'b0;
    end else if (kill_i) begin
      stopped_q   <= 1'b0;
      err_valid_o <= 1'b0;
    end else begin
      stopped_q   <= stopped_q || write_err;
      err_valid_o <= !stopped_q && write_err;
    end
  end

  always_ff @(posedge clk_i) begin
    done_slot_o <= answered_slot;
    err_slot_o  <= answered_slot;
    err_addr_o  <= answered_addr;
    err_code_o  <= m_axi_bresp[0] ? FaultWriteDecerr : FaultWriteSlverr;
  end

endmodule
