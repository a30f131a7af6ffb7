// SPDX-License-Identifier: Apache-2.0
// Whether a younger instruction's operand must wait for an older one's: the contract's rules, written once more.
//
//   read after write               whatever the units
//   write after read or write      different units
//   the same bank and port         different units; on the matrix unit a left or right after an aux that is read
//
// Operands: 0 destination, 1 first, 2 second, 3 aux, 4 external (bytes outside; it has no banks).

module ga2_hazard_formal
  import ga2_pkg::*;
(
  input  logic [2:0] old_unit_i,
  input  logic [2:0] old_index_i,
  input  logic [2:0] new_unit_i,
  input  logic [2:0] new_index_i,
  input  logic       overlap_i,    // their words, or their bytes outside
  input  logic       meet_i,       // they share a bank
  output logic       waits_o
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

  assign order = overlap_i && ((old_writes && !new_writes) || (!same_unit && new_writes));
  assign port  = !old_ext && meet_i && (same_unit
      ? old_unit_i == UnitMatrix && old_index_i == 3'd3 && (new_index_i == 3'd1 || new_index_i == 3'd2)
      : old_writes == new_writes);
  assign waits_o = old_ext == new_ext && (order || port);

endmodule
