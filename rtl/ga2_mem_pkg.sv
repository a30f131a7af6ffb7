// SPDX-License-Identifier: Apache-2.0
// What the load and store units and the burst engine hand to each other.
// A scratchpad word is COLS bytes; every burst is a whole number of words, because window bases are word aligned.

package ga2_mem_pkg;

  // A rectangle of words, in external memory and in the scratchpad.
  typedef struct packed {
    logic [2:0]  slot;
    logic        last;             // the last job of its operation
    logic [15:0] spad;             // scratchpad word of row 0
    logic [15:0] spad_pitch;
    logic [15:0] rows;             // >= 1
    logic [15:0] words;            // words a row, >= 1
    logic [31:0] ext_addr;         // byte address of row 0
    logic [31:0] ext_pitch_bytes;
  } job_t;

  // One AXI burst of a job.
  typedef struct packed {
    logic [2:0]  slot;
    logic        last;             // the last burst of its operation
    logic [15:0] spad;             // scratchpad word of its first word
    logic [8:0]  words;            // 1 .. 256
    logic [31:0] addr;             // byte address of its first beat
  } burst_t;

endpackage
