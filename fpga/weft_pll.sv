// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The clock of a board: an ECP5's PLL between the oscillator and everything else, and a reset until the PLL has been locked for
/// 65,536 cycles. In simulation the clock is the oscillator.
///
/// ```
/// osc_i ─► /In ─► phase detector ─► PLL's oscillator ─┬─► /Out ─► clk_o
///                      ▲                              │
///                      └──────────────── /Loop ◄──────┘
/// ```
///
/// Output CLKOP closes the loop and has no other user, so the detector runs at osc_i / In whatever the ratio of the two
/// clocks. fpga/board.py chooses the dividers.
module weft_pll #(
  /* verilator lint_off UNUSEDPARAM */  // in simulation
  parameter int unsigned In   = 1,
  parameter int unsigned Loop = 24,
  parameter int unsigned Out  = 15
  /* verilator lint_on UNUSEDPARAM */
) (
  input  logic osc_i,
  output logic clk_o,
  output logic rst_o,
  /// The clock is stable; asynchronous.
  output logic locked_o
);

  logic        locked;
  logic [16:0] wait_q;

`ifdef SYNTHESIS
  localparam int unsigned Phase = (Loop > 1) ? Loop / 2 - 1 : 0;

  logic feedback;

  // Charge pump, loop filter, its amplifier and the reference current: without the attributes nextpnr writes 0 for each of them.
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .CLKI_DIV(In), .CLKFB_DIV(1), .FEEDBK_PATH("CLKOP"),
    .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(Loop), .CLKOP_CPHASE(Phase), .CLKOP_FPHASE(0), .OUTDIVIDER_MUXA("DIVA"),
    .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(Out), .CLKOS_CPHASE(Phase), .CLKOS_FPHASE(0), .OUTDIVIDER_MUXB("DIVB"),
    .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
    .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"), .PLLRST_ENA("DISABLED")
  ) i_pll (
    .CLKI(osc_i), .CLKFB(feedback), .CLKOP(feedback), .CLKOS(clk_o), .LOCK(locked),
    .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
    .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
  );
`else
  assign clk_o  = osc_i;
  assign locked = 1'b1;
`endif

  initial wait_q = '0;
  always_ff @(posedge clk_o or negedge locked) begin
    if (!locked) wait_q <= '0;
    else if (!wait_q[16]) wait_q <= wait_q + 17'd1;
  end

  assign rst_o    = ~wait_q[16];
  assign locked_o = locked;

endmodule
