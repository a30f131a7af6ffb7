// SPDX-License-Identifier: Apache-2.0
// The reference memory, on which every cycle claim holds: an AXI4 slave with a fixed latency.
//
// AR, AW and W are always ready. The first R beat comes LATENCY cycles after the AR handshake or in the cycle after the
// previous burst's last beat, whichever is later; then a beat a cycle. B comes LATENCY cycles after the burst's last W
// beat, one a cycle, in order. Reads and writes are independent, OUTSTANDING bursts each. INCR bursts of full beats
// only; beats beyond the memory answer DECERR. AW must not come after its W; with STRICT, which the cycle claims need, R
// and B must be taken at once.

module ga2_refmem #(
  parameter int BUS_BYTES   = 4,
  parameter int BYTES       = 1 << 20,
  parameter int LATENCY     = 8,
  parameter int OUTSTANDING = 8,
  parameter int STRICT      = 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // read address
  input  logic [31:0]            s_axi_araddr,
  input  logic [7:0]             s_axi_arlen,
  input  logic                   s_axi_arvalid,
  output logic                   s_axi_arready,
  // read data
  output logic [8*BUS_BYTES-1:0] s_axi_rdata,
  output logic [1:0]             s_axi_rresp,
  output logic                   s_axi_rlast,
  output logic                   s_axi_rvalid,
  input  logic                   s_axi_rready,
  // write address
  input  logic [31:0]            s_axi_awaddr,
  input  logic [7:0]             s_axi_awlen,
  input  logic                   s_axi_awvalid,
  output logic                   s_axi_awready,
  // write data
  input  logic [8*BUS_BYTES-1:0] s_axi_wdata,
  input  logic [BUS_BYTES-1:0]   s_axi_wstrb,
  input  logic                   s_axi_wlast,
  input  logic                   s_axi_wvalid,
  output logic                   s_axi_wready,
  // write response
  output logic [1:0]             s_axi_bresp,
  output logic                   s_axi_bvalid,
  input  logic                   s_axi_bready
);

  localparam int Entries = BYTES / BUS_BYTES;
  localparam int IndexShift = $clog2(BUS_BYTES);
  localparam int IndexBits = $clog2(Entries);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] Decerr = 2'b11;

  logic [8*BUS_BYTES-1:0] mem_q [Entries];
  logic [31:0]            now_q;  // cycle number: a burst is due at a cycle

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= '0;
    else now_q <= now_q + 32'd1;
  end

  assign s_axi_arready = 1'b1;
  assign s_axi_awready = 1'b1;
  assign s_axi_wready  = 1'b1;

  // Reads ---------------------------------------------------------------------------------------------------------

  logic        read_empty, read_full, read_beat, read_end;
  logic [31:0] read_addr, read_due, read_beat_addr;
  logic [7:0]  read_len, read_beat_q;

  ga2_fifo #(.WIDTH(32 + 8 + 32), .DEPTH(OUTSTANDING)) u_reads (
    .clk_i, .rst_ni,
    .push_i  (s_axi_arvalid),
    .data_i  ({now_q + 32'(LATENCY), s_axi_arlen, s_axi_araddr}),
    .full_o  (read_full),
    .pop_i   (read_end),
    .data_o  ({read_due, read_len, read_addr}),
    .empty_o (read_empty)
  );

  assign read_beat_addr = read_addr + (32'(read_beat_q) << IndexShift);
  assign s_axi_rvalid   = !read_empty && now_q >= read_due;
  assign s_axi_rlast    = s_axi_rvalid && read_beat_q == read_len;
  assign s_axi_rresp    = (s_axi_rvalid && read_beat_addr >= BYTES) ? Decerr : Okay;
  assign s_axi_rdata    = s_axi_rvalid ? mem_q[read_beat_addr[IndexShift +: IndexBits]] : '0;
  assign read_beat      = s_axi_rvalid && s_axi_rready;
  assign read_end       = read_beat && s_axi_rlast;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_beat_q <= '0;
    else if (read_beat) read_beat_q <= s_axi_rlast ? '0 : read_beat_q + 8'd1;
  end

  // Writes --------------------------------------------------------------------------------------------------------

  logic        write_empty, write_full, answer_empty, answer_full, answer_error, write_end, write_error_q;
  logic [31:0] write_addr, write_beat_addr, answer_due;
  logic [7:0]  write_len, write_beat_q;
  logic        write_beat, beat_error;

  ga2_fifo #(.WIDTH(32 + 8), .DEPTH(OUTSTANDING)) u_writes (
    .clk_i, .rst_ni,
    .push_i  (s_axi_awvalid),
    .data_i  ({s_axi_awlen, s_axi_awaddr}),
    .full_o  (write_full),
    .pop_i   (write_end),
    .data_o  ({write_len, write_addr}),
    .empty_o (write_empty)
  );

  assign write_beat      = s_axi_wvalid;
  assign write_end       = write_beat && s_axi_wlast;
  assign write_beat_addr = write_addr + (32'(write_beat_q) << IndexShift);
  assign beat_error      = write_beat_addr >= BYTES;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_beat_q  <= '0;
      write_error_q <= 1'b0;
    end else if (write_beat) begin
      write_beat_q  <= s_axi_wlast ? '0 : write_beat_q + 8'd1;
      write_error_q <= !s_axi_wlast && (write_error_q || beat_error);
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_beat && !beat_error) begin
      for (int i = 0; i < BUS_BYTES; i++) begin
        if (s_axi_wstrb[i]) mem_q[write_beat_addr[IndexShift +: IndexBits]][8*i +: 8] <= s_axi_wdata[8*i +: 8];
      end
    end
  end

  ga2_fifo #(.WIDTH(32 + 1), .DEPTH(LATENCY + OUTSTANDING)) u_answers (
    .clk_i, .rst_ni,
    .push_i  (write_end),
    .data_i  ({now_q + 32'(LATENCY), write_error_q || beat_error}),
    .full_o  (answer_full),
    .pop_i   (s_axi_bvalid && s_axi_bready),
    .data_o  ({answer_due, answer_error}),
    .empty_o (answer_empty)
  );

  assign s_axi_bvalid = !answer_empty && now_q >= answer_due;
  assign s_axi_bresp  = (s_axi_bvalid && answer_error) ? Decerr : Okay;

  always @(posedge clk_i or negedge rst_ni) begin  // check
    if (rst_ni) begin
      if (s_axi_arvalid && read_full) $fatal(1, "ga2_refmem: more than %0d reads outstanding", OUTSTANDING);
      if (s_axi_awvalid && write_full) $fatal(1, "ga2_refmem: more than %0d writes outstanding", OUTSTANDING);
      if (write_end && answer_full) $fatal(1, "ga2_refmem: too many writes unanswered");
      if (STRICT != 0 && s_axi_rvalid && !s_axi_rready) $fatal(1, "ga2_refmem: R not taken");
      if (STRICT != 0 && s_axi_bvalid && !s_axi_bready) $fatal(1, "ga2_refmem: B not taken");
      if (write_beat && write_empty) $fatal(1, "ga2_refmem: W before its AW");
      if (write_beat && s_axi_wlast != (write_beat_q == write_len)) $fatal(1, "ga2_refmem: WLAST in the wrong beat");
    end
  end

endmodule
