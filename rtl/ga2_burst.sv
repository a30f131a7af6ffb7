// SPDX-License-Identifier: Apache-2.0
// The burst engine: walks a job's rows and makes one AXI burst a cycle.
//
//   cycle     s         s+1              s+2
//             job       first burst      first AxVALID
//             accepted  made, recorded   second burst made ...
//
// A burst ends at the end of its row, at a 4 KiB boundary or after 256 beats, whichever comes first. `burst_o` records
// it for the unit's response side; `room_i` says that the unit can take a record, which bounds the outstanding bursts.
// A job that comes while another one is walked waits in a place of its own, and is taken in the cycle that makes the
// other's last burst: the engine is ready while that place is empty, whatever the burst. A kill drops the jobs, but
// never an address that is valid on the bus.
//
// Whether a burst ends its row, and its job, decides whether the next job is taken. It must be known early and comes
// out of registers: a burst ends the row if the row ends in this page (`in_page_q`) and needs no more than one burst
// (`!more_q`). `last_q` is the row's last word, counted from the start of the current page: a burst takes from the row
// what it adds to the address, so only a new page changes it.

module ga2_burst
  import ga2_mem_pkg::*;
#(
  parameter int COLS      = 4,  // bytes of a word, a power of two, 4 .. 1024
  parameter int BUS_BYTES = 4   // bytes of a beat, a power of two, divides COLS
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kill_i,
  // job
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  job_t        job_i,
  input  logic        job_in_page_i,  // it is one row, which crosses no 4 KiB boundary
  output logic        active_o,
  // address channel, registered
  output logic        ax_valid_o,
  input  logic        ax_ready_i,
  output logic [31:0] ax_addr_o,
  output logic [7:0]  ax_len_o,
  // record of the burst made in this cycle
  input  logic        room_i,
  output logic        burst_valid_o,
  output burst_t      burst_o
);

  localparam int WordShift = $clog2(COLS);
  localparam int BeatShift = $clog2(COLS / BUS_BYTES);
  localparam logic [15:0] PageWords = 16'(4096 / COLS);
  localparam logic [15:0] BurstWords = 16'(256 >> BeatShift);

  logic        active_q, waits_q, waiting_in_page_q;
  job_t        waiting_q;     // the job that waits
  job_t        job_q;         // rows counts down; spad and ext_addr are those of the current row
  logic [31:0] addr_q;        // of the next burst
  logic [15:0] spad_q;
  logic [15:0] words_left_q;  // of the current row

  logic [16:0] last_q;        // the row's last word, from the start of the page that addr_q is in
  logic [15:0] page_left, limit, words;
  logic        in_page_q, more_q, last_row_q;  // the row ends in this page, after more than this burst; it is the last
  logic        job_more_q;                     // each row of the job needs more than one burst
  logic        row_end, to_page, job_end, step, make, take, next_in_page;
  logic [15:0] left_d;                         // of the row, after a burst that does not end it
  logic [16:0] job_last, row_last;             // last_q of the next job and of the next row
  job_t        next_job;
  logic [31:0] next_row_addr;
  logic [15:0] next_row_spad;

  assign row_end   = in_page_q && !more_q;
  assign page_left = PageWords - 16'(addr_q[11:WordShift]);
  assign to_page   = page_left <= BurstWords;  // a burst that does not end the row ends the page
  assign limit     = to_page ? page_left : BurstWords;
  assign words     = row_end ? words_left_q : limit;
  assign job_end   = row_end && last_row_q;
  assign step      = active_q && room_i && (!ax_valid_o || ax_ready_i);
  assign make      = step && !kill_i;  // after a kill nobody asks what the registers of the walk hold

  assign left_d    = to_page ? words_left_q - page_left : words_left_q - BurstWords;

  assign job_last = 17'(next_job.words) - 17'd1 + (next_in_page ? '0 : 17'(next_job.ext_addr[11:WordShift]));
  assign row_last = 17'(job_q.words) - 17'd1 + 17'(next_row_addr[11:WordShift]);

  assign next_row_addr = job_q.ext_addr + job_q.ext_pitch_bytes;
  assign next_row_spad = job_q.spad + job_q.spad_pitch;

  assign active_o      = active_q;
  assign job_ready_o   = !waits_q;
  assign next_job      = waits_q ? waiting_q : job_i;
  assign next_in_page  = waits_q ? waiting_in_page_q : job_in_page_i;
  assign take          = !active_q || (step && job_end);
  assign burst_valid_o = make;

  assign burst_o = {
      job_q.slot,             // slot
      job_q.last && job_end,  // last
      spad_q,                 // spad
      words[8:0],             // words
      addr_q                  // addr
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      waits_q  <= 1'b0;
    end else if (kill_i) begin
      active_q <= 1'b0;
      waits_q  <= 1'b0;
    end else begin
      if (take) active_q <= waits_q || job_valid_i;
      waits_q <= (waits_q || job_valid_i) && !take;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!waits_q) begin
      waiting_q         <= job_i;
      waiting_in_page_q <= job_in_page_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      job_q        <= next_job;
      addr_q       <= next_job.ext_addr;
      spad_q       <= next_job.spad;
      words_left_q <= next_job.words;
      last_q       <= job_last;
      in_page_q    <= job_last < 17'(PageWords);
      more_q       <= next_job.words > BurstWords;
      job_more_q   <= next_job.words > BurstWords;
      last_row_q   <= next_job.rows == 16'd1;
    end else if (step && row_end) begin
      job_q.rows     <= job_q.rows - 16'd1;
      job_q.ext_addr <= next_row_addr;
      job_q.spad     <= next_row_spad;
      addr_q         <= next_row_addr;
      spad_q         <= next_row_spad;
      words_left_q   <= job_q.words;
      last_q         <= row_last;
      in_page_q      <= row_last < 17'(PageWords);
      more_q         <= job_more_q;
      last_row_q     <= job_q.rows == 16'd2;
    end else if (step) begin
      addr_q       <= addr_q + (32'(words) << WordShift);
      spad_q       <= spad_q + words;
      words_left_q <= left_d;
      more_q       <= left_d > BurstWords;
      if (to_page) begin
        last_q    <= last_q - 17'(PageWords);
        in_page_q <= last_q < 17'(2 * PageWords);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ax_valid_o <= 1'b0;
    else if (make) ax_valid_o <= 1'b1;
    else if (ax_ready_i) ax_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (make) begin
      ax_addr_o <= addr_q;
      ax_len_o  <= 8'((words << BeatShift) - 16'd1);
    end
  end

endmodule
