// SPDX-License-Identifier: Apache-2.0
// ga2_burst: the bursts of a job are exactly its rows, each burst as long as row, page and 256 beats allow; an address on
// the bus rests until it is taken; every job ends.
//
// A walker beside the design takes the same jobs and says, from the rule alone, what the next burst is. That a job ends:
// each burst takes at least a word from the finite rest, and one is made in every cycle that has room and a free channel.
// Assumed: at least one row and one word; rows begin at whole words; a job said to lie in one page is one row that does.

module ga2_burst_formal
  import ga2_mem_pkg::*;
#(
  parameter int COLS      = 4,
  parameter int BUS_BYTES = 4
) (
  input logic clk_i,
  input logic kill_i,
  input logic job_valid_i,
  input job_t job_i,
  input logic in_page_i,
  input logic ready_i,
  input logic room_i
);

  localparam int WordShift = $clog2(COLS);
  localparam int BeatShift = $clog2(COLS / BUS_BYTES);
  localparam int BusShift = $clog2(BUS_BYTES);
  localparam int PageWords = 4096 / COLS;
  localparam int BurstWords = 256 >> BeatShift;

  logic        rst_n, job_ready, active, ax_valid, made;
  logic [31:0] ax_addr;
  logic [7:0]  ax_len;
  burst_t      burst;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_burst #(.COLS(COLS), .BUS_BYTES(BUS_BYTES)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i,
    .job_valid_i, .job_ready_o(job_ready), .job_i, .job_in_page_i(in_page_i), .active_o(active),
    .ax_valid_o(ax_valid), .ax_ready_i(ready_i), .ax_addr_o(ax_addr), .ax_len_o(ax_len),
    .room_i, .burst_valid_o(made), .burst_o(burst)
  );

  function automatic logic legal(input job_t job, input logic in_page);
    return job.rows != '0 && job.words != '0
        && (job.ext_addr & 32'(COLS - 1)) == '0 && (job.ext_pitch_bytes & 32'(COLS - 1)) == '0
        && (!in_page || (job.rows == 16'd1
            && 32'(job.ext_addr[11:0]) + (32'(job.words) << WordShift) <= 32'd4096));
  endfunction

  // The walker: a job under way and one that waits ---------------------------------------------------------------------

  logic        walks_q, waits_q, waits_in_page_q;
  job_t        job_q, wait_q;
  logic [15:0] rows_q, left_q, spad_q, row_spad_q;  // rows left, this one too; words left of this row
  logic [31:0] addr_q, row_addr_q;
  logic        in_page_q;                           // as the job was said to lie
  logic [31:0] to_page, length;                     // words to the end of the page, of the next burst
  logic        row_ends, job_ends, accepted, next;
  assign to_page  = 32'(PageWords) - 32'(addr_q[11:WordShift]);
  assign length   = 32'(left_q) <= to_page ? (32'(left_q) <= 32'(BurstWords) ? 32'(left_q) : 32'(BurstWords))
                                           : (to_page <= 32'(BurstWords) ? to_page : 32'(BurstWords));
  assign row_ends = length == 32'(left_q);
  assign job_ends = row_ends && rows_q == 16'd1;
  assign accepted = job_valid_i && job_ready && !kill_i;
  assign next     = !walks_q || (made && job_ends);

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      walks_q <= 1'b0;
      waits_q <= 1'b0;
    end else if (kill_i) begin
      walks_q <= 1'b0;
      waits_q <= 1'b0;
    end else begin
      if (next) walks_q <= waits_q || accepted;
      waits_q <= next ? 1'b0 : waits_q || accepted;
    end
  end

  job_t taken;
  assign taken = waits_q ? wait_q : job_i;
  always_ff @(posedge clk_i) begin
    if (accepted) begin
      wait_q          <= job_i;
      waits_in_page_q <= in_page_i;
    end
    if (next) begin
      job_q      <= taken;
      rows_q     <= taken.rows;
      left_q     <= taken.words;
      spad_q     <= taken.spad;
      row_spad_q <= taken.spad;
      addr_q     <= taken.ext_addr;
      row_addr_q <= taken.ext_addr;
      in_page_q  <= waits_q ? waits_in_page_q : in_page_i;
    end else if (made && row_ends) begin
      rows_q     <= rows_q - 16'd1;
      left_q     <= job_q.words;
      row_spad_q <= row_spad_q + job_q.spad_pitch;
      spad_q     <= row_spad_q + job_q.spad_pitch;
      row_addr_q <= row_addr_q + job_q.ext_pitch_bytes;
      addr_q     <= row_addr_q + job_q.ext_pitch_bytes;
    end else if (made) begin
      left_q <= left_q - 16'(length);
      spad_q <= spad_q + 16'(length);
      addr_q <= addr_q + (length << WordShift);
    end
  end

  // The address channel in the cycle before --------------------------------------------------------------------------

  logic        held_q, made_q, killed_q;
  logic [31:0] ax_addr_q, burst_addr_q, bytes;
  logic [7:0]  ax_len_q;
  logic [8:0]  burst_words_q;
  assign bytes = (32'(ax_len) + 32'd1) << BusShift;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      held_q <= 1'b0;
      made_q <= 1'b0;
    end else begin
      held_q <= ax_valid && !ready_i;
      made_q <= made;
    end
  end
  always_ff @(posedge clk_i) begin
    ax_addr_q     <= ax_addr;
    ax_len_q      <= ax_len;
    killed_q      <= kill_i;
    burst_addr_q  <= burst.addr;
    burst_words_q <= burst.words;
  end

  logic [31:0] page_words;  // from the start of the page to the row's end
  assign page_words = 32'(addr_q[11:WordShift]) + 32'(left_q);

  always_comb begin
    if (rst_n) begin
      assume_legal: assume (!(job_valid_i) || legal(job_i, in_page_i));

      // Properties.
      bursts_of_walker: assert (!made || (walks_q && burst.addr == addr_q && burst.words == 9'(length)
                                          && burst.spad == spad_q && burst.slot == job_q.slot
                                          && burst.last == (job_q.last && job_ends)));
      burst_has_words: assert (!made || (burst.words != '0 && 32'(burst.words) <= 32'(left_q)));
      goes_on: assert (!(walks_q && room_i && (!ax_valid || ready_i) && !kill_i) || made);
      ready_unless_one_waits: assert (job_ready == !waits_q);
      active_while_walking: assert (active == walks_q);
      stable_until_ready: assert (!held_q || (ax_valid && ax_addr == ax_addr_q && ax_len == ax_len_q));
      address_of_burst: assert (!made_q || (ax_valid && ax_addr == burst_addr_q
                                            && 32'(ax_len) + 32'd1 == 32'(burst_words_q) << BeatShift));
      new_only_if_made: assert (!ax_valid || held_q || made_q);
      none_when_killed: assert (!(kill_i && made));
      whole_words: assert (!ax_valid || ((ax_addr & 32'(COLS - 1)) == '0 && (bytes & 32'(COLS - 1)) == '0));
      within_page: assert (!ax_valid || 32'(ax_addr[11:0]) + bytes <= 32'd4096);

      // Invariants.
      inv_legal: assert (!walks_q || (legal(job_q, 1'b0) && rows_q != '0 && left_q != '0 && left_q <= job_q.words
          && (addr_q & 32'(COLS - 1)) == '0 && (row_addr_q & 32'(COLS - 1)) == '0));
      inv_waiting: assert (!waits_q || (walks_q && legal(wait_q, waits_in_page_q) && u_dut.waiting_q == wait_q
                                        && u_dut.waiting_in_page_q == waits_in_page_q));
      inv_waits: assert (u_dut.waits_q == waits_q);
      inv_job: assert (!walks_q || (u_dut.job_q.slot == job_q.slot && u_dut.job_q.last == job_q.last
          && u_dut.job_q.spad_pitch == job_q.spad_pitch && u_dut.job_q.words == job_q.words
          && u_dut.job_q.ext_pitch_bytes == job_q.ext_pitch_bytes && u_dut.job_q.rows == rows_q
          && u_dut.job_q.ext_addr == row_addr_q && u_dut.job_q.spad == row_spad_q));
      inv_place: assert (!walks_q || (u_dut.addr_q == addr_q && u_dut.spad_q == spad_q
                                      && u_dut.words_left_q == left_q));
      inv_in_page: assert (!walks_q || u_dut.in_page_q == (page_words <= 32'(PageWords)));
      inv_said: assert (!(walks_q && in_page_q) || (rows_q == 16'd1 && page_words <= 32'(PageWords)));
      inv_row_last: assert (!(walks_q && !in_page_q) || 32'(u_dut.last_q) == page_words - 32'd1);
      inv_more: assert (!walks_q || u_dut.more_q == (32'(left_q) > 32'(BurstWords)));
      inv_job_more: assert (!walks_q || u_dut.job_more_q == (32'(job_q.words) > 32'(BurstWords)));
      inv_last_row: assert (!walks_q || u_dut.last_row_q == (rows_q == 16'd1));

      reach_256_beats: cover (made && 32'(length) == 32'(BurstWords) && !row_ends);
      reach_page_end: cover (made && length == to_page && !row_ends);
      reach_row_of_three: cover (made && row_ends && rows_q == 16'd2 && spad_q != row_spad_q && held_q);
      reach_back_to_back: cover (made && job_ends && waits_q);
      reach_kill_holds_address: cover (held_q && killed_q && ax_valid);
    end
  end

endmodule
