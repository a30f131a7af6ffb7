// SPDX-License-Identifier: Apache-2.0
// ga2_load as a bus master: the rules of AR; bursts only for operations that were accepted; every word of every burst
// is written once, where the burst said, with its beats' bytes; done once an operation, with its last word; a gathered
// row is the row that its id names; an error is told once, and ends all writing; whenever the bus owes nothing, work is
// done.
//
// That the bursts of a job are its rows is proof `burst`. An operation ends: it is counted from its acceptance to its
// done or a kill (`inv_undone`), and a cycle in which the bus owes nothing takes a burst from the finite rest, or hands
// over a row, or is one of the two in which the gather reads an id. After an error the unit waits for a kill; bursts
// under way are answered as ever.
//
// Assumed of the memory, as AXI has it: R only for accepted bursts, in order, RLAST in the last beat. Of the core:
// legal operations (a gathered row lies within its pitch, a power of two up to 4096, and the table begins at a multiple
// of it), a kill that lasts until nothing is outstanding (CLEAR is refused before), ids that stay while they are read.

module ga2_load_formal
  import ga2_mem_pkg::*;
  import ga2_ops_pkg::*;
  import ga2_pkg::*;
#(
  parameter int COLS        = 4,
  parameter int BUS_BYTES   = 4,
  parameter int OUTSTANDING = 8
) (
  input logic                   clk_i,
  input logic                   kill_i,
  input logic                   op_valid_i,
  input ld_op_t                 op_i,
  input logic [8*COLS-1:0]      rd_data_i,
  input logic                   arready_i,
  input logic [8*BUS_BYTES-1:0] rdata_i,
  input logic [1:0]             rresp_i,
  input logic                   rvalid_i,
  input logic [15:0]            id_addr_i,  // chosen once: a scratchpad word, and the id in it
  input logic [31:0]            id_i
);

  localparam int Bits = $clog2(OUTSTANDING);
  localparam int BeatShift = $clog2(COLS / BUS_BYTES);
  localparam int BeatsPerWord = COLS / BUS_BYTES;
  localparam logic [7:0] LastBeat = 8'(BeatsPerWord - 1);

  logic              rst_n, op_ready, done, busy, rd_en, wr_en, outstanding, err, beat;
  logic [2:0]        done_slot, err_slot;
  logic [15:0]       rd_addr, wr_addr;
  logic [8*COLS-1:0] wr_data;
  logic [31:0]       araddr, err_addr;
  logic [7:0]        arlen, err_code;
  logic [2:0]        arsize;
  logic [1:0]        arburst;
  logic              arvalid, rready, rlast;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));
  ga2_formal_steady #(.WIDTH(48)) u_chosen (.clk_i, .rst_ni(rst_n), .value_i({id_addr_i, id_i}));

  ga2_load #(.COLS(COLS), .BUS_BYTES(BUS_BYTES), .OUTSTANDING(OUTSTANDING)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i,
    .op_valid_i, .op_ready_o(op_ready), .op_i, .done_o(done), .done_slot_o(done_slot), .busy_o(busy),
    .rd_en_o(rd_en), .rd_addr_o(rd_addr), .rd_data_i,
    .wr_en_o(wr_en), .wr_addr_o(wr_addr), .wr_data_o(wr_data),
    .m_axi_arid(), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arsize(arsize), .m_axi_arburst(arburst),
    .m_axi_arcache(), .m_axi_arprot(), .m_axi_arvalid(arvalid), .m_axi_arready(arready_i),
    .m_axi_rdata(rdata_i), .m_axi_rresp(rresp_i), .m_axi_rlast(rlast), .m_axi_rvalid(rvalid_i), .m_axi_rready(rready),
    .beat_o(beat), .outstanding_o(outstanding),
    .err_valid_o(err), .err_code_o(err_code), .err_addr_o(err_addr), .err_slot_o(err_slot)
  );

  // The bursts under way ----------------------------------------------------------------------------------------------

  logic                        made;
  logic [Bits:0]               made_q, taken_q, ended_q;
  burst_t [OUTSTANDING-1:0]    bursts;
  burst_t                      oldest;
  logic [OUTSTANDING-1:0][7:0] lengths;
  logic [OUTSTANDING-1:0]      under_way, last_under_way;
  assign made   = u_dut.u_burst.burst_valid_o;
  assign oldest = bursts[ended_q[Bits-1:0]];

  ga2_channel_formal #(.COLS(COLS), .BUS_BYTES(BUS_BYTES), .OUTSTANDING(OUTSTANDING)) u_channel (
    .clk_i, .rst_ni(rst_n), .made_i(made), .burst_i(u_dut.u_burst.burst_o),
    .valid_i(arvalid), .ready_i(arready_i), .addr_i(araddr), .len_i(arlen), .size_i(arsize), .type_i(arburst),
    .end_i(rvalid_i && rlast), .made_o(made_q), .taken_o(taken_q), .ended_o(ended_q),
    .bursts_o(bursts), .lengths_o(lengths), .under_way_o(under_way)
  );
  ga2_engine_formal #(.COLS(COLS), .BUS_BYTES(BUS_BYTES)) u_engine (
    .rst_ni(rst_n), .active_i(u_dut.u_burst.active_q), .waits_i(u_dut.u_burst.waits_q),
    .waiting_i(u_dut.u_burst.waiting_q), .waiting_in_page_i(u_dut.u_burst.waiting_in_page_q),
    .job_i(u_dut.u_burst.job_q), .addr_i(u_dut.u_burst.addr_q), .words_left_i(u_dut.u_burst.words_left_q),
    .last_i(u_dut.u_burst.last_q), .in_page_i(u_dut.u_burst.in_page_q), .more_i(u_dut.u_burst.more_q),
    .job_more_i(u_dut.u_burst.job_more_q), .last_row_i(u_dut.u_burst.last_row_q)
  );

  for (genvar i = 0; i < OUTSTANDING; i++) begin : gen_burst
    assign last_under_way[i] = under_way[i] && bursts[i].last;
    always_comb begin
      if (rst_n && under_way[i]) begin
        inv_record: assert (u_dut.u_records.mem_q[i]
                            == {bursts[i].slot, bursts[i].last, bursts[i].spad, bursts[i].addr});
      end
    end
  end

  // The gather under way: its row, and that row's id ------------------------------------------------------------------

  localparam logic [1:0] Read = 2'd1, Keep = 2'd2, Check = 2'd3;

  logic        fired, gathers, row_handed, bad_id, id_chosen, asked_q;
  logic [1:0]  state;
  ld_op_t      gather_q;
  logic [15:0] row_q, ids_q, dst_q, asked_addr_q;
  logic [1:0]  id_cycles_q;  // since the gather began to read an id
  job_t        job;
  assign fired      = op_valid_i && op_ready;
  assign state      = 2'(u_dut.u_gather.state_q);
  assign gathers    = u_dut.gather_busy;
  assign job        = u_dut.job;
  assign row_handed = gathers && u_dut.gather_job_valid && u_dut.job_ready;
  assign bad_id     = u_dut.bad_valid;
  assign id_chosen  = ids_q == id_addr_i;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      asked_q     <= 1'b0;
      id_cycles_q <= '0;
    end else begin
      asked_q     <= rd_en;
      id_cycles_q <= gathers && state != Check ? id_cycles_q + 2'd1 : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    asked_addr_q <= rd_addr;
    if (fired && op_i.gather) begin
      gather_q <= op_i;
      row_q    <= '0;
      ids_q    <= op_i.ids;
      dst_q    <= op_i.dst;
    end else if (row_handed) begin
      row_q <= row_q + 16'd1;
      ids_q <= ids_q + gather_q.ids_pitch;
      dst_q <= dst_q + gather_q.dst_pitch;
    end
  end
  for (genvar p = 0; p < 13; p++) begin : gen_pitch
    always_comb begin
      if (rst_n && row_handed && id_chosen && gather_q.ext_pitch_bytes == 32'd1 << p) begin
        row_of_id: assert (job.ext_addr == gather_q.ext_addr + (id_i << p));
      end
    end
  end

  // The beats of the oldest burst, and the word they make -------------------------------------------------------------

  logic [7:0]                        beat_q, part;
  logic [BeatsPerWord-1:0][8*BUS_BYTES-1:0] word_q;
  logic                              read_err, due_q, due_last_q, stopped_q, killed_q, err_q;
  logic [15:0]                       due_addr_q;
  logic [2:0]                        due_slot_q, err_slot_q;
  logic [7:0]                        err_code_q;
  logic [31:0]                       err_addr_q;
  logic                              err_known_q;  // the address too
  assign rlast    = beat_q == lengths[ended_q[Bits-1:0]];
  assign part     = beat_q & LastBeat;
  assign read_err = rvalid_i && rresp_i[1];

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      beat_q    <= '0;
      due_q     <= 1'b0;
      stopped_q <= 1'b0;
      killed_q  <= 1'b0;
      err_q     <= 1'b0;
    end else begin
      if (rvalid_i) beat_q <= rlast ? '0 : beat_q + 8'd1;
      due_q     <= rvalid_i && part == LastBeat && !read_err && !stopped_q && !kill_i;
      stopped_q <= !kill_i && (stopped_q || read_err || bad_id);
      err_q     <= !kill_i && !stopped_q && (read_err || bad_id);
      killed_q  <= kill_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rvalid_i) word_q[part] <= rdata_i;
    due_addr_q  <= oldest.spad + 16'(beat_q >> BeatShift);
    due_last_q  <= oldest.last && rlast;
    due_slot_q  <= oldest.slot;
    err_code_q  <= !read_err ? FaultGatherId : rresp_i[0] ? FaultReadDecerr : FaultReadSlverr;
    err_addr_q  <= read_err ? oldest.addr + 32'(beat_q) * 32'(BUS_BYTES) : id_i;
    err_slot_q  <= read_err ? oldest.slot : gather_q.slot;
    err_known_q <= read_err || id_chosen;
  end
  for (genvar i = 0; i < BeatsPerWord - 1; i++) begin : gen_part
    always_comb begin
      if (rst_n && 8'(i) < part) begin  // beats enter at the top and move down
        inv_part: assert (u_dut.word_q[8*COLS-8*BUS_BYTES*(32'(part)-i)+:8*BUS_BYTES] == word_q[i]);
      end
    end
  end

  function automatic logic legal(input ld_op_t op);
    return op.rows != '0 && op.words != '0
        && (op.ext_addr & 32'(COLS - 1)) == '0 && (op.ext_pitch_bytes & 32'(COLS - 1)) == '0
        && (!op.gather || (op.ext_pitch_bytes <= 32'd4096
            && (op.ext_pitch_bytes & (op.ext_pitch_bytes - 32'd1)) == '0
            && 32'(op.words) << $clog2(COLS) <= op.ext_pitch_bytes
            && (op.ext_addr & (op.ext_pitch_bytes - 32'd1)) == '0));
  endfunction

  // Operations accepted and not done ---------------------------------------------------------------------------------

  logic [4:0] undone_q, undone_there;
  logic       lone_gather_q, many_q;  // the one operation so far gathers; there was more than one
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      undone_q      <= '0;
      lone_gather_q <= 1'b0;
      many_q        <= 1'b0;
    end else begin
      undone_q <= kill_i ? '0 : undone_q + 5'(fired) - 5'(done);
      if (fired) begin
        lone_gather_q <= op_i.gather && !many_q;
        many_q        <= 1'b1;
      end
    end
  end
  always_comb begin
    undone_there = 5'(u_dut.u_burst.active_q && u_dut.u_burst.job_q.last)
                 + 5'(u_dut.u_burst.waits_q && u_dut.u_burst.waiting_q.last) + 5'(gathers) + 5'(due_q && due_last_q);
    for (int i = 0; i < OUTSTANDING; i++) undone_there += 5'(last_under_way[i]);
  end

  always_comb begin
    if (rst_n) begin
      assume_data_of_accepted: assume (!rvalid_i || taken_q != ended_q);
      assume_legal: assume (!op_valid_i || legal(op_i));
      assume_kill_lasts: assume (kill_i || !killed_q || !outstanding);
      assume_id: assume (!(asked_q && asked_addr_q == id_addr_i) || rd_data_i[31:0] == id_i);

      data_always_taken: assert (rready && beat == rvalid_i);
      written_once_in_place: assert (wr_en == due_q && (!wr_en || (wr_addr == due_addr_q && wr_data == word_q)));
      done_with_last_word: assert (done == (due_q && due_last_q) && (!done || done_slot == due_slot_q));
      done_only_if_asked: assert (!done || undone_q != '0);
      burst_only_if_asked: assert (!made || (undone_q != '0 && !stopped_q && !kill_i));
      outstanding_is_told: assert (outstanding == (made_q != ended_q));
      busy_with_work: assert (busy || (made_q == ended_q && (undone_q == '0 || stopped_q)));
      bus_owes_or_work_is_done: assert (!(undone_q != '0 && !stopped_q && !kill_i) || arvalid || taken_q != ended_q
          || made || row_handed || bad_id || (gathers && state != Check) || done);
      error_told_once: assert (err == err_q && (!err || (err_code == err_code_q && err_slot == err_slot_q
                                                         && (!err_known_q || err_addr == err_addr_q))));

      job_of_operation: assert (!(fired && !op_i.gather) || (u_dut.job_valid && u_dut.job_ready && job.last
          && job.slot == op_i.slot && job.spad == op_i.dst && job.spad_pitch == op_i.dst_pitch && job.rows == op_i.rows
          && job.words == op_i.words && job.ext_addr == op_i.ext_addr
          && job.ext_pitch_bytes == op_i.ext_pitch_bytes));
      job_of_row: assert (!row_handed || (job.slot == gather_q.slot && job.last == (row_q + 16'd1 == gather_q.rows)
          && job.spad == dst_q && job.rows == 16'd1 && job.words == gather_q.words));
      no_other_job: assert (!(u_dut.job_valid && u_dut.job_ready) || row_handed || (fired && !op_i.gather));
      id_in_two_cycles: assert (id_cycles_q <= 2'd2);
      id_below_limit: assert (!(state == Check && id_chosen) || (bad_id == (id_i >= 32'(gather_q.limit))
                                                                 && u_dut.gather_job_valid == !bad_id));

      inv_records: assert (u_dut.u_records.head_q == ended_q[Bits-1:0] && u_dut.u_records.tail_q == made_q[Bits-1:0]
                           && 32'(u_dut.u_records.count_q) == 32'((Bits+1)'(made_q - ended_q)));
      inv_beat: assert (u_dut.beat_q == 9'(beat_q) && (taken_q != ended_q ? beat_q <= lengths[ended_q[Bits-1:0]]
                                                                          : beat_q == '0));
      inv_due: assert (u_dut.word_valid_q == due_q);
      inv_due_word: assert (!due_q || (u_dut.word_q == word_q && u_dut.word_last_q == due_last_q));
      inv_stopped: assert (u_dut.stopped_q == stopped_q);
      inv_killed: assert (!killed_q || (undone_q == '0 && !u_dut.u_burst.active_q && !u_dut.u_burst.waits_q && !gathers
                                        && !due_q && !stopped_q));
      inv_undone: assert (stopped_q || killed_q || undone_q == undone_there);
      inv_rows: assert (!(u_dut.u_burst.active_q && !u_dut.u_burst.job_q.last) || gathers || stopped_q
                        || u_dut.u_burst.waits_q);
      inv_row_waits: assert (!(u_dut.u_burst.waits_q && !u_dut.u_burst.waiting_q.last) || gathers || stopped_q);
      inv_gathers: assert (gathers == (state != 2'd0));
      inv_gather: assert (!gathers || (gather_q.gather && legal(gather_q)
          && u_dut.u_gather.op_q.slot == gather_q.slot && u_dut.u_gather.op_q.words == gather_q.words
          && u_dut.u_gather.op_q.ext_addr == gather_q.ext_addr && u_dut.u_gather.op_q.dst == dst_q
          && u_dut.u_gather.op_q.dst_pitch == gather_q.dst_pitch
          && u_dut.u_gather.op_q.ids_pitch == gather_q.ids_pitch && u_dut.u_gather.op_q.limit == gather_q.limit
          && u_dut.u_gather.op_q.ext_pitch_bytes == gather_q.ext_pitch_bytes
          && row_q < gather_q.rows && u_dut.u_gather.op_q.rows == gather_q.rows - row_q
          && u_dut.u_gather.op_q.ids == (state == Read ? ids_q : ids_q + gather_q.ids_pitch)));
      inv_id_cycles: assert (!(state == Read && id_cycles_q != '0) && !(state == Keep && id_cycles_q > 2'd1)
                             && !(state == 2'd0 && id_cycles_q > 2'd2));
      inv_asked: assert (state != Keep || (asked_q && asked_addr_q == ids_q));
      inv_id: assert (!(state == Check && id_chosen) || u_dut.u_gather.id_q == id_i);

      reach_second_done: cover (done && many_q && undone_q == 5'd2 && !lone_gather_q);
      reach_gathered: cover (done && lone_gather_q && gather_q.rows == 16'd2);
      reach_killed_burst: cover (killed_q && rvalid_i && rlast && beat_q != '0);
      reach_error_while_gathering: cover (err && err_code == FaultReadDecerr && bad_id);
    end
  end

endmodule
