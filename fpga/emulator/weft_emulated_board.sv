// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The emulator's top module: a board behind a serial line, as in board_top, or behind Ethernet (ethernet_i), as in
/// board_top_ethernet.
///
/// The clock of the wafer is a pin of its own, which stops while wafer_on_o is 0.
module weft_emulated_board
  import weft_link_pkg::*;
#(
  parameter int unsigned Rows       = 4,
  parameter int unsigned Cols       = 2,
  parameter int unsigned SramKib    = 24,
  /// A tick is 2^TickBits cycles (weft_link.sv).
  parameter int unsigned TickBits   = 16,
  /// Fewer than a real board's 8: the wait is in the host's time, and here a cycle takes some 100 times as long.
  parameter int unsigned TimerTicks = 3,
  parameter int unsigned Debug      = 1,
  parameter int unsigned Tally      = 0,
  parameter int unsigned Colors     = weft_isa_pkg::DefaultColors,
  parameter int unsigned AllTurns   = 0,
  parameter logic [63:0] Build      = '0
) (
  input  logic       clk_i,
  input  logic       wafer_clk_i,
  input  logic       rst_i,
  /// The carrier of frames; does not change.
  input  logic       ethernet_i,
  // serial line
  input  logic [9:0] divider_i,
  input  logic       rx_i,
  output logic       tx_o,
  // Ethernet, with the board's clock
  input  logic       gmii_valid_i,
  input  logic [7:0] gmii_data_i,
  output logic       gmii_valid_o,
  output logic [7:0] gmii_data_o,
  //
  output logic       wafer_on_o,
  output logic       session_o,
  output logic       fault_o,
  /// No state changes before the next input, or the session is silent (weft_board.sv).
  output logic       idle_o
);

  logic  line_valid, line_out_ready, line_busy, net_valid, net_out_ready, net_busy;
  logic  rx_valid, rx_ready, tx_valid, tx_ready, begun, idle;
  beat_t line_beat, net_beat, rx_beat, tx_beat;

  weft_serial_line i_line (
    .clk_i, .rst_i, .divider_i, .rx_i, .tx_o, .rx_valid_o(line_valid), .rx_beat_o(line_beat),
    .rx_ready_i(rx_ready && !ethernet_i), .tx_valid_i(tx_valid && !ethernet_i), .tx_beat_i(tx_beat),
    .tx_ready_o(line_out_ready), .busy_o(line_busy)
  );

  /* verilator lint_off PINCONNECTEMPTY */
  weft_ethernet #(.SettleBits(4)) i_ethernet (
    .clk_i, .rst_i, .rx_valid_o(net_valid), .rx_beat_o(net_beat), .rx_ready_i(rx_ready && ethernet_i),
    .tx_valid_i(tx_valid && ethernet_i), .tx_beat_i(tx_beat), .tx_ready_o(net_out_ready), .begun_i(begun), .line_clk_i(clk_i),
    .gmii_valid_i, .gmii_error_i(1'b0), .gmii_data_i, .gmii_valid_o, .gmii_data_o, .linked_i(1'b1), .up_o(),
    .active_o(), .busy_o(net_busy)
  );

  assign rx_valid = ethernet_i ? net_valid : line_valid;
  assign rx_beat  = ethernet_i ? net_beat : line_beat;
  assign tx_ready = ethernet_i ? net_out_ready : line_out_ready;
  assign idle_o   = idle && !line_busy && !net_busy;

  weft_board #(
    .Rows(Rows), .Cols(Cols), .SramKib(SramKib), .TickBits(TickBits), .TimerTicks(TimerTicks), .Debug(Debug), .Tally(Tally),
    .Colors(Colors), .AllTurns(AllTurns), .Build(Build), .Name("emulated")
  ) i_board (
    .clk_i, .wafer_clk_i, .rst_i, .rx_valid_i(rx_valid), .rx_beat_i(rx_beat), .rx_ready_o(rx_ready), .tx_valid_o(tx_valid),
    .tx_beat_o(tx_beat), .tx_ready_i(tx_ready), .wafer_on_o, .session_o, .linked_o(), .begun_o(begun), .awake_o(), .fault_o, .idle_o(idle)
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
