// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A gigabit PHY's pins: both edges of 125 MHz carry four bits each (RGMII 2.0). In simulation the inputs are idle.
///
/// Both directions use one clock, the PHY's receive clock. The delays are in steps of 25 ps. Between frames the PHY
/// reports whether it has a link, and at which speed.
module weft_rgmii #(
  /* verilator lint_off UNUSEDPARAM */  // in simulation
  /// Delay of the received signals.
  parameter int unsigned RxDelay = 0,
  /// Delay of the transmit clock after the transmitted data: the PHY needs 1.2 to 2 ns.
  parameter int unsigned TxDelay = 80
  /* verilator lint_on UNUSEDPARAM */
) (
  input  logic       rxc_i,
  input  logic       rx_ctl_i,
  input  logic [3:0] rxd_i,
  output logic       txc_o,
  output logic       tx_ctl_o,
  output logic [3:0] txd_o,
  // GMII
  output logic       clk_o,
  output logic       valid_o,
  output logic       error_o,
  output logic [7:0] data_o,
  input  logic       valid_i,
  input  logic [7:0] data_i,
  /// There is a gigabit link.
  output logic       linked_o
);

  logic [4:0] in, early, late;  // control above four bits
  logic       linked_q;

  assign clk_o = rxc_i;
  assign in    = {rx_ctl_i, rxd_i};

`ifdef SYNTHESIS
  logic [4:0] delayed, out_early, out_late, out, out_delayed;
  logic       clock;

  for (genvar i = 0; i < 5; i++) begin : gen_pin
    DELAYG #(.DEL_MODE("SCLK_ALIGNED"), .DEL_VALUE(RxDelay)) i_in_delay (.A(in[i]), .Z(delayed[i]));
    IDDRX1F i_in (.SCLK(clk_o), .RST(1'b0), .D(delayed[i]), .Q0(early[i]), .Q1(late[i]));
    ODDRX1F i_out (.SCLK(clk_o), .RST(1'b0), .D0(out_early[i]), .D1(out_late[i]), .Q(out[i]));
    DELAYG #(.DEL_MODE("SCLK_ALIGNED"), .DEL_VALUE(0)) i_out_delay (.A(out[i]), .Z(out_delayed[i]));
  end
  assign out_early = {valid_i, data_i[3:0]};
  assign out_late  = {valid_i, data_i[7:4]};
  assign {tx_ctl_o, txd_o} = out_delayed;

  ODDRX1F i_clock (.SCLK(clk_o), .RST(1'b0), .D0(1'b1), .D1(1'b0), .Q(clock));
  DELAYG #(.DEL_MODE("SCLK_ALIGNED"), .DEL_VALUE(TxDelay)) i_clock_delay (.A(clock), .Z(txc_o));
`else
  assign early = in & 5'd0;
  assign late  = in & 5'd0;
  assign {txc_o, tx_ctl_o, txd_o} = {clk_o, valid_i, data_i[3:0] ^ data_i[7:4]};
`endif

  always_ff @(posedge clk_o) begin
    valid_o <= early[4];
    error_o <= early[4] ^ late[4];
    data_o  <= {late[3:0], early[3:0]};
    if (!early[4] && !late[4]) linked_q <= early[2:0] == 3'b101;  // up, and 125 MHz
  end
  assign linked_o = linked_q;

endmodule
