// SPDX-License-Identifier: Apache-2.0
// The reference memory behind a gate in each channel, and with an error where one likes.
//
// Gates are numbered AR 0, R 1, AW 2, W 3, B 4. W waits for its AW, or with ahead_i may overtake it. A burst that touches bad_addr_i answers bad_resp_i:
// a read in that beat, a write in its response. The held counters count cycles in which some gate of the group held a
// transfer back, since reset: with all gates open this is the reference memory, cycle by cycle.

module ga2_hostile_mem #(
  parameter int BUS_BYTES = 4,
  parameter int BYTES     = 1 << 20
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // behaviour
  input  logic                   load_i,
  input  logic [31:0]            seed_i,
  input  logic [4:0][8:0]        chance_i,
  input  logic [4:0][8:0]        mask_i,
  input  logic [4:0]             stuck_i,
  input  logic                   ahead_i,
  input  logic                   bad_read_i,
  input  logic                   bad_write_i,
  input  logic [31:0]            bad_addr_i,
  input  logic [1:0]             bad_resp_i,
  output logic [31:0]            held_o,        // any gate
  output logic [31:0]            held_read_o,   // AR or R
  output logic [31:0]            held_write_o,  // AW, W or B
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

  localparam int Ar = 0;
  localparam int R = 1;
  localparam int Aw = 2;
  localparam int W = 3;
  localparam int B = 4;
  localparam int IndexShift = $clog2(BUS_BYTES);
  localparam int Bursts = 32;  // more than any master has outstanding

  // Gates ---------------------------------------------------------------------------------------------------------

  logic [4:0] valid, ready, open, held;
  logic       mem_rvalid, mem_bvalid, mem_rlast, mem_arready, mem_awready, mem_wready, awaits_data, ahead_ready;
  logic [1:0] mem_rresp, mem_bresp;

  assign valid = {mem_bvalid, s_axi_wvalid, s_axi_awvalid, mem_rvalid, s_axi_arvalid};
  assign ready = {s_axi_bready, ahead_ready, mem_awready, s_axi_rready, mem_arready};

  for (genvar g = 0; g < 5; g++) begin : gen_gate
    ga2_gate #(.CHANNEL(g)) u_gate (
      .clk_i, .rst_ni, .load_i, .seed_i,
      .chance_i (chance_i[g]),
      .mask_i   (mask_i[g]),
      .stuck_i  (stuck_i[g]),
      .valid_i  (valid[g]),
      .ready_i  (ready[g]),
      .open_o   (open[g]),
      .held_o   (held[g])
    );
  end

  logic hold_read, hold_write;
  assign hold_read  = held[Ar] || held[R];
  assign hold_write = held[Aw] || held[B] || (s_axi_wvalid && !s_axi_wready);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_o       <= '0;
      held_read_o  <= '0;
      held_write_o <= '0;
    end else begin
      if (hold_read || hold_write) held_o <= held_o + 32'd1;
      if (hold_read) held_read_o <= held_read_o + 32'd1;
      if (hold_write) held_write_o <= held_write_o + 32'd1;
    end
  end

  assign s_axi_arready = open[Ar] && ready[Ar];
  assign s_axi_rvalid  = open[R] && mem_rvalid;
  assign s_axi_awready = open[Aw] && ready[Aw];
  assign s_axi_wready  = open[W] && ready[W];
  assign s_axi_bvalid  = open[B] && mem_bvalid;

  logic ar_taken, r_taken, aw_taken, b_taken;
  assign ar_taken = s_axi_arvalid && s_axi_arready;
  assign r_taken  = s_axi_rvalid && s_axi_rready;
  assign aw_taken = s_axi_awvalid && s_axi_awready;
  assign b_taken  = s_axi_bvalid && s_axi_bready;

  // Bursts whose address was taken and whose data was not ----------------------------------------------------------

  logic [5:0] without_data_q;
  assign awaits_data = without_data_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) without_data_q <= '0;
    else without_data_q <= without_data_q + 6'(aw_taken) - 6'(mem_wvalid && mem_wlast);
  end

  logic                   ahead_valid, ahead_last, mem_wvalid, mem_wlast;
  logic [8*BUS_BYTES-1:0] ahead_data;
  logic [BUS_BYTES-1:0]   ahead_strb;

  ga2_write_ahead #(.WIDTH(9 * BUS_BYTES + 1)) u_write_ahead (
    .clk_i, .rst_ni,
    .enable_i (ahead_i),
    .valid_i  (s_axi_wvalid && open[W]),
    .ready_o  (ahead_ready),
    .data_i   ({s_axi_wlast, s_axi_wstrb, s_axi_wdata}),
    .valid_o  (ahead_valid),
    .ready_i  (mem_wready && awaits_data),
    .data_o   ({ahead_last, ahead_strb, ahead_data})
  );

  assign mem_wvalid = ahead_valid && mem_wready && awaits_data;
  assign mem_wlast  = ahead_last;

  // Errors --------------------------------------------------------------------------------------------------------

  function automatic logic touches(input logic [31:0] addr, input logic [7:0] len, input logic [31:0] bad);
    return bad >= addr && bad < addr + ((32'(len) + 32'd1) << IndexShift);
  endfunction

  logic [31:0] read_addr;
  logic [7:0]  beat_q;
  logic        write_is_bad, read_is_bad;
  /* verilator lint_off UNUSEDSIGNAL */
  logic        reads_full, reads_empty, writes_full, writes_empty;  // the memory bounds them more tightly
  /* verilator lint_on UNUSEDSIGNAL */

  ga2_fifo #(.WIDTH(32), .DEPTH(Bursts)) u_reads (
    .clk_i, .rst_ni,
    .push_i  (ar_taken),
    .data_i  (s_axi_araddr),
    .full_o  (reads_full),
    .pop_i   (r_taken && s_axi_rlast),
    .data_o  (read_addr),
    .empty_o (reads_empty)
  );

  ga2_fifo #(.WIDTH(1), .DEPTH(Bursts)) u_writes (
    .clk_i, .rst_ni,
    .push_i  (aw_taken),
    .data_i  (bad_write_i && touches(s_axi_awaddr, s_axi_awlen, bad_addr_i)),
    .full_o  (writes_full),
    .pop_i   (b_taken),
    .data_o  (write_is_bad),
    .empty_o (writes_empty)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (r_taken) beat_q <= s_axi_rlast ? '0 : beat_q + 8'd1;
  end

  assign read_is_bad = bad_read_i && touches(read_addr + (32'(beat_q) << IndexShift), 8'd0, bad_addr_i);
  assign s_axi_rlast = mem_rlast && open[R];
  assign s_axi_rresp = !s_axi_rvalid ? 2'b00 : read_is_bad ? bad_resp_i : mem_rresp;
  assign s_axi_bresp = !s_axi_bvalid ? 2'b00 : write_is_bad ? bad_resp_i : mem_bresp;

  ga2_refmem #(
    .BUS_BYTES(BUS_BYTES),
    .BYTES    (BYTES),
    .STRICT   (0)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .s_axi_araddr,
    .s_axi_arlen,
    .s_axi_arvalid (s_axi_arvalid && open[Ar]),
    .s_axi_arready (mem_arready),
    .s_axi_rdata,
    .s_axi_rresp   (mem_rresp),
    .s_axi_rlast   (mem_rlast),
    .s_axi_rvalid  (mem_rvalid),
    .s_axi_rready  (s_axi_rready && open[R]),
    .s_axi_awaddr,
    .s_axi_awlen,
    .s_axi_awvalid (s_axi_awvalid && open[Aw]),
    .s_axi_awready (mem_awready),
    .s_axi_wdata   (ahead_data),
    .s_axi_wstrb   (ahead_strb),
    .s_axi_wlast   (ahead_last),
    .s_axi_wvalid  (mem_wvalid),
    .s_axi_wready  (mem_wready),
    .s_axi_bresp   (mem_bresp),
    .s_axi_bvalid  (mem_bvalid),
    .s_axi_bready  (s_axi_bready && open[B])
  );

endmodule
