/// A flip-flop. REGSET gives its value at power-up, and after a clock edge with LSR, whatever CE is (LSR_OVER_CE). Not
/// modelled: the global reset, and an LSR that is asynchronous, gated by CE, or inverted.
module TRELLIS_FF #(
  parameter GSR = "ENABLED",
  parameter CEMUX = "1",
  parameter CLKMUX = "CLK",
  parameter LSRMUX = "LSR",
  parameter LSRONMUX = "LSRMUX",
  parameter SRMODE = "LSR_OVER_CE",
  parameter REGSET = "RESET"
) (
  input CLK, LSR, CE, DI,
  output reg Q
);
  if (GSR != "DISABLED") $error("TRELLIS_FF: GSR is not modelled");
  if (CEMUX != "1" && CEMUX != "CE") $error("TRELLIS_FF: this CEMUX is not modelled");
  if (CLKMUX != "CLK" || LSRMUX != "LSR" || LSRONMUX != "LSRMUX") $error("TRELLIS_FF: this CLKMUX or LSRMUX is not modelled");
  if (SRMODE != "LSR_OVER_CE") $error("TRELLIS_FF: this SRMODE is not modelled");
  if (REGSET != "RESET" && REGSET != "SET") $error("TRELLIS_FF: no such REGSET");

  wire enabled = CEMUX == "1" || CE;
  initial Q = REGSET == "SET";
  always @(posedge CLK)
    if (LSR) Q <= REGSET == "SET";
    else if (enabled) Q <= DI;
endmodule
