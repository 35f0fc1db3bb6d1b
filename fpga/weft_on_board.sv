// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The board between its pins: clock, reset and lights around board_top. fpga/make_board.sh sets the parameters.
module weft_on_board #(
  parameter int unsigned  Rows        = 4,
  parameter int unsigned  Cols        = 2,
  parameter int unsigned  SramKib     = 24,
  parameter int unsigned  Khz         = 40000,
  /// Cycles of a bit on the serial line.
  parameter int unsigned  Divider     = 20,
  /// 1: a light is on at 0.
  parameter bit           LedsLow     = 1'b0,
  /// 1: with a debug chain.
  parameter int unsigned  Debug       = 0,
  parameter int unsigned  Tally       = 0,
  /// 1: five colors and all turns, for programs of one's own.
  parameter int unsigned  Programs    = 0,
  // pll, lights
  parameter int unsigned  OscKhz      = 25000,
  parameter int unsigned  PllIn       = 1,
  parameter int unsigned  PllLoop     = 24,
  parameter int unsigned  PllOut      = 15,
  parameter logic [63:0]  Build       = '0,
  parameter logic [127:0] Name        = "weft"
) (
  input  logic       osc_i,
`ifdef WEFT_HIGH_PIN
  output logic       high_o,  // a pin that the board needs high
`endif
  input  logic       rx_i,
  output logic       tx_o,
  output logic [3:0] led_o
);

  logic       clk, rst, locked;
  logic [3:0] leds;

  weft_pll #(.In(PllIn), .Loop(PllLoop), .Out(PllOut)) i_pll (.osc_i, .clk_o(clk), .rst_o(rst), .locked_o(locked));

  weft_board_top #(
    .Rows(Rows), .Cols(Cols), .SramKib(SramKib), .Divider(Divider), .Khz(Khz), .Debug(Debug), .Tally(Tally),
    .Programs(Programs), .Build(Build), .Name(Name)
  ) i_top (.clk_i(clk), .rst_i(rst), .rx_i, .tx_o, .leds_o(leds));

  weft_lights #(.Lights(4), .Low(LedsLow), .OscKhz(OscKhz)) i_lights (.osc_i, .locked_i(locked), .lit_i(leds), .led_o);

`ifdef WEFT_HIGH_PIN
  assign high_o = 1'b1;
`endif

endmodule
