/// A combinational product of two words of 18 bits, each signed or unsigned. Not modelled, and rejected: registers, sources
/// other than A and B, the bypass. (A register's clock enable and reset have no effect without its clock.)
module MULT18X18D #(
  parameter REG_INPUTA_CLK = "NONE", REG_INPUTA_CE = "CE0", REG_INPUTA_RST = "RST0",
  parameter REG_INPUTB_CLK = "NONE", REG_INPUTB_CE = "CE0", REG_INPUTB_RST = "RST0",
  parameter REG_INPUTC_CLK = "NONE", REG_INPUTC_CE = "CE0", REG_INPUTC_RST = "RST0",
  parameter REG_PIPELINE_CLK = "NONE", REG_PIPELINE_CE = "CE0", REG_PIPELINE_RST = "RST0",
  parameter REG_OUTPUT_CLK = "NONE", REG_OUTPUT_CE = "CE0", REG_OUTPUT_RST = "RST0",
  parameter CLK0_DIV = "ENABLED", CLK1_DIV = "ENABLED", CLK2_DIV = "ENABLED", CLK3_DIV = "ENABLED",
  parameter HIGHSPEED_CLK = "NONE", GSR = "ENABLED", CAS_MATCH_REG = "FALSE", SOURCEB_MODE = "B_SHIFT",
  parameter MULT_BYPASS = "DISABLED", RESETMODE = "SYNC"
) (
  input A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
  input B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
  // verilator lint_off UNUSEDSIGNAL
  input C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17,
  // verilator lint_on UNUSEDSIGNAL
  input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23,
  P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  if (REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE" || REG_INPUTC_CLK != "NONE" || REG_PIPELINE_CLK != "NONE" ||
      REG_OUTPUT_CLK != "NONE") $error("MULT18X18D: registers are not modelled");
  if (HIGHSPEED_CLK != "NONE" || CAS_MATCH_REG != "FALSE" || SOURCEB_MODE != "B_SHIFT" || MULT_BYPASS != "DISABLED")
    $error("MULT18X18D: this mode is not modelled");
  always @* if (SOURCEA || SOURCEB) $fatal(1, "MULT18X18D: a shifted source is not modelled");

  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire signed [37:0] product = $signed({SIGNEDA & a[17], a}) * $signed({SIGNEDB & b[17], b});
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13,
      P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product[35:0];
endmodule
