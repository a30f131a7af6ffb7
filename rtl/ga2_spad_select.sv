// SPDX-License-Identifier: Apache-2.0
// The port of one scratchpad bank: at most one of N requesters has its select bit set; its payload comes out.
// An AND-OR tree, skipped as a whole when nobody asks (which keeps event-driven simulators fast).

module ga2_spad_select #(
  parameter int N     = 8,  // requesters
  parameter int WIDTH = 8   // bits of a payload: an address, or an address and data
) (
  input  logic [N-1:0]            select_i,
  input  logic [N-1:0][WIDTH-1:0] payload_i,
  output logic                    en_o,
  output logic [WIDTH-1:0]        payload_o
);

  assign en_o = |select_i;

  always_comb begin
    payload_o = '0;
    if (en_o) begin
      for (int i = 0; i < N; i++) begin
        payload_o = payload_o | (payload_i[i] & {WIDTH{select_i[i]}});
      end
    end
  end

endmodule
