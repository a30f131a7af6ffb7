// SPDX-License-Identifier: Apache-2.0
// ga2_image_loader: what it asks of the load unit is the whole image as one legal operation; each instruction and each
// constant is written once, in order, with its bytes; a command that cannot be obeyed is refused and writes nothing.
//
// Assumed, as the load unit does it (proof `load`): a word comes only after the operation was taken, and no more than
// were asked for. Words come in the order of their addresses.

module ga2_image_formal
  import ga2_ops_pkg::*;
  import ga2_pkg::*;
#(
  parameter int COLS       = 8,
  parameter int IMEM_DEPTH = 512,
  parameter int CMEM_DEPTH = 512
) (
  input logic              clk_i,
  input logic              kill_i,
  input logic              start_i,
  input logic [31:0]       addr_i,
  input logic [31:0]       instrs_i,
  input logic [31:0]       consts_i,
  input logic              op_ready_i,
  input logic              word_valid_i,
  input logic [8*COLS-1:0] word_i
);

  localparam int InstrWords = 32 / COLS;
  localparam int ConstWords = 16 / COLS;
  localparam int InstrShift = $clog2(InstrWords);
  localparam int ConstShift = $clog2(ConstWords);

  logic                          rst_n, busy, done, op_valid, imem_we, cmem_we, err;
  ld_op_t                        op;
  logic [$clog2(IMEM_DEPTH)-1:0] imem_addr;
  logic [$clog2(CMEM_DEPTH)-1:0] cmem_addr;
  logic [255:0]                  imem_data;
  const_t                        cmem_data;
  logic [7:0]                    err_code;
  logic [31:0]                   err_addr;

  ga2_formal_reset u_reset (.clk_i, .rst_no(rst_n));

  ga2_image_loader #(.COLS(COLS), .IMEM_DEPTH(IMEM_DEPTH), .CMEM_DEPTH(CMEM_DEPTH)) u_dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .start_i, .addr_i, .instrs_i, .consts_i, .busy_o(busy), .done_o(done),
    .op_valid_o(op_valid), .op_ready_i, .op_o(op), .word_valid_i, .word_i,
    .imem_we_o(imem_we), .imem_addr_o(imem_addr), .imem_data_o(imem_data),
    .cmem_we_o(cmem_we), .cmem_addr_o(cmem_addr), .cmem_data_o(cmem_data),
    .err_valid_o(err), .err_code_o(err_code), .err_addr_o(err_addr)
  );

  // The image: its complete items, the words of the next one -------------------------------------------------------------

  typedef enum logic [1:0] {None, Asks, Comes, Ends} phase_e;
  phase_e       phase_q;
  logic         bad, refused_q, in_instrs, item_ends, image_ends, instr_q, const_q;  // _q: an item is complete
  logic [7:0]   code, code_q;
  logic [31:0]  addr_q, value, value_q;
  logic [15:0]  instrs_q, consts_q, instr_done_q, const_done_q, index_q, words;
  logic [3:0]   part_q;  // words of the item under way
  logic [255:0] item_q;
  assign bad        = (addr_i & 32'(COLS - 1)) != '0 || instrs_i > IMEM_DEPTH || consts_i > CMEM_DEPTH;
  assign code       = (addr_i & 32'(COLS - 1)) != '0 ? FaultAlignment : instrs_i > IMEM_DEPTH ? FaultPc : FaultConstant;
  assign value      = (addr_i & 32'(COLS - 1)) != '0 ? addr_i : instrs_i > IMEM_DEPTH ? instrs_i : consts_i;
  assign words      = (instrs_q << InstrShift) + (consts_q << ConstShift);
  assign in_instrs  = instr_done_q != instrs_q;
  assign item_ends  = part_q == (in_instrs ? 4'(InstrWords - 1) : 4'(ConstWords - 1));
  assign image_ends = item_ends && (in_instrs ? instr_done_q + 16'd1 == instrs_q && consts_q == '0
                                              : const_done_q + 16'd1 == consts_q);

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      phase_q <= None;
      instr_q <= 1'b0;
      const_q <= 1'b0;
    end else begin
      instr_q <= 1'b0;
      const_q <= 1'b0;
      unique case (phase_q)
        None:    if (start_i) phase_q <= bad || (instrs_i == '0 && consts_i == '0) ? Ends : Asks;
        Asks:    if (op_ready_i) phase_q <= Comes;
        Comes: begin
          if (word_valid_i && image_ends) phase_q <= Ends;
          if (word_valid_i && item_ends && !kill_i) begin
            instr_q <= in_instrs;
            const_q <= !in_instrs;
          end
        end
        default: phase_q <= None;
      endcase
      if (kill_i) phase_q <= None;
    end
  end
  always_ff @(posedge clk_i) begin
    if (phase_q == None && start_i) begin
      refused_q    <= bad;
      code_q       <= code;
      value_q      <= value;
      addr_q       <= addr_i;
      instrs_q     <= instrs_i[15:0];
      consts_q     <= consts_i[15:0];
      instr_done_q <= '0;
      const_done_q <= '0;
      part_q       <= '0;
    end else if (phase_q == Comes && word_valid_i) begin
      item_q  <= {word_i, item_q[255:8*COLS]};
      index_q <= in_instrs ? instr_done_q : const_done_q;
      part_q  <= item_ends ? '0 : part_q + 4'd1;
      if (item_ends && in_instrs) instr_done_q <= instr_done_q + 16'd1;
      if (item_ends && !in_instrs) const_done_q <= const_done_q + 16'd1;
    end
  end

  for (genvar i = 0; i < InstrWords; i++) begin : gen_word
    always_comb begin
      if (rst_n && ((phase_q == Comes && part_q > 4'(i)) || instr_q || (const_q && i < ConstWords))) begin
        inv_item: assert (u_dut.item_q[255-i*8*COLS-:8*COLS] == item_q[255-i*8*COLS-:8*COLS]);
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      assume_words: assume (!word_valid_i || phase_q == Comes);

      asks_for_whole_image: assert (op_valid == (phase_q == Asks));
      legal_operation: assert (!op_valid || (op.rows == 16'd1 && op.words == words && op.words != '0 && !op.gather
          && op.ext_addr == addr_q && (addr_q & 32'(COLS - 1)) == '0));
      busy_until_done: assert (busy == (phase_q != None));
      done_at_the_end: assert (done == (phase_q == Ends));
      refuses: assert (err == (phase_q == Ends && refused_q));
      says_why: assert (!err || (err_code == code_q && err_addr == value_q));
      instruction_once: assert (imem_we == instr_q
                                && (!imem_we || (imem_data == item_q && 16'(imem_addr) == index_q)));
      constant_once: assert (cmem_we == const_q && (!cmem_we || (16'(cmem_addr) == index_q
          && cmem_data.bias == item_q[159:128] && cmem_data.mult == item_q[190:160]
          && cmem_data.shift == item_q[197:192] && cmem_data.rfac == item_q[223:208])));

      inv_phase: assert (2'(u_dut.state_q) == 2'(phase_q));
      inv_address: assert (phase_q != Asks || (u_dut.addr_q == addr_q && (addr_q & 32'(COLS - 1)) == '0));
      inv_refused: assert (phase_q == None || u_dut.refused_q == refused_q);
      inv_taken: assert (!(phase_q == Asks || phase_q == Comes) || !refused_q);
      inv_code: assert (phase_q != Ends || !refused_q || (err_code == code_q && err_addr == value_q));
      inv_begin: assert (phase_q != Asks || (instr_done_q == '0 && const_done_q == '0 && part_q == '0));
      inv_sizes: assert (!(phase_q == Asks || phase_q == Comes) || (
          instrs_q <= 16'(IMEM_DEPTH) && consts_q <= 16'(CMEM_DEPTH) && instr_done_q <= instrs_q
          && const_done_q <= consts_q && (in_instrs ? const_done_q == '0 : const_done_q != consts_q)
          && part_q < (in_instrs ? 4'(InstrWords) : 4'(ConstWords))));
      inv_left: assert (!(phase_q == Asks || phase_q == Comes) || (
          u_dut.instrs_q + 17'(instr_done_q) == 17'(instrs_q)
          && u_dut.consts_q + 17'(const_done_q) == 17'(consts_q) && u_dut.word_q == part_q));
      inv_index: assert (!(phase_q == Asks || phase_q == Comes)
          || (u_dut.instr_index_q + 16'(instr_q) == instr_done_q
              && u_dut.const_index_q + 16'(const_q) == const_done_q));
      inv_writes: assert (!(instr_q || const_q) || ((phase_q == Comes || phase_q == Ends)
          && (!instr_q || u_dut.instr_index_q == index_q) && (!const_q || u_dut.const_index_q == index_q)
          && 32'(index_q) < (instr_q ? IMEM_DEPTH : CMEM_DEPTH)));
      inv_one: assert (!(instr_q && const_q));

      reach_instruction: cover (imem_we && phase_q == Comes && instr_done_q == 16'd1 && instrs_q == 16'd3);
      reach_constant: cover (cmem_we && cmem_addr == 1);
      reach_done: cover (done && cmem_we && !err);
      reach_refused: cover (err && err_code == FaultConstant);
      reach_killed: cover (phase_q == Comes && kill_i && word_valid_i && item_ends && instr_done_q == 16'd1);
    end
  end

endmodule
