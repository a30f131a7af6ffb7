// SPDX-License-Identifier: Apache-2.0
// Loads a model's image: instructions (32 bytes each), then constants (16 bytes each), contiguous in external memory.
//
// It borrows the load unit while the core is idle: the whole image is one linear LD whose words, instead of going to
// the scratchpad, are put together here and written to the instruction and the constant memory. The parent gives it the
// load unit's operation port and takes `word_valid_i` from the unit's write port while `busy_o` is high. A bus error is
// reported by the load unit; the kill that follows ends the load.

module ga2_image_loader
  import ga2_ops_pkg::*;
  import ga2_pkg::*;
#(
  parameter int COLS       = 4,    // bytes of a word, 4 .. 16
  parameter int IMEM_DEPTH = 512,  // instructions
  parameter int CMEM_DEPTH = 512   // constants
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          kill_i,
  // command
  input  logic                          start_i,
  input  logic [31:0]                   addr_i,       // byte address, a multiple of COLS
  input  logic [31:0]                   instrs_i,
  input  logic [31:0]                   consts_i,
  output logic                          busy_o,       // from the cycle after start to that of done
  output logic                          done_o,       // one pulse, also after an error of its own
  // load unit
  output logic                          op_valid_o,
  input  logic                          op_ready_i,
  output ld_op_t                        op_o,
  input  logic                          word_valid_i,
  input  logic [8*COLS-1:0]             word_i,
  // instruction memory
  output logic                          imem_we_o,
  output logic [$clog2(IMEM_DEPTH)-1:0] imem_addr_o,
  output logic [255:0]                  imem_data_o,
  // constant memory
  output logic                          cmem_we_o,
  output logic [$clog2(CMEM_DEPTH)-1:0] cmem_addr_o,
  output const_t                        cmem_data_o,
  // a command that cannot be obeyed, one pulse with done
  output logic                          err_valid_o,
  output logic [7:0]                    err_code_o,   // alignment, pc (instructions) or constant (constants)
  output logic [31:0]                   err_addr_o    // the address or the number
);

  localparam int WordShift = $clog2(COLS);
  localparam logic [3:0] LastInstrWord = 4'(32 / COLS - 1);
  localparam logic [3:0] LastConstWord = 4'(16 / COLS - 1);

  typedef enum logic [1:0] {Idle, Request, Collect, Finish} state_e;

  state_e       state_q, state_d;
  logic [31:0]  addr_q;
  logic [16:0]  instrs_q, consts_q;        // still to come
  logic [15:0]  instr_index_q, const_index_q;
  logic [3:0]   word_q;                    // of the current item
  logic [255:0] item_q;
  logic [7:0]   refuse_code;
  logic [31:0]  refuse_addr;
  logic         busy_q;                    // not Idle, in a register: it decides whose operation the load unit has
  logic         accept, refuse, refused_q, item_end, in_instrs;
  logic [31:0]  bytes;

  always_comb begin
    refuse      = 1'b0;
    refuse_code = FaultAlignment;
    refuse_addr = addr_i;
    if ((addr_i & 32'(COLS - 1)) != '0) begin
      refuse      = 1'b1;
    end else if (instrs_i > IMEM_DEPTH) begin
      refuse      = 1'b1;
      refuse_code = FaultPc;
      refuse_addr = instrs_i;
    end else if (consts_i > CMEM_DEPTH) begin
      refuse      = 1'b1;
      refuse_code = FaultConstant;
      refuse_addr = consts_i;
    end
  end

  assign accept      = start_i && state_q == Idle;
  assign err_valid_o = state_q == Finish && refused_q;  // with busy_o: before, nobody listens
  assign busy_o      = busy_q;
  assign done_o      = state_q == Finish;
  assign in_instrs   = instrs_q != '0;
  assign item_end    = word_valid_i && word_q == (in_instrs ? LastInstrWord : LastConstWord);
  assign bytes       = (32'(instrs_q) << 5) + (32'(consts_q) << 4);

  always_comb begin
    op_o.slot            = '0;
    op_o.gather          = 1'b0;
    op_o.dst             = '0;
    op_o.dst_pitch       = '0;
    op_o.rows            = 16'd1;
    op_o.words           = 16'(bytes >> WordShift);
    op_o.ext_addr        = addr_q;
    op_o.ext_pitch_bytes = '0;
    op_o.ids             = '0;
    op_o.ids_pitch       = '0;
    op_o.limit           = '0;
  end

  assign op_valid_o = state_q == Request;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle: begin
        if (start_i && (refuse || (instrs_i | consts_i) == '0)) state_d = Finish;
        else if (start_i) state_d = Request;
      end
      Request: if (op_ready_i) state_d = Collect;
      Collect: if (item_end && instrs_q + consts_q == 17'd1) state_d = Finish;
      Finish:  state_d = Idle;
      default: state_d = Idle;
    endcase
    if (kill_i) state_d = Idle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      busy_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      busy_q  <= state_d != Idle;
    end
  end

  // Words enter at the top, the lowest bytes first; a constant ends up in the upper half.
  always_ff @(posedge clk_i) begin
    if (accept) begin
      refused_q     <= refuse;
      err_code_o    <= refuse_code;
      err_addr_o    <= refuse_addr;
      addr_q        <= addr_i;
      instrs_q      <= instrs_i[16:0];
      consts_q      <= consts_i[16:0];
      instr_index_q <= '0;
      const_index_q <= '0;
      word_q        <= '0;
    end else if (state_q == Collect && word_valid_i) begin
      item_q <= {word_i, item_q[255:8*COLS]};
      word_q <= item_end ? '0 : word_q + 4'd1;
      if (item_end && in_instrs) instrs_q <= instrs_q - 17'd1;
      if (item_end && !in_instrs) consts_q <= consts_q - 17'd1;
    end
    if (imem_we_o) instr_index_q <= instr_index_q + 16'd1;
    if (cmem_we_o) const_index_q <= const_index_q + 16'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      imem_we_o <= 1'b0;
      cmem_we_o <= 1'b0;
    end else begin
      imem_we_o <= state_q == Collect && item_end && in_instrs && !kill_i;
      cmem_we_o <= state_q == Collect && item_end && !in_instrs && !kill_i;
    end
  end

  assign imem_addr_o = instr_index_q[$clog2(IMEM_DEPTH)-1:0];
  assign imem_data_o = item_q;
  assign cmem_addr_o = const_index_q[$clog2(CMEM_DEPTH)-1:0];

  // Field positions in the image: spec/isa.yaml, `constant`.
  always_comb begin
    cmem_data_o.bias  = item_q[159:128];
    cmem_data_o.mult  = item_q[190:160];
    cmem_data_o.shift = item_q[197:192];
    cmem_data_o.rfac  = item_q[223:208];
  end

`ifndef SYNTHESIS
  initial begin : check_parameters
    if (COLS > 16) $fatal(1, "ga2_image_loader: a constant must not be smaller than a word of %0d bytes", COLS);
  end
`endif

endmodule
