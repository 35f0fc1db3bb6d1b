// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A board: a wafer behind the link. Frames come and go as bytes and ends; their carrier is outside.
///
/// `wafer_clk_i` is clk_i, but may stop while wafer_on_o is 0: an edge would then change no state of the wafer
/// (stopping makes a simulator much faster and an FPGA much cooler). With cycle counters (Tally) wafer_on_o is always
/// 1.
module weft_board
  import weft_link_pkg::*;
#(
  /// 1 to 16.
  parameter int unsigned  Rows         = 4,
  parameter int unsigned  Cols         = 2,
  parameter int unsigned  Lanes        = 4,
  parameter int unsigned  SramKib      = 24,
  parameter int unsigned  Depth        = weft_isa_pkg::DefaultDepth,
  parameter int unsigned  Colors       = weft_isa_pkg::DefaultColors,
  /// 1: routers have all turns; 0: those of training (weft_isa_pkg::KernelTurns).
  parameter int unsigned  AllTurns     = 0,
  parameter int unsigned  Tally        = 0,
  /// 1: with a debug chain.
  parameter int unsigned  Debug        = 0,
  /// As link's.
  parameter int unsigned  TickBits     = 16,
  parameter int unsigned  TimerTicks   = 8,
  parameter int unsigned  SilenceTicks = 2048,
  /// The board's description in ABOUT. Name: the first character in the highest bits, padded with spaces or zeros.
  parameter int unsigned  Khz          = 40000,
  parameter logic [63:0]  Build        = '0,
  parameter logic [127:0] Name         = "weft"
) (
  input  logic  clk_i,
  input  logic  wafer_clk_i,
  input  logic  rst_i,
  input  logic  rx_valid_i,
  input  beat_t rx_beat_i,
  output logic  rx_ready_o,
  output logic  tx_valid_o,
  output beat_t tx_beat_o,
  input  logic  tx_ready_i,
  output logic  wafer_on_o,
  output logic  session_o,
  /// A session runs, and its host was heard in the last 2^27 cycles.
  output logic  linked_o,
  output logic  begun_o,
  output logic  awake_o,
  output logic  fault_o,
  /// No state changes before the next input, or the session is silent, so that no host would notice.
  output logic  idle_o
);

  localparam int unsigned Indices = 2048;

  typedef logic [Colors-1:0][weft_pkg::Ports-1:0][weft_pkg::Ports-1:0] turns_t;
  localparam turns_t Turns = (AllTurns != 0) ? '1 : turns_t'(weft_isa_pkg::KernelTurns);

  // Characters have the first in the lowest byte, and are padded with zeros.
  function automatic logic [127:0] name();
    logic [127:0] from, to;
    from = Name;
    to   = '0;
    for (int unsigned i = 0; i < 16; i++) begin
      if (from[127:120] == 8'd0) from = {from[119:0], 8'd0};
    end
    for (int unsigned i = 0; i < 16; i++) to[8*i+:8] = from[127-8*i-:8];
    return to;
  endfunction

  localparam logic [8*AboutBytes-1:0] About = {
    name(), Build, 16'(RingRoom), 16'(Indices), 16'(Khz >> 16), 16'(Khz), 8'd0, 8'(AllTurns != 0), 8'(Debug != 0), 8'd1, 8'(Tally),
    8'(SramKib), 8'(Depth), 8'(Colors), 8'(Lanes), 8'(Cols), 8'(Rows), 8'd2, 32'h54464557  // "WEFT"
  };

  logic                         wafer_rst, valve_valid, valve_ctrl, valve_ready, awake, silent, link_idle;
  logic [31:0]                  valve_data [1];
  logic [31:0]                  valve_word;
  logic [Rows-1:0]              outlet_valid, outlet_ready;
  /* verilator lint_off UNUSEDSIGNAL */  // the host gets neither color nor kind of a word
  weft_pkg::msg_t               outlet_msg [Rows];
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Rows-1:0][31:0]        outlet_data;
  logic [7:0]                   tile_flags [Rows*Cols], edge_flags [Rows];
  logic [Rows-1:0][Cols:0][7:0] flags;
  logic                         tile_awake [Rows*Cols], edge_awake, wafer_busy;
  logic [Rows*Cols:0]           awake_q;  // a cycle later: signals from all corners of the chip need that time
  weft_debug_pkg::chain_t       chain_down, chain_up;
  logic                         debugs;

  weft_link #(
    .Rows(Rows), .Cols(Cols), .Indices(Indices), .TickBits(TickBits), .TimerTicks(TimerTicks), .SilenceTicks(SilenceTicks),
    .Debug(Debug), .About(About)
  ) i_link (
    .clk_i, .rst_i, .rx_valid_i, .rx_beat_i, .rx_ready_o, .tx_valid_o, .tx_beat_o, .tx_ready_i,
    .wafer_rst_o(wafer_rst), .valve_valid_o(valve_valid), .valve_ctrl_o(valve_ctrl), .valve_data_o(valve_word),
    .valve_ready_i(valve_ready), .outlet_valid_i(outlet_valid), .outlet_data_i(outlet_data),
    .outlet_ready_o(outlet_ready), .awake_i(|awake_q), .flags_i(flags),
    .chain_o(chain_down), .chain_i(chain_up), .chain_busy_o(debugs), .session_o, .begun_o, .fault_o, .silent_o(silent),
    .idle_o(link_idle)
  );

  assign valve_data[0] = valve_word;
  always_comb begin
    for (int unsigned r = 0; r < Rows; r++) begin
      outlet_data[r] = outlet_msg[r].data;
      flags[r][0]    = edge_flags[r];
      for (int unsigned c = 0; c < Cols; c++) flags[r][c+1] = tile_flags[r*Cols+c];
    end
  end

  /* verilator lint_off PINCONNECTEMPTY */
  weft_wafer #(
    .Rows(Rows), .Cols(Cols), .Lanes(Lanes), .SramKib(SramKib), .Colors(Colors), .Depth(Depth), .Turns(Turns),
    .Tally(Tally), .Debug(Debug)
  ) i_wafer (
    .clk_i(wafer_clk_i), .rst_i(wafer_rst), .sram_kib_i(8'(SramKib)),
    .valve_valid_i(valve_valid), .valve_ctrl_i(valve_ctrl), .valve_data_i(valve_data),
    .valve_groups_i('1), .valve_ready_o(valve_ready),
    .outlet_valid_o(outlet_valid), .outlet_msg_o(outlet_msg), .outlet_ready_i(outlet_ready),
    .awake_o(awake), .edge_awake_o(edge_awake), .tile_flags_o(tile_flags), .edge_flags_o(edge_flags), .tally_read_i('0), .tally_o(),
    .chain_i(chain_down), .chain_o(chain_up),
    .fma_lanes_o(), .beats_o(), .tile_awake_o(tile_awake), .dbg_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // A message that the valve takes wakes it in the next cycle. awake_q must not miss it: nothing else shows the message
  // then.
  always_ff @(posedge clk_i) begin
    awake_q[Rows*Cols] <= edge_awake || (valve_valid && valve_ready);
    for (int unsigned t = 0; t < Rows * Cols; t++) awake_q[t] <= tile_awake[t];
    if (rst_i) awake_q <= '0;
  end

  // Counters count all cycles.
  assign wafer_busy = wafer_rst || (valve_valid && valve_ready) || awake || debugs;
  assign wafer_on_o = Tally != 0 || wafer_busy;
  assign awake_o    = |awake_q;
  assign linked_o   = session_o && !silent;
  assign idle_o     = link_idle && (silent || (!wafer_busy && awake_q == '0));

endmodule
