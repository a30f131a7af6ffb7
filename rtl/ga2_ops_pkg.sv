// SPDX-License-Identifier: Apache-2.0
// Resolved operations: what dispatch hands to a unit. Widths are the largest any configuration needs.
// Addresses and pitches count scratchpad words unless the name says bytes.

package ga2_ops_pkg;

  typedef struct packed {
    logic [2:0]  slot;
    logic        gather;
    logic [15:0] dst;
    logic [15:0] dst_pitch;
    logic [15:0] rows;             // >= 1
    logic [15:0] words;            // words a row, >= 1
    logic [31:0] ext_addr;         // byte address of row 0 (gather: of table row 0)
    logic [31:0] ext_pitch_bytes;  // gather: a power of two
    logic [15:0] ids;
    logic [15:0] ids_pitch;
    logic [15:0] limit;            // gather: ids must be below it
  } ld_op_t;

  typedef struct packed {
    logic [2:0]  slot;
    logic [15:0] src;
    logic [15:0] src_pitch;
    logic [15:0] rows;
    logic [15:0] words;
    logic [31:0] ext_addr;
    logic [31:0] ext_pitch_bytes;
  } st_op_t;

  typedef struct packed {
    logic [2:0]  slot;
    logic        unsigned_left;
    logic        residual;
    logic        rowmul;
    logic        double_round;
    logic [1:0]  right_mode;
    logic        uniform;
    logic [15:0] cidx;
    logic [11:0] m;
    logic [11:0] n;
    logic [11:0] k;
    logic [7:0]  zp;
    logic [7:0]  lo;
    logic [7:0]  hi;
    logic [15:0] out;
    logic [15:0] out_pitch;
    logic [15:0] left;
    logic [15:0] left_pitch;
    logic [15:0] right;
    logic [15:0] right_pitch;
    logic [15:0] aux;
    logic [15:0] aux_pitch;
  } mm_op_t;

  typedef struct packed {
    logic [2:0]  slot;
    logic        norm;
    logic [15:0] emul;
    logic [11:0] rows;
    logic [11:0] n;
    logic [11:0] len;
    logic [7:0]  step;
    logic [15:0] dst;
    logic [15:0] dst_pitch;
    logic [15:0] src;
    logic [15:0] src_pitch;
    logic [15:0] rmul;
    logic [15:0] rmul_pitch;
    logic [30:0] scale;
  } sm_op_t;

  typedef struct packed {
    logic [2:0]  slot;
    logic        amax;
    logic        second;
    logic [15:0] ma;
    logic [15:0] mb;
    logic [4:0]  shift;
    logic [7:0]  zp;
    logic [7:0]  lo;
    logic [7:0]  hi;
    logic [11:0] rows;
    logic [11:0] n;
    logic [15:0] out;
    logic [15:0] out_pitch;
    logic [15:0] a;
    logic [15:0] a_pitch;
    logic [15:0] b;
    logic [15:0] b_pitch;
  } vec_op_t;

  typedef struct packed {
    logic [31:0] bias;
    logic [30:0] mult;
    logic [5:0]  shift;
    logic [15:0] rfac;
  } const_t;

endpackage
