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

  // One net a requester and not one vector of all: a simulator then follows only what changes.
  wire [RowBits-1:0]  rd_row [READERS];
  wire [BankBits-1:0] rd_bank [READERS];
  wire [RowBits-1:0]  wr_row [WRITERS];
  wire [BankBits-1:0] wr_bank [WRITERS];
  wire [Width-1:0]    wr_word [WRITERS];
  wire [Width-1:0]    bank_data [BANKS];

  for (genvar r = 0; r < READERS; r++) begin : gen_reader
    logic [BANKS-1:0] from_q;  // the bank that this reader asked; none: it sees zero, and its data path rests
    wire  [Width-1:0] data [BANKS+1];

    assign rd_row[r]  = rd_addr_i[r][RowBits-1:0];
    assign rd_bank[r] = BankBits'(rd_addr_i[r] >> RowBits);

    always_ff @(posedge clk_i) from_q <= rd_en_i[r] ? BANKS'(1) << rd_bank[r] : '0;

    assign data[0] = '0;
    for (genvar b = 0; b < BANKS; b++) begin : gen_from
      assign data[b+1] = data[b] | ({Width{from_q[b]}} & bank_data[b]);
    end
    always_comb rd_data_o[r] = data[BANKS];
  end

  for (genvar w = 0; w < WRITERS; w++) begin : gen_writer
    assign wr_row[w]  = wr_addr_i[w][RowBits-1:0];
    assign wr_bank[w] = BankBits'(wr_addr_i[w] >> RowBits);
    assign wr_word[w] = wr_data_i[w];
  end

  // One-hot selection at each port: `en`, `row` and `word` gather those of the requesters up to this one. Or gates, which
  // synthesis arranges as a tree; multiplexers would have to stay a chain.
  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    for (genvar r = 0; r < READERS; r++) begin : gen_read
      wire               hit = rd_en_i[r] && rd_bank[r] == BankBits'(b);
      wire               en, meet;
      wire [RowBits-1:0] row;

      if (r == 0) begin : gen_first
        assign en   = hit;
        assign meet = 1'b0;
        assign row  = {RowBits{hit}} & rd_row[0];
      end else begin : gen_next
        assign en   = hit || gen_read[r-1].en;
        assign meet = gen_read[r-1].meet || (hit && gen_read[r-1].en);
        assign row  = ({RowBits{hit}} & rd_row[r]) | gen_read[r-1].row;
      end
    end

    for (genvar w = 0; w < WRITERS; w++) begin : gen_write
      wire               hit = wr_en_i[w] && wr_bank[w] == BankBits'(b);
      wire               en, meet;
      wire [RowBits-1:0] row;
      wire [Width-1:0]   word;

      if (w == 0) begin : gen_first
        assign en   = hit;
        assign meet = 1'b0;
        assign row  = {RowBits{hit}} & wr_row[0];
        assign word = {Width{hit}} & wr_word[0];
      end else begin : gen_next
        assign en   = hit || gen_write[w-1].en;
        assign meet = gen_write[w-1].meet || (hit && gen_write[w-1].en);
        assign row  = ({RowBits{hit}} & wr_row[w]) | gen_write[w-1].row;
        assign word = ({Width{hit}} & wr_word[w]) | gen_write[w-1].word;
      end
    end

    ga2_ram_1r1w #(.WIDTH(Width), .DEPTH(WORDS / BANKS)) u_bank (
      .clk_i,
      .rd_en_i   (gen_read[READERS-1].en),
      .rd_addr_i (gen_read[READERS-1].row),
      .rd_data_o (bank_data[b]),
      .wr_en_i   (gen_write[WRITERS-1].en),
      .wr_addr_i (gen_write[WRITERS-1].row),
      .wr_data_i (gen_write[WRITERS-1].word)
    );

`ifndef SYNTHESIS
    always @(posedge clk_i or negedge rst_ni) begin
      if (rst_ni && gen_read[READERS-1].meet) $fatal(1, "ga2_spad: readers meet at bank %0d", b);
      if (rst_ni && gen_write[WRITERS-1].meet) $fatal(1, "ga2_spad: writers meet at bank %0d", b);
    end
`endif
  end

`ifndef SYNTHESIS
  initial begin : check_parameters
    if (2**RowBits * BANKS != WORDS) $fatal(1, "ga2_spad: WORDS/BANKS must be a power of two");
  end

  for (genvar r = 0; r < READERS; r++) begin : gen_check_reader
    always @(posedge clk_i or negedge rst_ni) begin
      if (rst_ni && rd_en_i[r] && 32'(rd_addr_i[r]) >= WORDS)
        $fatal(1, "ga2_spad: reader %0d at word %0d", r, rd_addr_i[r]);
    end
  end

  for (genvar w = 0; w < WRITERS; w++) begin : gen_check_writer
    always @(posedge clk_i or negedge rst_ni) begin
      if (rst_ni && wr_en_i[w] && 32'(wr_addr_i[w]) >= WORDS)
        $fatal(1, "ga2_spad: writer %0d at word %0d", w, wr_addr_i[w]);
    end
  end
`endif

endmodule
