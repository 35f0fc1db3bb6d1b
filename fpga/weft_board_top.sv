// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A whole board with a serial line, except for its pins and clock, which a wrapper for each kind of board adds.
///
/// `leds_o`: a heartbeat, a host has a session and was heard recently, the wafer is awake, fault.
`include "weft_check.svh"

module weft_board_top
  import weft_link_pkg::*;
#(
  /// Cycles a bit, 4 to 1023.
  parameter int unsigned  Divider      = 20,
  parameter int unsigned  Rows         = 2,
  parameter int unsigned  Cols         = 4,
  parameter int unsigned  Lanes        = 4,
  parameter int unsigned  SramKib      = 24,
  parameter int unsigned  Depth        = weft_isa_pkg::DefaultDepth,
  parameter int unsigned  Tally        = 0,
  parameter int unsigned  Debug        = 0,
  /// 1: five colors and all turns, for programs of one's own.
  parameter int unsigned  Programs     = 0,
  /// As link's. On a slow line confirmations wait for the frames before them: 2^16 cycles more for a frame of 20 cycles
  /// a bit.
  parameter int unsigned  TimerTicks   = Divider > 8 ? 32 : 8,
  parameter int unsigned  Khz          = 40000,
  parameter logic [63:0]  Build        = '0,
  parameter logic [127:0] Name         = "weft"
) (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       rx_i,
  output logic       tx_o,
  output logic [3:0] leds_o
);

  `WEFT_PARAM(Divider >= 4 && Divider <= 1023, "weft_board_top: make Divider 4 to 1023, choose another baud rate")

  logic  rx_valid, rx_ready, tx_valid, tx_ready, linked, awake, fault;
  beat_t rx_beat, tx_beat;

  /* verilator lint_off PINCONNECTEMPTY */
  weft_serial_line i_line (
    .clk_i, .rst_i, .divider_i(10'(Divider)), .rx_i, .tx_o, .rx_valid_o(rx_valid), .rx_beat_o(rx_beat), .rx_ready_i(rx_ready),
    .tx_valid_i(tx_valid), .tx_beat_i(tx_beat), .tx_ready_o(tx_ready), .busy_o()
  );

  weft_board #(
    .Rows(Rows), .Cols(Cols), .Lanes(Lanes), .SramKib(SramKib), .Depth(Depth), .Tally(Tally), .Debug(Debug), .TimerTicks(TimerTicks),
    .Colors((Programs != 0) ? weft_isa_pkg::DefaultWaferColors : weft_isa_pkg::DefaultColors), .AllTurns(Programs),
    .Khz(Khz), .Build(Build), .Name(Name)
  ) i_board (
    .clk_i, .wafer_clk_i(clk_i), .rst_i, .rx_valid_i(rx_valid), .rx_beat_i(rx_beat), .rx_ready_o(rx_ready),
    .tx_valid_o(tx_valid), .tx_beat_o(tx_beat), .tx_ready_i(tx_ready), .wafer_on_o(), .session_o(), .linked_o(linked), .begun_o(),
    .awake_o(awake), .fault_o(fault), .idle_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  logic [24:0] beat_q;
  always_ff @(posedge clk_i) beat_q <= rst_i ? '0 : beat_q + 1'b1;
  assign leds_o = {fault, awake, linked, beat_q[24]};

endmodule
