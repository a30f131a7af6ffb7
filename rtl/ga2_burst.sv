// SPDX-License-Identifier: Apache-2.0
// The burst engine: walks a job's rows and makes one AXI burst a cycle.
//
//   cycle     s         s+1              s+2
//             job       first burst      first AxVALID
//             accepted  made, recorded   second burst made ...
//
// A burst ends at the end of its row, at a 4 KiB boundary or after 256 beats, whichever comes first. `burst_o` records
// it for the unit's response side; `room_i` says that the unit can take a record, which bounds the outstanding bursts.
// The engine is ready in the cycle that makes a job's last burst. A kill drops the job, but never an address that is
// valid on the bus.

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

  logic        active_q;
  job_t        job_q;         // rows counts down; spad and ext_addr are those of the current row
  logic [31:0] addr_q;        // of the next burst
  logic [15:0] spad_q;
  logic [15:0] words_left_q;  // of the current row

  logic [16:0] page_end;      // of the row, in words from the page's start
  logic [15:0] page_left, limit, words;
  logic        row_end, job_end, make;
  logic [31:0] next_row_addr;
  logic [15:0] next_row_spad;

  // The end of the row is needed first, to accept the next job: found beside the limit and not after it.
  assign page_end  = 17'(words_left_q) + 17'(addr_q[11:WordShift]);
  assign row_end   = page_end <= 17'(PageWords) && words_left_q <= BurstWords;
  assign page_left = PageWords - 16'(addr_q[11:WordShift]);
  assign limit     = (page_left < BurstWords) ? page_left : BurstWords;
  assign words     = row_end ? words_left_q : limit;
  assign job_end   = row_end && job_q.rows == 16'd1;
  assign make      = active_q && room_i && (!ax_valid_o || ax_ready_i) && !kill_i;

  assign next_row_addr = job_q.ext_addr + job_q.ext_pitch_bytes;
  assign next_row_spad = job_q.spad + job_q.spad_pitch;

  assign active_o      = active_q;
  assign job_ready_o   = !active_q || (make && job_end);
  assign burst_valid_o = make;

  assign burst_o = {
      job_q.slot,             // slot
      job_q.last && job_end,  // last
      spad_q,                 // spad
      words[8:0],             // words
      addr_q                  // addr
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (kill_i) active_q <= 1'b0;
    else if (job_ready_o) active_q <= job_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (job_ready_o) begin
      job_q        <= job_i;
      addr_q       <= job_i.ext_addr;
      spad_q       <= job_i.spad;
      words_left_q <= job_i.words;
    end else if (make && row_end) begin
      job_q.rows     <= job_q.rows - 16'd1;
      job_q.ext_addr <= next_row_addr;
      job_q.spad     <= next_row_spad;
      addr_q         <= next_row_addr;
      spad_q         <= next_row_spad;
      words_left_q   <= job_q.words;
    end else if (make) begin
      addr_q       <= addr_q + (32'(words) << WordShift);
      spad_q       <= spad_q + words;
      words_left_q <= words_left_q - words;
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
