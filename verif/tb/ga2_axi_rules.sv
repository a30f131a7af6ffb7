// SPDX-License-Identifier: Apache-2.0
// What the core's bus master owes its slave, watched in every cycle: a broken rule ends the simulation.
//
// Valid stays and its payload rests until ready; full-width INCR bursts within 4 KiB; whole words, WLAST in the burst's
// last beat; a bounded number of bursts; no new burst once a program has ended (quiet_i, from the cycle after it
// rises). Rules: ARM IHI 0022, A3. outstanding_o: a burst is valid on the bus or unfinished.

module ga2_axi_rules #(
  parameter int BUS_BYTES         = 4,
  parameter int READ_OUTSTANDING  = 8,
  parameter int WRITE_OUTSTANDING = 8
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   quiet_i,
  output logic                   outstanding_o,
  // read
  input  logic [31:0]            araddr_i,
  input  logic [7:0]             arlen_i,
  input  logic [2:0]             arsize_i,
  input  logic [1:0]             arburst_i,
  input  logic                   arvalid_i,
  input  logic                   arready_i,
  input  logic                   rlast_i,
  input  logic                   rvalid_i,
  input  logic                   rready_i,
  // write
  input  logic [31:0]            awaddr_i,
  input  logic [7:0]             awlen_i,
  input  logic [2:0]             awsize_i,
  input  logic [1:0]             awburst_i,
  input  logic                   awvalid_i,
  input  logic                   awready_i,
  input  logic [8*BUS_BYTES-1:0] wdata_i,
  input  logic [BUS_BYTES-1:0]   wstrb_i,
  input  logic                   wlast_i,
  input  logic                   wvalid_i,
  input  logic                   wready_i,
  input  logic                   bvalid_i,
  input  logic                   bready_i
);

  localparam int Shift = $clog2(BUS_BYTES);

  // New addresses: valid now, and not the one that waited before.
  logic ar_waits_q, aw_waits_q, w_waits_q, quiet_q, new_read, new_write;
  assign new_read  = arvalid_i && !ar_waits_q;
  assign new_write = awvalid_i && !aw_waits_q;

  logic [31:0]            araddr_q, awaddr_q;
  logic [7:0]             arlen_q, awlen_q;
  logic [8*BUS_BYTES-1:0] wdata_q;
  logic                   wlast_q;
  logic [5:0]             reads_q, writes_q;  // bursts begun and unfinished

  assign outstanding_o = reads_q != '0 || writes_q != '0 || arvalid_i || awvalid_i || wvalid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_waits_q <= 1'b0;
      aw_waits_q <= 1'b0;
      w_waits_q  <= 1'b0;
      quiet_q    <= 1'b0;
      reads_q    <= '0;
      writes_q   <= '0;
    end else begin
      ar_waits_q <= arvalid_i && !arready_i;
      aw_waits_q <= awvalid_i && !awready_i;
      w_waits_q  <= wvalid_i && !wready_i;
      quiet_q    <= quiet_i;
      reads_q    <= reads_q + 6'(new_read) - 6'(rvalid_i && rready_i && rlast_i);
      writes_q   <= writes_q + 6'(new_write) - 6'(bvalid_i && bready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    araddr_q <= araddr_i;
    arlen_q  <= arlen_i;
    awaddr_q <= awaddr_i;
    awlen_q  <= awlen_i;
    wdata_q  <= wdata_i;
    wlast_q  <= wlast_i;
  end

  // The beats of bursts whose addresses were seen, which data may follow before they are taken.
  logic       lengths_full, lengths_empty;
  logic [7:0] length, beat_q;

  ga2_fifo #(.WIDTH(8), .DEPTH(2 * WRITE_OUTSTANDING)) u_lengths (
    .clk_i, .rst_ni,
    .push_i  (new_write && !lengths_full),
    .data_i  (awlen_i),
    .full_o  (lengths_full),
    .pop_i   (wvalid_i && wready_i && wlast_i && !lengths_empty),
    .data_o  (length),
    .empty_o (lengths_empty)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (wvalid_i && wready_i) beat_q <= wlast_i ? '0 : beat_q + 8'd1;
  end

  function automatic logic leaves_page(input logic [11:0] addr, input logic [7:0] len);
    return 32'(addr) + ((32'(len) + 32'd1) << Shift) > 32'd4096;
  endfunction

  function automatic logic is_whole(input logic [31:0] addr, input logic [2:0] size, input logic [1:0] burst);
    return (addr & 32'(BUS_BYTES - 1)) == '0 && size == 3'(Shift) && burst == 2'b01;
  endfunction

  always @(posedge clk_i or negedge rst_ni) begin  // check
    if (rst_ni) begin
      assert (^{arvalid_i, awvalid_i, wvalid_i, rready_i, bready_i} !== 1'bx)
        else $fatal(1, "AXI: x on valid or ready");
      assert (!ar_waits_q || (arvalid_i && araddr_i == araddr_q && arlen_i == arlen_q))
        else $fatal(1, "AXI: AR changed before ready");
      assert (!aw_waits_q || (awvalid_i && awaddr_i == awaddr_q && awlen_i == awlen_q))
        else $fatal(1, "AXI: AW changed before ready");
      assert (!w_waits_q || (wvalid_i && wdata_i == wdata_q && wlast_i == wlast_q))
        else $fatal(1, "AXI: W changed before ready");
      if (arvalid_i) begin
        assert (is_whole(araddr_i, arsize_i, arburst_i)) else $fatal(1, "AXI: AR is no full-width INCR burst");
        assert (!leaves_page(araddr_i[11:0], arlen_i)) else $fatal(1, "AXI: a read crosses 4 KiB");
      end
      if (awvalid_i) begin
        assert (is_whole(awaddr_i, awsize_i, awburst_i)) else $fatal(1, "AXI: AW is no full-width INCR burst");
        assert (!leaves_page(awaddr_i[11:0], awlen_i)) else $fatal(1, "AXI: a write crosses 4 KiB");
      end
      if (wvalid_i) begin
        assert (!lengths_empty) else $fatal(1, "AXI: W without a burst");
        assert (&wstrb_i) else $fatal(1, "AXI: WSTRB %b, but the core writes whole words", wstrb_i);
        assert (wlast_i == (beat_q == length)) else $fatal(1, "AXI: WLAST in the wrong beat");
      end
      assert (!(quiet_q && (new_read || new_write))) else $fatal(1, "AXI: a new burst after the program's end");
      assert (reads_q <= 6'(READ_OUTSTANDING)) else $fatal(1, "AXI: more reads than READ_OUTSTANDING");
      assert (writes_q <= 6'(WRITE_OUTSTANDING)) else $fatal(1, "AXI: more writes than WRITE_OUTSTANDING");
    end
  end

endmodule
