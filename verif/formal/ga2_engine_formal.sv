// SPDX-License-Identifier: Apache-2.0
// Invariants of the burst engine inside a unit: what the unit's proof needs of what proof `burst` shows.

module ga2_engine_formal
  import ga2_mem_pkg::*;
#(
  parameter int COLS      = 4,
  parameter int BUS_BYTES = 4
) (
  input logic        rst_ni,
  input logic        active_i,
  input logic        waits_i,
  input job_t        waiting_i,
  input logic        waiting_in_page_i,
  input job_t        job_i,
  input logic [31:0] addr_i,
  input logic [15:0] words_left_i,
  input logic [16:0] last_i,
  input logic        in_page_i,
  input logic        more_i,
  input logic        job_more_i,
  input logic        last_row_i
);

  localparam int WordShift = $clog2(COLS);
  localparam logic [31:0] PageWords = 32'd4096 / 32'(COLS);
  localparam logic [31:0] BurstWords = 32'd256 / 32'(COLS / BUS_BYTES);

  function automatic logic legal(input job_t job);
    return job.rows != '0 && job.words != '0
        && (job.ext_addr & 32'(COLS - 1)) == '0 && (job.ext_pitch_bytes & 32'(COLS - 1)) == '0;
  endfunction

  logic [31:0] page_words;  // from the start of the page to the row's end
  assign page_words = 32'(addr_i[11:WordShift]) + 32'(words_left_i);

  always_comb begin
    if (rst_ni) begin
      inv_waits: assert (!waits_i || (active_i && legal(waiting_i)));
      inv_waiting: assert (!(waits_i && waiting_in_page_i) || (waiting_i.rows == 16'd1
          && 32'(waiting_i.ext_addr[11:0]) + (32'(waiting_i.words) << WordShift) <= 32'd4096));
    end
    if (rst_ni && active_i) begin
      inv_job: assert (legal(job_i) && (addr_i & 32'(COLS - 1)) == '0);
      inv_left: assert (words_left_i != '0 && words_left_i <= job_i.words);
      inv_in_page: assert (in_page_i == (page_words <= PageWords));
      inv_last: assert (32'(last_i) == page_words - 32'd1 || (last_row_i && in_page_i));
      inv_more: assert (more_i == (32'(words_left_i) > BurstWords) && job_more_i == (32'(job_i.words) > BurstWords));
      inv_last_row: assert (last_row_i == (job_i.rows == 16'd1));
    end
  end

endmodule
