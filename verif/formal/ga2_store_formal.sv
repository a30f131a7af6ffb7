// SPDX-License-Identifier: Apache-2.0
// ga2_store as a bus master: the rules of AW and W; bursts only for operations that were accepted; each burst's words
// are read in order from where it said and sent in order, lowest bytes first, WLAST in its last beat and no other; done
// once an operation, after its last answer; an error is told once; whenever the bus owes nothing, work is done.
//
// That the bursts of a job are its rows is proof `burst`. An operation ends: it is counted from its acceptance to its
// done or a kill (`inv_undone`), and a cycle in which the bus owes nothing takes from the finite rest of bursts to
// make, words to read and words to send. A burst once made ends likewise, killed or not. After an error the unit waits
// for a kill.
//
// Assumed of the memory, as AXI has it: an answer only for a burst whose address and last beat were accepted. Of the
// core: legal operations, a kill that lasts until nothing is outstanding (CLEAR is refused before).

module ga2_store_formal
  import ga2_mem_pkg::*;
  import ga2_ops_pkg::*;
  import ga2_pkg::*;
#(
  parameter int COLS        = 4,
  parameter int BUS_BYTES   = 4,
  parameter int OUTSTANDING = 8
) (
  input logic              clk_i,
  input logic              kill_i,
  input logic              op_valid_i,
  input st_op_t            op_i,
  input logic [8*COLS-1:0] rd_data_i,
  input logic              awready_i,
  input logic              wready_i,
  input logic [1:0]        bresp_i,
  input logic              bvalid_i
);

  localparam int Bits = $clog2(OUTSTANDING);
  localparam int BeatsPerWord = COLS / BUS_BYTES;
  localparam int BeatShift = $clog2(BeatsPerWord);
  localparam int Words = 4;  // read and not sent, at most: the FIFO's depth

  logic                   rst_n, op_ready, done, busy, rd_en, outstanding, err, beat;
  logic [2:0]             done_slot, err_slot;
  logic [15:0]            rd_addr;
  logic [31:0]            awaddr, err_addr;
  logic [7:0]             awlen, err_code;
  logic [2:0]             awsize;
  logic [1:0]             awburst;
  logic                   awvalid, wvalid, wlast, bready;
  logic [8*BUS_BYTES-1:0] wdata;
  logic [BUS_BYTES-1:0]   wstrb;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_store #(.COLS(COLS), .BUS_BYTES(BUS_BYTES), .OUTSTANDING(OUTSTANDING)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i,
    .op_valid_i, .op_ready_o(op_ready), .op_i, .done_o(done), .done_slot_o(done_slot), .busy_o(busy),
    .rd_en_o(rd_en), .rd_addr_o(rd_addr), .rd_data_i,
    .m_axi_awid(), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awsize(awsize), .m_axi_awburst(awburst),
    .m_axi_awcache(), .m_axi_awprot(), .m_axi_awvalid(awvalid), .m_axi_awready(awready_i),
    .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid), .m_axi_wready(wready_i),
    .m_axi_bresp(bresp_i), .m_axi_bvalid(bvalid_i), .m_axi_bready(bready),
    .beat_o(beat), .outstanding_o(outstanding),
    .err_valid_o(err), .err_code_o(err_code), .err_addr_o(err_addr), .err_slot_o(err_slot)
  );

  // The bursts under way ----------------------------------------------------------------------------------------------

  logic                     made;
  logic [Bits:0]            made_q, taken_q, ended_q, read_q, sent_q;  // read_q, sent_q: all words read, all beats sent
  burst_t [OUTSTANDING-1:0] bursts;
  burst_t                   oldest, reading, sending;
  logic [OUTSTANDING-1:0]   under_way, last_under_way;
  assign made    = u_dut.u_burst.burst_valid_o;
  assign oldest  = bursts[ended_q[Bits-1:0]];
  assign reading = bursts[read_q[Bits-1:0]];
  assign sending = bursts[sent_q[Bits-1:0]];

  ga2_channel_formal #(.COLS(COLS), .BUS_BYTES(BUS_BYTES), .OUTSTANDING(OUTSTANDING)) u_channel (
    .clk_i, .rst_ni(rst_n), .made_i(made), .burst_i(u_dut.u_burst.burst_o),
    .valid_i(awvalid), .ready_i(awready_i), .addr_i(awaddr), .len_i(awlen), .size_i(awsize), .type_i(awburst),
    .end_i(bvalid_i), .made_o(made_q), .taken_o(taken_q), .ended_o(ended_q),
    .bursts_o(bursts), .lengths_o(), .under_way_o(under_way)
  );
  ga2_engine_formal #(.COLS(COLS), .BUS_BYTES(BUS_BYTES)) u_engine (
    .rst_ni(rst_n), .active_i(u_dut.u_burst.active_q), .waits_i(u_dut.u_burst.waits_q),
    .waiting_i(u_dut.u_burst.waiting_q), .waiting_in_page_i(u_dut.u_burst.waiting_in_page_q),
    .job_i(u_dut.u_burst.job_q), .addr_i(u_dut.u_burst.addr_q), .words_left_i(u_dut.u_burst.words_left_q),
    .last_i(u_dut.u_burst.last_q), .in_page_i(u_dut.u_burst.in_page_q), .more_i(u_dut.u_burst.more_q),
    .job_more_i(u_dut.u_burst.job_more_q), .last_row_i(u_dut.u_burst.last_row_q)
  );

  for (genvar i = 0; i < OUTSTANDING; i++) begin : gen_burst
    logic to_read;
    assign last_under_way[i] = under_way[i] && bursts[i].last;
    assign to_read           = {1'b0, Bits'(Bits'(i) - read_q[Bits-1:0])} < made_q - read_q;
    always_comb begin
      if (rst_n) begin
        inv_record: assert (!under_way[i]
                            || u_dut.u_records.mem_q[i] == {bursts[i].slot, bursts[i].last, bursts[i].addr});
        inv_to_read: assert (!to_read || u_dut.u_to_read.mem_q[i] == {bursts[i].spad, bursts[i].words});
      end
    end
  end

  // The words read and not sent, in a ring; the beats of the burst that is being sent ---------------------------------

  logic [2:0]                                          reads_q, sends_q, unsent;
  logic [Words-1:0][BeatsPerWord-1:0][8*BUS_BYTES-1:0] words_q;
  logic [8:0]                                          read_word_q, send_word_q;  // of their bursts
  logic [7:0]                                          part_q, beat_q;          // beats sent of the word, the burst
  logic                                                asked_q, word_sent, burst_sent, held_q;
  logic [8*BUS_BYTES:0]                                held_beat_q;
  assign unsent     = reads_q - sends_q;
  assign word_sent  = wvalid && wready_i && part_q == 8'(BeatsPerWord - 1);
  assign burst_sent = word_sent && send_word_q + 9'd1 == sending.words;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      reads_q     <= '0;
      sends_q     <= '0;
      read_word_q <= '0;
      send_word_q <= '0;
      read_q      <= '0;
      sent_q      <= '0;
      part_q      <= '0;
      beat_q      <= '0;
      asked_q     <= 1'b0;
      held_q      <= 1'b0;
    end else begin
      asked_q <= rd_en;
      held_q  <= wvalid && !wready_i;
      if (rd_en) begin
        reads_q     <= reads_q + 3'd1;
        read_word_q <= read_word_q + 9'd1 == reading.words ? '0 : read_word_q + 9'd1;
        if (read_word_q + 9'd1 == reading.words) read_q <= read_q + 1'b1;
      end
      if (wvalid && wready_i) begin
        part_q <= word_sent ? '0 : part_q + 8'd1;
        beat_q <= burst_sent ? '0 : beat_q + 8'd1;
      end
      if (word_sent) begin
        sends_q     <= sends_q + 3'd1;
        send_word_q <= burst_sent ? '0 : send_word_q + 9'd1;
        if (burst_sent) sent_q <= sent_q + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    held_beat_q <= {wdata, wlast};
    if (asked_q) words_q[2'(reads_q - 3'd1)] <= rd_data_i;
  end

  logic [Words-1:0] last_in_fifo;
  for (genvar i = 0; i < Words; i++) begin : gen_place
    logic [8*COLS:0] entry;
    logic [1:0]      age;  // from the oldest
    assign entry           = u_dut.u_words.mem_q[i];
    assign last_in_fifo[i] = entry[8*COLS];
    assign age             = 2'(2'(i) - sends_q[1:0]);
    always_comb begin
      if (rst_n && 3'(age) + 3'(asked_q) < unsent) begin
        inv_word: assert (entry[8*COLS-1:0] == words_q[i]);
      end
    end
  end

  // Each unsent word's burst and place in it, counted from the one that is being sent; the last is the next to be read.
  for (genvar a = 0; a <= Words; a++) begin : gen_word
    logic [Bits:0] burst;
    logic [8:0]    word;
    logic          ends;
    assign ends = word + 9'd1 == bursts[burst[Bits-1:0]].words;
    if (a == 0) begin : gen_first
      assign burst = sent_q;
      assign word  = send_word_q;
    end else begin : gen_next
      assign burst = gen_word[a-1].burst + (Bits+1)'(gen_word[a-1].ends);
      assign word  = gen_word[a-1].ends ? '0 : gen_word[a-1].word + 9'd1;
    end
    logic last_there;
    assign last_there = last_in_fifo[2'(sends_q + 3'(a))];
    always_comb begin
      if (rst_n) begin
        inv_next_read: assert (unsent != 3'(a) || (burst == read_q && word == read_word_q));
        inv_last: assert (a == Words || 3'(a) + 3'(asked_q) >= unsent || last_there == ends);
        inv_last_asked: assert (!(asked_q && unsent == 3'(a + 1)) || u_dut.data_last_q == ends);
      end
    end
  end

  // Answers, errors, operations accepted and not done -----------------------------------------------------------------

  logic        fired, write_err, due_q, stopped_q, killed_q, err_q, many_q;  // many_q: more than one operation so far
  logic [2:0]  due_slot_q;
  logic [7:0]  err_code_q;
  logic [31:0] err_addr_q;
  logic [4:0]  undone_q, undone_there;
  job_t        job;
  assign fired     = op_valid_i && op_ready;
  assign write_err = bvalid_i && bresp_i[1];
  assign job       = u_dut.job;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      due_q     <= 1'b0;
      stopped_q <= 1'b0;
      killed_q  <= 1'b0;
      err_q     <= 1'b0;
      many_q    <= 1'b0;
      undone_q  <= '0;
    end else begin
      due_q     <= bvalid_i && oldest.last && !write_err && !stopped_q && !kill_i;
      stopped_q <= !kill_i && (stopped_q || write_err);
      err_q     <= !kill_i && !stopped_q && write_err;
      killed_q  <= kill_i;
      many_q    <= many_q || (fired && undone_q != '0);
      undone_q  <= kill_i ? '0 : undone_q + 5'(fired) - 5'(done);
    end
  end
  always_ff @(posedge clk_i) begin
    due_slot_q <= oldest.slot;
    err_code_q <= bresp_i[0] ? FaultWriteDecerr : FaultWriteSlverr;
    err_addr_q <= oldest.addr;
  end
  always_comb begin
    undone_there = 5'(u_dut.u_burst.active_q) + 5'(u_dut.u_burst.waits_q) + 5'(due_q);
    for (int i = 0; i < OUTSTANDING; i++) undone_there += 5'(last_under_way[i]);
  end

  logic bus_owes, moves;  // the bus lets something wait; words or bursts go on
  assign bus_owes = awvalid || wvalid || (taken_q != ended_q && sent_q != ended_q);
  assign moves    = made || rd_en || asked_q || done;

  function automatic logic legal(input st_op_t op);
    return op.rows != '0 && op.words != '0
        && (op.ext_addr & 32'(COLS - 1)) == '0 && (op.ext_pitch_bytes & 32'(COLS - 1)) == '0;
  endfunction

  always_comb begin
    if (rst_n) begin
      assume_answer_of_accepted: assume (!bvalid_i || (taken_q != ended_q && sent_q != ended_q));
      assume_legal: assume (!op_valid_i || legal(op_i));
      assume_kill_lasts: assume (kill_i || !killed_q || !outstanding);

      answer_always_taken: assert (bready);
      data_stable_until_ready: assert (!held_q || (wvalid && {wdata, wlast} == held_beat_q));
      data_of_a_burst: assert (!wvalid || sent_q != made_q);
      last_in_last_beat: assert (!wvalid || wlast == (32'(beat_q) + 32'd1 == 32'(sending.words) << BeatShift));
      whole_words: assert (!wvalid || wstrb == '1);
      beat_is_told: assert (beat == (wvalid && wready_i));
      read_in_order: assert (!rd_en || (read_q != made_q && rd_addr == reading.spad + 16'(read_word_q)));
      sent_as_read: assert (!wvalid || (unsent != '0 && wdata == words_q[sends_q[1:0]][part_q]));
      read_only_into_room: assert (!rd_en || unsent != 3'(Words));
      done_after_last_answer: assert (done == due_q && (!done || done_slot == due_slot_q));
      done_only_if_asked: assert (!done || undone_q != '0);
      burst_only_if_asked: assert (!made || (undone_q != '0 && !stopped_q && !kill_i));
      outstanding_is_told: assert (outstanding == (made_q != ended_q));
      busy_with_work: assert (busy || (made_q == ended_q && (undone_q == '0 || stopped_q)));
      operation_goes_on: assert (!(undone_q != '0 && !stopped_q && !kill_i) || bus_owes || moves);
      burst_goes_on: assert (made_q == ended_q || bus_owes || rd_en || asked_q);
      error_told_once: assert (err == err_q && (!err || (err_code == err_code_q && err_slot == due_slot_q
                                                         && err_addr == err_addr_q)));
      job_of_operation: assert (!fired || (job.last && job.slot == op_i.slot && job.spad == op_i.src
          && job.spad_pitch == op_i.src_pitch && job.rows == op_i.rows && job.words == op_i.words
          && job.ext_addr == op_i.ext_addr && job.ext_pitch_bytes == op_i.ext_pitch_bytes));
      no_other_job: assert (fired == (u_dut.u_burst.job_valid_i && u_dut.u_burst.job_ready_o));

      inv_order: assert (made_q - read_q <= made_q - sent_q && made_q - sent_q <= made_q - ended_q);
      inv_records: assert (u_dut.u_records.head_q == ended_q[Bits-1:0] && u_dut.u_records.tail_q == made_q[Bits-1:0]
                           && 32'(u_dut.u_records.count_q) == 32'((Bits+1)'(made_q - ended_q)));
      inv_reads: assert (u_dut.u_to_read.head_q == read_q[Bits-1:0] && u_dut.u_to_read.tail_q == made_q[Bits-1:0]
                         && 32'(u_dut.u_to_read.count_q) == 32'((Bits+1)'(made_q - read_q)));
      inv_read_word: assert (u_dut.word_q == read_word_q && (read_q == made_q ? read_word_q == '0
                                                                              : read_word_q < reading.words));
      inv_send_word: assert (sent_q == made_q ? send_word_q == '0 : send_word_q < sending.words);
      inv_beat: assert (32'(beat_q) == (32'(send_word_q) << BeatShift) + 32'(part_q)
                        && 32'(part_q) < 32'(BeatsPerWord) && (part_q == '0 || unsent > 3'(asked_q)));
      inv_unsent: assert (unsent <= 3'(Words) && u_dut.credits_q == unsent && u_dut.data_valid_q == asked_q
                          && unsent >= 3'(asked_q));
      inv_words: assert (u_dut.u_words.head_q == sends_q[1:0] && u_dut.u_words.tail_q == 2'(reads_q - 3'(asked_q))
                         && 3'(u_dut.u_words.count_q) == unsent - 3'(asked_q));
      inv_stopped: assert (u_dut.stopped_q == stopped_q);
      inv_killed: assert (!killed_q || (undone_q == '0 && !u_dut.u_burst.active_q && !u_dut.u_burst.waits_q && !due_q
                                        && !stopped_q));
      inv_undone: assert (stopped_q || killed_q || undone_q == undone_there);
      inv_jobs: assert ((!u_dut.u_burst.active_q || u_dut.u_burst.job_q.last)
                        && (!u_dut.u_burst.waits_q || u_dut.u_burst.waiting_q.last));

      reach_second_done: cover (done && many_q && undone_q == 5'd1);
      reach_data_first: cover (burst_sent && taken_q == sent_q && held_q);
      reach_words_wait: cover (unsent == 3'(Words) && !asked_q && wlast && beat_q != '0);
      reach_killed_burst: cover (killed_q && burst_sent && beat_q != '0);
      reach_error: cover (err && err_code == FaultWriteDecerr && outstanding);
    end
  end

  if (BeatsPerWord > 1) begin : gen_parts
    always_comb begin
      if (rst_n) begin
        inv_part: assert (8'(u_dut.gen_parts.beat_q) == part_q);
      end
    end
  end

endmodule
