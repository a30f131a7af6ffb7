// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite registers: configuration read-back, program parameters, windows, commands, status, counters.
//
// A write is taken when address and data are both valid; commands act in that cycle. Writes to parameters while the
// core is busy are refused (SLVERR, ERROR.busy_write); unmapped or read-only offsets answer SLVERR.

module ga2_csr
  import ga2_pkg::*;
#(
    parameter int ROWS      = 4,
    parameter int COLS      = 4,
    parameter int BUS_BYTES  = 4,
    parameter int LANES     = 4,
    parameter int SPAD_WORDS = 4096,
    parameter int BANKS     = 8,
    parameter int IMEM_DEPTH = 512,
    parameter int CMEM_DEPTH = 512,
    parameter int MAX_LEN    = 320,
    parameter int M_MAX      = 16
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic [RegBits-1:0] s_axil_awaddr,
    input  logic [2:0]         s_axil_awprot,
    input  logic               s_axil_awvalid,
    output logic               s_axil_awready,
    input  logic [31:0]        s_axil_wdata,
    input  logic [3:0]         s_axil_wstrb,
    input  logic               s_axil_wvalid,
    output logic               s_axil_wready,
    output logic [1:0]         s_axil_bresp,
    output logic               s_axil_bvalid,
    input  logic               s_axil_bready,
    input  logic [RegBits-1:0] s_axil_araddr,
    input  logic [2:0]         s_axil_arprot,
    input  logic               s_axil_arvalid,
    output logic               s_axil_arready,
    output logic [31:0]        s_axil_rdata,
    output logic [1:0]         s_axil_rresp,
    output logic               s_axil_rvalid,
    input  logic               s_axil_rready,

    // Commands, in the cycle their write is taken.
    output logic start_o,
    output logic clear_o,
    output logic abort_o,
    output logic load_o,

    // State.
    input logic        busy_i,
    input logic        done_i,
    input logic        fault_i,
    input logic        loading_i,
    input logic        outstanding_i,
    input logic [7:0]  fault_code_i,
    input logic [15:0] fault_pc_i,
    input logic [31:0] fault_addr_i,
    output logic       irq_o,

    // Parameters.
    output logic [15:0]      entry_o,
    output logic [15:0]      len_o,
    output logic [15:0]      m_o,
    output logic [31:0]      watchdog_o,
    output logic [31:0]      image_addr_o,
    output logic [15:0]      image_instrs_o,
    output logic [15:0]      image_consts_o,
    output logic [3:0][31:0] win_base_o,
    output logic [3:0][31:0] win_size_o,
    output logic [3:0]       win_writable_o,

    // Counters.
    output logic [$clog2(NumCounters)-1:0] counter_index_o,
    input  logic [31:0]                    counter_i
);

  localparam logic [1:0] RespOkay = 2'b00;
  localparam logic [1:0] RespSlvErr = 2'b10;

  logic unused;  // protection is not checked; registers are whole words
  assign unused = ^{s_axil_awprot, s_axil_arprot, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

  // ---- Writes -----------------------------------------------------------------------------------------------

  logic               write;
  logic [RegBits-1:0] waddr;
  assign write          = s_axil_awvalid && s_axil_wvalid && !s_axil_bvalid;
  assign s_axil_awready = write;
  assign s_axil_wready  = write;
  assign waddr          = {s_axil_awaddr[RegBits-1:2], 2'b00};

  logic ctrl, start, clear, abort, load;
  assign ctrl  = write && waddr == RegCtrl && s_axil_wstrb[0];
  assign start = ctrl && s_axil_wdata[CtrlStartBit];
  assign clear = ctrl && s_axil_wdata[CtrlClearBit];
  assign abort = ctrl && s_axil_wdata[CtrlAbortBit];
  assign load  = ctrl && s_axil_wdata[CtrlLoadBit];

  // A clear in the same write as a start comes first in meaning, but the two are separate steps for the host.
  logic refuse_busy, refuse_fault, refuse_clear;
  assign refuse_busy  = (start || load) && busy_i;
  assign refuse_fault = (start || load) && !busy_i && fault_i;
  assign refuse_clear = clear && (busy_i || outstanding_i);

  assign start_o = start && !busy_i && !fault_i;
  assign load_o  = load && !start && !busy_i && !fault_i;
  assign clear_o = clear && !refuse_clear;
  always_ff @(posedge clk_i or negedge rst_ni) begin  // abort
    if (!rst_ni) abort_o <= 1'b0;
    else abort_o <= abort && busy_i;
  end

  logic is_parameter, is_window;
  assign is_window = waddr >= RegWin0Base && waddr <= RegWin3Flags && waddr[3:2] != 2'd3;
  assign is_parameter = is_window || waddr == RegIrqEnable || waddr == RegEntry || waddr == RegLen
      || waddr == RegM || waddr == RegWatchdog || waddr == RegImageAddr || waddr == RegImageInstrs
      || waddr == RegImageConsts;

  logic refuse_write, write_idle, write_known;
  assign refuse_write    = write && is_parameter && busy_i;
  assign write_idle      = write && !busy_i;
  assign write_known     = is_parameter || waddr == RegCtrl || waddr == RegError;

  function automatic logic [31:0] merged(input logic [31:0] old, input logic [31:0] data, input logic [3:0] strobe);
    return {strobe[3] ? data[31:24] : old[31:24], strobe[2] ? data[23:16] : old[23:16],
            strobe[1] ? data[15:8] : old[15:8], strobe[0] ? data[7:0] : old[7:0]};
  endfunction

  logic             irq_enable_q;
  logic [3:0]       error_q;
  logic [31:0]      entry_q, len_q, m_q, watchdog_q, image_addr_q, image_instrs_q, image_consts_q;
  logic [3:0][31:0] win_base_q, win_size_q, win_flags_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin  // parameters
    if (!rst_ni) begin
      irq_enable_q   <= 1'b0;
      entry_q        <= '0;
      len_q          <= '0;
      m_q            <= '0;
      watchdog_q     <= '0;
      image_addr_q   <= '0;
      image_instrs_q <= '0;
      image_consts_q <= '0;
    end else if (write_idle) begin
      unique case (waddr)
        RegIrqEnable:   if (s_axil_wstrb[0]) irq_enable_q <= s_axil_wdata[0];
        RegEntry:       entry_q <= merged(entry_q, s_axil_wdata, s_axil_wstrb);
        RegLen:         len_q <= merged(len_q, s_axil_wdata, s_axil_wstrb);
        RegM:           m_q <= merged(m_q, s_axil_wdata, s_axil_wstrb);
        RegWatchdog:    watchdog_q <= merged(watchdog_q, s_axil_wdata, s_axil_wstrb);
        RegImageAddr:   image_addr_q <= merged(image_addr_q, s_axil_wdata, s_axil_wstrb);
        RegImageInstrs: image_instrs_q <= merged(image_instrs_q, s_axil_wdata, s_axil_wstrb);
        RegImageConsts: image_consts_q <= merged(image_consts_q, s_axil_wdata, s_axil_wstrb);
        default: ;
      endcase
    end
  end

  for (genvar w = 0; w < 4; w++) begin : gen_window
    logic here;
    assign here = write_idle && is_window && waddr[5:4] == 2'(w);
    always_ff @(posedge clk_i or negedge rst_ni) begin  // window
      if (!rst_ni) begin
        win_base_q[w]  <= '0;
        win_size_q[w]  <= '0;
        win_flags_q[w] <= '0;
      end else if (here) begin
        unique case (waddr[3:2])
          2'd0: win_base_q[w] <= merged(win_base_q[w], s_axil_wdata, s_axil_wstrb);
          2'd1: win_size_q[w] <= merged(win_size_q[w], s_axil_wdata, s_axil_wstrb);
          default: win_flags_q[w] <= merged(win_flags_q[w], s_axil_wdata, s_axil_wstrb);
        endcase
      end
    end
    assign win_writable_o[w] = win_flags_q[w][0];
  end

  // Values beyond 16 bits saturate, so that an absurd one is seen as too large and not as a small one.
  function automatic logic [15:0] limited(input logic [31:0] value);
    return |value[31:16] ? 16'hffff : value[15:0];
  endfunction

  // A cycle later: the next write, so START too, is at least two cycles after.
  always_ff @(posedge clk_i) begin
    entry_o        <= limited(entry_q);
    len_o          <= limited(len_q);
    m_o            <= limited(m_q);
    image_instrs_o <= limited(image_instrs_q);
    image_consts_o <= limited(image_consts_q);
  end

  assign watchdog_o     = watchdog_q;
  assign image_addr_o   = image_addr_q;
  assign win_base_o     = win_base_q;
  assign win_size_o     = win_size_q;
  assign irq_o          = irq_enable_q && (done_i || fault_i);

  logic [3:0] error_set, error_clear;
  assign error_set[ErrorBusyWriteBit]    = refuse_write;
  assign error_set[ErrorBusyStartBit]    = refuse_busy;
  assign error_set[ErrorClearRefusedBit] = refuse_clear;
  assign error_set[ErrorFaultStartBit]   = refuse_fault;
  assign error_clear = write && waddr == RegError && s_axil_wstrb[0] ? s_axil_wdata[3:0] : 4'b0;

  always_ff @(posedge clk_i or negedge rst_ni) begin  // write_response
    if (!rst_ni) begin
      s_axil_bvalid <= 1'b0;
      s_axil_bresp  <= RespOkay;
      error_q       <= '0;
    end else begin
      error_q <= (error_q & ~error_clear) | error_set;
      if (write) begin
        s_axil_bvalid <= 1'b1;
        s_axil_bresp  <= |error_set || !write_known ? RespSlvErr : RespOkay;
      end else if (s_axil_bready) begin
        s_axil_bvalid <= 1'b0;
      end
    end
  end

  // ---- Reads ------------------------------------------------------------------------------------------------

  logic [31:0]        counter_q;
  logic               accept, read, is_counter, counter_read_q, window_read_q, known;
  logic [RegBits-1:0] raddr;
  logic [31:0]        value;
  assign accept         = s_axil_arvalid && !read && !s_axil_rvalid;
  assign s_axil_arready = accept;

  always_ff @(posedge clk_i or negedge rst_ni) begin  // read_address: the register is read in the cycle after
    if (!rst_ni) begin
      read  <= 1'b0;
      raddr <= '0;
    end else begin
      read <= accept;
      if (accept) raddr <= {s_axil_araddr[RegBits-1:2], 2'b00};
    end
  end

  assign is_counter      = s_axil_araddr >= RegCounters && s_axil_araddr < RegCounters + RegBits'(4 * NumCounters);
  assign counter_index_o = s_axil_araddr[2+:$clog2(NumCounters)];

  always_ff @(posedge clk_i) begin
    if (accept) begin
      counter_q      <= is_counter ? counter_i : '0;
      counter_read_q <= is_counter;
      window_read_q  <= s_axil_araddr >= RegWin0Base && s_axil_araddr < RegWin3Flags + RegBits'(4)
                    && s_axil_araddr[3:2] != 2'd3;
    end
  end

  logic [1:0]  read_window, read_field;
  logic [31:0] window_value;
  assign read_window = raddr[5:4];
  assign read_field  = raddr[3:2];
  assign window_value = read_field == 2'd0 ? win_base_q[read_window]
                      : read_field == 2'd1 ? win_size_q[read_window] : win_flags_q[read_window];

  logic [5:0] status;
  assign status[StatusBusyBit]        = busy_i;
  assign status[StatusDoneBit]        = done_i;
  assign status[StatusFaultBit]       = fault_i;
  assign status[StatusLoadingBit]     = loading_i;
  assign status[StatusOutstandingBit] = outstanding_i;
  assign status[StatusIrqBit]         = irq_o;

  always_comb begin  // read_value
    known = 1'b1;
    value = '0;
    unique case (raddr)
      RegId:          value = MagicId;
      RegConfig0:     value = {8'(LANES), 8'(BUS_BYTES), 8'(COLS), 8'(ROWS)};
      RegConfig1:     value = {16'(MAX_LEN), 16'(SPAD_WORDS)};
      RegConfig2:     value = {16'(CMEM_DEPTH), 16'(IMEM_DEPTH)};
      RegConfig3:     value = {8'd0, 8'(WindowSlots), 8'(BANKS), 8'(M_MAX)};
      RegCtrl:        value = '0;
      RegStatus:      value = 32'(status);
      RegIrqEnable:   value = 32'(irq_enable_q);
      RegError:       value = 32'(error_q);
      RegEntry:       value = entry_q;
      RegLen:         value = len_q;
      RegM:           value = m_q;
      RegWatchdog:    value = watchdog_q;
      RegFaultCode:   value = 32'(fault_code_i);
      RegFaultPc:     value = 32'(fault_pc_i);
      RegFaultAddr:   value = fault_addr_i;
      RegImageAddr:   value = image_addr_q;
      RegImageInstrs: value = image_instrs_q;
      RegImageConsts: value = image_consts_q;
      default: begin
        known = counter_read_q || window_read_q;
        value = window_read_q ? window_value : counter_q;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin  // read_response
    if (!rst_ni) begin
      s_axil_rvalid <= 1'b0;
      s_axil_rresp  <= RespOkay;
      s_axil_rdata  <= '0;
    end else if (read) begin
      s_axil_rvalid <= 1'b1;
      s_axil_rresp  <= known ? RespOkay : RespSlvErr;
      s_axil_rdata  <= value;  // zero where there is nothing
    end else if (s_axil_rready) begin
      s_axil_rvalid <= 1'b0;
    end
  end

endmodule
