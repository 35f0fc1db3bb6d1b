// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Decides whether the PHY's line is reliable: `hold_o` is the reset of everything that depends on the PHY's clock, on
/// both sides of the crossing (docs/reference/ethernet.md).
///
/// hold_o is set when the PHY reports no link or its clock stops for 64 cycles; it stays set until both have been good
/// for 2^SettleBits cycles and no packet is being written. By then the half in the line's clock has had enough edges in
/// its reset.
///
/// A disturbed clock is not detected while the PHY has a link.
module weft_line_watch #(
  parameter int unsigned SettleBits = 16
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic line_clk_i,   // may stop, and may have edges that only some registers see
  input  logic linked_i,     // synchronous to line_clk_i
  input  logic busy_i,       // a packet is being written
  output logic hold_o,
  output logic line_rst_o    // begins with hold_o, and ends with line_clk_i
);

  logic [4:0]          edges_q;         // edges of the line's clock
  logic [3:0]          line_rst_q;
  logic [1:0]          linked_q;
  logic [2:0]          moves_q;
  logic [5:0]          still_q;         // cycles since the line's clock was last seen to run
  logic [SettleBits:0] well_q;          // cycles
  logic                hold_q, well, settled;

  initial edges_q = '0;
  always_ff @(posedge line_clk_i) edges_q <= edges_q + 5'd1;

  assign well    = linked_q[1] && still_q != '1;
  assign settled = well_q[SettleBits];

  always_ff @(posedge clk_i) begin
    linked_q <= {linked_q[0], linked_i};
    moves_q  <= {moves_q[1:0], edges_q[4]};
    if (moves_q[2] != moves_q[1]) still_q <= '0;
    else if (still_q != '1) still_q <= still_q + 1'b1;
    if (!well) well_q <= '0;
    else if (!settled) well_q <= well_q + 1'b1;
    if (!well) hold_q <= 1'b1;
    else if (settled && !busy_i) hold_q <= 1'b0;
    if (rst_i) begin
      still_q <= '1;
      well_q  <= '0;
      hold_q  <= 1'b1;
    end
  end

  /* verilator lint_off SYNCASYNCNET */
  always_ff @(posedge line_clk_i or posedge hold_q) begin
    if (hold_q) line_rst_q <= '1;
    else line_rst_q <= {line_rst_q[2:0], 1'b0};
  end
  /* verilator lint_on SYNCASYNCNET */

  assign hold_o     = hold_q;
  assign line_rst_o = line_rst_q[3];

endmodule
