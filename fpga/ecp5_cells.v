// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Declarations of the ECP5 primitives that the RTL instantiates, for yosys' readers.
(* blackbox *)
module EHXPLLL #(
  parameter CLKI_DIV = 1, CLKFB_DIV = 1, FEEDBK_PATH = "CLKOP",
  parameter CLKOP_ENABLE = "ENABLED", CLKOP_DIV = 8, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0, OUTDIVIDER_MUXA = "DIVA",
  parameter CLKOS_ENABLE = "DISABLED", CLKOS_DIV = 8, CLKOS_CPHASE = 0, CLKOS_FPHASE = 0, OUTDIVIDER_MUXB = "DIVB",
  parameter OUTDIVIDER_MUXC = "DIVC", OUTDIVIDER_MUXD = "DIVD",
  parameter INTFB_WAKE = "DISABLED", STDBY_ENABLE = "DISABLED", DPHASE_SOURCE = "DISABLED", PLLRST_ENA = "DISABLED"
) (
  input CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
  output CLKOP, CLKOS, LOCK
);
endmodule

(* blackbox *)
module DELAYG #(parameter DEL_MODE = "USER_DEFINED", DEL_VALUE = 0) (input A, output Z);
endmodule

(* blackbox *)
module IDDRX1F (input D, SCLK, RST, output Q0, Q1);
endmodule

(* blackbox *)
module ODDRX1F (input SCLK, RST, D0, D1, output Q);
endmodule

(* blackbox *)
module LUT4 #(parameter INIT = 0) (input A, B, C, D, output Z);
endmodule
