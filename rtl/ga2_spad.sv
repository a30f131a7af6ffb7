// SPDX-License-Identifier: Apache-2.0
// The scratchpad: BANKS contiguous ranges of words, one read and one write port each.
//
//   readers (8): 0 matrix left   1 matrix right   2 matrix aux   3 vector a   4 vector b   5 softmax   6 load ids   7 store
//   writers (4): 0 matrix        1 vector         2 softmax      3 load
//
// Dispatch claims (bank, port) pairs before an instruction starts, so no two requesters ever meet at a port: there is no
// arbiter and no grant, only a selection, and simulation stops when the rule is broken. A read in cycle t answers in
// t + 1; a write in t is seen by a read in t + 1.

module ga2_spad #(
  parameter int COLS    = 4,     // bytes of a word
  parameter int WORDS   = 4096,  // words, at most 65536
  parameter int BANKS   = 8,     // WORDS/BANKS is a power of two, >= 2
  parameter int READERS = 8,
  parameter int WRITERS = 4
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // read ports
  input  logic [READERS-1:0]             rd_en_i,
  input  logic [READERS-1:0][15:0]       rd_addr_i,
  output logic [READERS-1:0][8*COLS-1:0] rd_data_o,
  // write ports
  input  logic [WRITERS-1:0]             wr_en_i,
  input  logic [WRITERS-1:0][15:0]       wr_addr_i,
  input  logic [WRITERS-1:0][8*COLS-1:0] wr_data_i
);

  localparam int Width = 8 * COLS;
  localparam int RowBits = $clog2(WORDS / BANKS);
  localparam int BankBits = (BANKS > 1) ? $clog2(BANKS) : 1;
  localparam int WriteBits = RowBits + Width;

  // Requesters by bank: bit r of rd_select[b] says that reader r wants bank b in this cycle.
  wire [READERS-1:0]              rd_select [BANKS];
  wire [WRITERS-1:0]              wr_select [BANKS];
  wire [READERS-1:0][RowBits-1:0] rd_row;
  wire [WRITERS-1:0][WriteBits-1:0] wr_payload;
  wire [Width-1:0]                bank_data [BANKS];

  for (genvar r = 0; r < READERS; r++) begin : gen_reader
    logic [BankBits-1:0] bank_q;  // where this reader's data come from

    always_ff @(posedge clk_i) if (rd_en_i[r]) bank_q <= BankBits'(rd_addr_i[r] >> RowBits);

    assign rd_row[r]    = rd_addr_i[r][RowBits-1:0];
    assign rd_data_o[r] = bank_data[bank_q];
    for (genvar b = 0; b < BANKS; b++) begin : gen_select
      assign rd_select[b][r] = rd_en_i[r] && (rd_addr_i[r] >> RowBits) == 16'(b);
    end
  end

  for (genvar w = 0; w < WRITERS; w++) begin : gen_writer
    assign wr_payload[w] = {wr_addr_i[w][RowBits-1:0], wr_data_i[w]};
    for (genvar b = 0; b < BANKS; b++) begin : gen_select
      assign wr_select[b][w] = wr_en_i[w] && (wr_addr_i[w] >> RowBits) == 16'(b);
    end
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic               rd_en, wr_en;
    logic [RowBits-1:0] rd_addr, wr_addr;
    logic [Width-1:0]   wr_data;

    ga2_spad_select #(.N(READERS), .WIDTH(RowBits)) u_read (
      .select_i  (rd_select[b]),
      .payload_i (rd_row),
      .en_o      (rd_en),
      .payload_o (rd_addr)
    );

    ga2_spad_select #(.N(WRITERS), .WIDTH(WriteBits)) u_write (
      .select_i  (wr_select[b]),
      .payload_i (wr_payload),
      .en_o      (wr_en),
      .payload_o ({wr_addr, wr_data})
    );

    ga2_ram_1r1w #(.WIDTH(Width), .DEPTH(WORDS / BANKS)) u_bank (
      .clk_i,
      .rd_en_i   (rd_en),
      .rd_addr_i (rd_addr),
      .rd_data_o (bank_data[b]),
      .wr_en_i   (wr_en),
      .wr_addr_i (wr_addr),
      .wr_data_i (wr_data)
    );
  end

`ifndef SYNTHESIS
  initial begin : check_parameters
    if (2**RowBits * BANKS != WORDS) $fatal(1, "ga2_spad: WORDS/BANKS must be a power of two");
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_check
    always @(posedge clk_i or negedge rst_ni) begin : check_ports
      if (rst_ni && $countones(rd_select[b]) > 1) $fatal(1, "ga2_spad: readers %b meet at bank %0d", rd_select[b], b);
      if (rst_ni && $countones(wr_select[b]) > 1) $fatal(1, "ga2_spad: writers %b meet at bank %0d", wr_select[b], b);
    end
  end

  for (genvar r = 0; r < READERS; r++) begin : gen_check_reader
    always @(posedge clk_i or negedge rst_ni) begin : check_range
      if (rst_ni && rd_en_i[r] && 32'(rd_addr_i[r]) >= WORDS)
        $fatal(1, "ga2_spad: reader %0d at word %0d", r, rd_addr_i[r]);
    end
  end

  for (genvar w = 0; w < WRITERS; w++) begin : gen_check_writer
    always @(posedge clk_i or negedge rst_ni) begin : check_range
      if (rst_ni && wr_en_i[w] && 32'(wr_addr_i[w]) >= WORDS)
        $fatal(1, "ga2_spad: writer %0d at word %0d", w, wr_addr_i[w]);
    end
  end
`endif

endmodule
