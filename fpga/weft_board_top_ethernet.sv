// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A whole board with Ethernet, except for its pins and clocks, which a wrapper for each kind of board adds.
///
/// `leds_o`: a heartbeat, a host has a session and was heard recently, the wafer is awake, fault, and the network: on
/// with a gigabit link, off for a moment with each packet.
module weft_board_top_ethernet
  import weft_link_pkg::*;
#(
  parameter int unsigned  Rows    = 2,
  parameter int unsigned  Cols    = 4,
  parameter int unsigned  SramKib = 24,
  parameter int unsigned  Debug   = 0,
  parameter int unsigned  Tally   = 0,
  /// 1: five colors and all turns, for programs of one's own.
  parameter int unsigned  Programs = 0,
  parameter int unsigned  Khz     = 40000,
  /// As ethernet's.
  parameter logic [47:0]  Mac     = '0,
  parameter logic [31:0]  Ip      = '0,
  parameter logic [63:0]  Build   = '0,
  parameter logic [127:0] Name    = "weft"
) (
  input  logic       clk_i,
  input  logic       rst_i,
  // the PHY: its clock, and GMII
  input  logic       line_clk_i,
  input  logic       gmii_valid_i,
  input  logic       gmii_error_i,
  input  logic [7:0] gmii_data_i,
  output logic       gmii_valid_o,
  output logic [7:0] gmii_data_o,
  input  logic       linked_i,      // synchronous to line_clk_i
  output logic       phy_rst_o,
  output logic [4:0] leds_o
);

  logic  rx_valid, rx_ready, tx_valid, tx_ready, linked, begun, awake, fault, active, up;
  beat_t rx_beat, tx_beat;

  // The PHY needs 10 ms of reset. Its clock stops meanwhile.
  logic [20:0] phy_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) phy_q <= '0;
    else if (!phy_q[20]) phy_q <= phy_q + 1'b1;
  end
  assign phy_rst_o = !phy_q[20];

  /* verilator lint_off PINCONNECTEMPTY */
  weft_ethernet #(.Mac(Mac), .Ip(Ip)) i_ethernet (
    .clk_i, .rst_i, .rx_valid_o(rx_valid), .rx_beat_o(rx_beat), .rx_ready_i(rx_ready), .tx_valid_i(tx_valid),
    .tx_beat_i(tx_beat), .tx_ready_o(tx_ready), .begun_i(begun), .line_clk_i, .gmii_valid_i, .gmii_error_i, .gmii_data_i,
    .gmii_valid_o, .gmii_data_o, .linked_i, .up_o(up), .active_o(active), .busy_o()
  );

  weft_board #(
    .Rows(Rows), .Cols(Cols), .SramKib(SramKib), .Debug(Debug), .Tally(Tally), .Khz(Khz), .Build(Build), .Name(Name),
    .Colors((Programs != 0) ? weft_isa_pkg::DefaultWaferColors : weft_isa_pkg::DefaultColors), .AllTurns(Programs)
  ) i_board (
    .clk_i, .wafer_clk_i(clk_i), .rst_i, .rx_valid_i(rx_valid), .rx_beat_i(rx_beat), .rx_ready_o(rx_ready),
    .tx_valid_o(tx_valid), .tx_beat_o(tx_beat), .tx_ready_i(tx_ready), .wafer_on_o(), .session_o(), .linked_o(linked), .begun_o(begun),
    .awake_o(awake), .fault_o(fault), .idle_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  logic [24:0] beat_q;
  logic [20:0] dark_q;   // 2^20 cycles of dark, and as many of light
  always_ff @(posedge clk_i) begin
    beat_q <= rst_i ? '0 : beat_q + 1'b1;
    if (rst_i) dark_q <= '0;
    else if (dark_q != '0) dark_q <= dark_q - 1'b1;
    else if (active) dark_q <= '1;
  end
  assign leds_o = {up && !dark_q[20], fault, awake, linked, beat_q[24]};

endmodule
