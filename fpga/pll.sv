/// The clock of a board: an ECP5's PLL between the oscillator and everything else, and a reset until it has been stable for
/// 65,536 cycles. In simulation the clock is the oscillator.
module pll #(
  /* verilator lint_off UNUSEDPARAM */  // in simulation
  /// Oscillator / In * Feedback is the clock, and times Out the PLL's own oscillator (fpga/board.py).
  parameter int unsigned In       = 1,
  parameter int unsigned Feedback = 1,
  parameter int unsigned Out      = 8
  /* verilator lint_on UNUSEDPARAM */
) (
  input  logic osc_i,
  output logic clk_o,
  output logic rst_o
);

  logic        locked;
  logic [16:0] wait_q;

`ifdef SYNTHESIS
  EHXPLLL #(
    .CLKI_DIV(In), .CLKFB_DIV(Feedback), .CLKOP_DIV(Out), .CLKOP_CPHASE(Out - 1), .CLKOP_FPHASE(0), .CLKOP_ENABLE("ENABLED"),
    .FEEDBK_PATH("CLKOP"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"), .PLLRST_ENA("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA")
  ) i_pll (
    .CLKI(osc_i), .CLKFB(clk_o), .CLKOP(clk_o), .LOCK(locked),
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

  assign rst_o = ~wait_q[16];

endmodule
