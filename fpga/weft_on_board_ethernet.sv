// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The board between its pins, with a gigabit PHY: clocks, reset and lights around board_top_ethernet.
/// fpga/make_board.sh sets the parameters.
module weft_on_board_ethernet #(
  parameter int unsigned  Rows        = 4,
  parameter int unsigned  Cols        = 2,
  parameter int unsigned  SramKib     = 24,
  parameter int unsigned  Khz         = 40000,
  parameter int unsigned  Debug       = 0,
  parameter int unsigned  Tally       = 0,
  /// 1: five colors and all turns, for programs of one's own.
  parameter int unsigned  Programs    = 0,
  // ethernet, rgmii
  parameter logic [47:0]  Mac         = '0,
  parameter logic [31:0]  Ip          = '0,
  parameter int unsigned  RxDelay     = 0,
  parameter int unsigned  TxDelay     = 80,
  /// 1: a light is on at 0.
  parameter bit           LedsLow     = 1'b0,
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
  input  logic       eth_rxc_i,
  input  logic       eth_rx_ctl_i,
  input  logic [3:0] eth_rxd_i,
  output logic       eth_txc_o,
  output logic       eth_tx_ctl_o,
  output logic [3:0] eth_txd_o,
  output logic       eth_rst_no,
  output logic [4:0] led_o
);

  logic       clk, rst, locked, line_clk, in_valid, in_error, out_valid, linked, phy_rst;
  logic [7:0] in_data, out_data;
  logic [4:0] leds;

  weft_pll #(.In(PllIn), .Loop(PllLoop), .Out(PllOut)) i_pll (.osc_i, .clk_o(clk), .rst_o(rst), .locked_o(locked));

  weft_rgmii #(.RxDelay(RxDelay), .TxDelay(TxDelay)) i_rgmii (
    .rxc_i(eth_rxc_i), .rx_ctl_i(eth_rx_ctl_i), .rxd_i(eth_rxd_i), .txc_o(eth_txc_o), .tx_ctl_o(eth_tx_ctl_o), .txd_o(eth_txd_o),
    .clk_o(line_clk), .valid_o(in_valid), .error_o(in_error), .data_o(in_data), .valid_i(out_valid), .data_i(out_data),
    .linked_o(linked)
  );

  weft_board_top_ethernet #(
    .Rows(Rows), .Cols(Cols), .SramKib(SramKib), .Khz(Khz), .Debug(Debug), .Tally(Tally),
    .Programs(Programs), .Mac(Mac), .Ip(Ip), .Build(Build), .Name(Name)
  ) i_top (
    .clk_i(clk), .rst_i(rst), .line_clk_i(line_clk), .gmii_valid_i(in_valid), .gmii_error_i(in_error), .gmii_data_i(in_data),
    .gmii_valid_o(out_valid), .gmii_data_o(out_data), .linked_i(linked), .phy_rst_o(phy_rst), .leds_o(leds)
  );

  assign eth_rst_no = !phy_rst;

  weft_lights #(.Lights(5), .Low(LedsLow), .OscKhz(OscKhz)) i_lights (.osc_i, .locked_i(locked), .lit_i(leds), .led_o);

`ifdef WEFT_HIGH_PIN
  assign high_o = 1'b1;
`endif

endmodule
