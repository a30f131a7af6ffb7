// SPDX-License-Identifier: Apache-2.0
// Whether a younger instruction's operand must wait for an older one's: the contract's rules, written once more.
//
//   read after write               whatever the units
//   write after read or write      different units
//   the same bank and port         different units; on the matrix unit a left or right after an aux

module ga2_hazard
  import ga2_pkg::*;
#(
  parameter int ADDR_BITS = 13,
  parameter int BANKS     = 8
) (
  input  logic [2:0]           old_unit_i,
  input  logic [2:0]           old_index_i,  // 0 destination, 1 first, 2 second, 3 aux, 4 external
  input  logic [ADDR_BITS-1:0] old_lo_i,     // words; of external memory bytes, below
  input  logic [ADDR_BITS-1:0] old_hi_i,
  input  logic [BANKS-1:0]     old_banks_i,
  input  logic [32:0]          old_ext_lo_i,
  input  logic [32:0]          old_ext_hi_i,
  input  logic [2:0]           new_unit_i,
  input  logic [2:0]           new_index_i,
  input  logic [ADDR_BITS-1:0] new_lo_i,
  input  logic [ADDR_BITS-1:0] new_hi_i,
  input  logic [BANKS-1:0]     new_banks_i,
  input  logic [32:0]          new_ext_lo_i,
  input  logic [32:0]          new_ext_hi_i,
  output logic                 overlap_o,
  output logic                 meet_o,
  output logic                 waits_o
);

  function automatic logic writes(input logic [2:0] unit, input logic [2:0] index);
    return index == 3'd4 ? unit == UnitStore : index == 3'd0 || (index == 3'd3 && unit == UnitSoftmax);
  endfunction

  logic old_writes, new_writes, old_ext, new_ext, same_unit, order, port;
  assign old_ext    = old_index_i == 3'd4;
  assign new_ext    = new_index_i == 3'd4;
  assign old_writes = writes(old_unit_i, old_index_i);
  assign new_writes = writes(new_unit_i, new_index_i);
  assign same_unit  = old_unit_i == new_unit_i;

  assign overlap_o = old_ext ? old_ext_lo_i < new_ext_hi_i && new_ext_lo_i < old_ext_hi_i
                             : old_lo_i < new_hi_i && new_lo_i < old_hi_i;
  assign meet_o    = |(old_banks_i & new_banks_i);

  assign order = overlap_o && ((old_writes && !new_writes) || (!same_unit && new_writes));
  assign port  = !old_ext && meet_o && (same_unit
      ? old_unit_i == UnitMatrix && old_index_i == 3'd3 && (new_index_i == 3'd1 || new_index_i == 3'd2)
      : old_writes == new_writes);
  assign waits_o = old_ext == new_ext && (order || port);

endmodule
