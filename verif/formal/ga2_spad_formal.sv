// SPDX-License-Identifier: Apache-2.0
// ga2_spad: no write is lost and no read sees another word; two requesters at a port raise its check.
//
// One word is chosen once. Assumed, as dispatch grants it: requests lie in the scratchpad, and no two readers, and no
// two writers, ask the same bank in a cycle (not assumed of the check itself). A word that is read while it is written
// may give anything.

module ga2_spad_formal #(
  parameter int COLS    = 4,
  parameter int WORDS   = 4096,
  parameter int BANKS   = 8,
  parameter int READERS = 8,
  parameter int WRITERS = 4
) (
  input logic                           clk_i,
  input logic [READERS-1:0]             rd_en_i,
  input logic [READERS-1:0][15:0]       rd_addr_i,
  input logic [WRITERS-1:0]             wr_en_i,
  input logic [WRITERS-1:0][15:0]       wr_addr_i,
  input logic [WRITERS-1:0][8*COLS-1:0] wr_data_i,
  input logic [15:0]                    word_i
);

  localparam int RowBits = $clog2(WORDS / BANKS);

  logic                           rst_n;
  logic [READERS-1:0][8*COLS-1:0] rd_data;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));
  ga2_formal_steady #(.WIDTH(16)) u_word (.clk_i, .rst_ni(rst_n), .value_i(word_i));

  ga2_spad #(.COLS(COLS), .WORDS(WORDS), .BANKS(BANKS), .READERS(READERS), .WRITERS(WRITERS)) u_dut (
    .clk_i, .rst_ni(rst_n), .rd_en_i, .rd_addr_i, .rd_data_o(rd_data), .wr_en_i, .wr_addr_i, .wr_data_i
  );

  // Requests by bank, counted apart from the design.
  logic [BANKS-1:0][3:0] readers, writers;
  logic                  apart, inside_all;
  always_comb begin
    readers = '0;
    writers = '0;
    inside_all = 1'b1;
    for (int r = 0; r < READERS; r++) begin
      if (rd_en_i[r]) readers[rd_addr_i[r][RowBits+:$clog2(BANKS)]] += 4'd1;
      if (rd_en_i[r] && 32'(rd_addr_i[r]) >= WORDS) inside_all = 1'b0;
    end
    for (int w = 0; w < WRITERS; w++) begin
      if (wr_en_i[w]) writers[wr_addr_i[w][RowBits+:$clog2(BANKS)]] += 4'd1;
      if (wr_en_i[w] && 32'(wr_addr_i[w]) >= WORDS) inside_all = 1'b0;
    end
    apart = 1'b1;
    for (int b = 0; b < BANKS; b++) if (readers[b] > 4'd1 || writers[b] > 4'd1) apart = 1'b0;
  end

  // What the word holds, once it was written, as long as the requests keep the rules.
  logic                  known_q, written, rules_q;
  logic [8*COLS-1:0]     value_q, data;
  logic [READERS-1:0]    asked_q;  // the word, in the cycle before
  logic [8*COLS-1:0]     answer_q;
  always_comb begin
    written = 1'b0;
    data = '0;
    for (int w = 0; w < WRITERS; w++) begin
      if (wr_en_i[w] && wr_addr_i[w] == word_i) begin
        written = 1'b1;
        data = wr_data_i[w];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      known_q <= 1'b0;
      rules_q <= 1'b1;
      asked_q <= '0;
    end else begin
      rules_q <= rules_q && apart;
      if (written) known_q <= 1'b1;
      for (int r = 0; r < READERS; r++) asked_q[r] <= rd_en_i[r] && rd_addr_i[r] == word_i && known_q && !written;
    end
  end
  always_ff @(posedge clk_i) begin
    if (written) value_q <= data;
    answer_q <= value_q;
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    always_comb begin
      if (rst_n) begin
        readers_meet: assert (u_dut.gen_bank[b].gen_read[READERS-1].meet == (readers[b] > 4'd1));
        writers_meet: assert (u_dut.gen_bank[b].gen_write[WRITERS-1].meet == (writers[b] > 4'd1));
        if (known_q && rules_q && 32'(word_i >> RowBits) == b) begin
          inv_kept: assert (u_dut.gen_bank[b].u_bank.mem_q[word_i[RowBits-1:0]] == value_q);
        end
        inv_answer: assert (!(rules_q && asked_q != '0 && 32'(word_i >> RowBits) == b)
                            || u_dut.gen_bank[b].u_bank.rd_data_q == answer_q);
      end
    end
  end

  for (genvar r = 0; r < READERS; r++) begin : gen_reader
    always_comb begin
      if (rst_n) begin
        reads_what_was_written: assert (!(asked_q[r] && rules_q) || rd_data[r] == answer_q);
        inv_from: assert (!asked_q[r] || u_dut.gen_reader[r].from_q == BANKS'(1) << (word_i >> RowBits));
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      assume_inside: assume (inside_all && 32'(word_i) < WORDS);

      reach_read: cover (rules_q && asked_q[READERS-1] && answer_q == {COLS{8'h5a}});
      reach_all_at_once: cover (apart && rd_en_i == '1 && wr_en_i == '1);
      reach_meet: cover (readers[0] > 4'd2 && writers[BANKS-1] > 4'd1);
    end
  end

endmodule
