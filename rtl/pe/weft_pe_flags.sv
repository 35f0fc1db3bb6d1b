// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The tile's sticky flags, and counters for the simulator.
///
/// A flag shows a cycle after its event and stays until reset. NO_ROW is the edge's. The flags of the router and of the
/// buffer are sticky in those modules: a register here would have to change while the PE sleeps.
`include "weft_check.svh"

module weft_pe_flags #(
  parameter int unsigned Lanes = 4
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // events of this cycle
  input  logic        bad_address_i,
  input  logic        misaligned_i,
  input  logic        bad_instr_i,
  input  logic        bad_command_i,
  input  logic        bad_color_i,
  // already sticky in other modules
  input  logic        no_route_i,
  input  logic        other_color_i,
  input  logic        bad_route_i,
  // a beat issues; it multiplies
  input  logic        issue_i,
  input  logic        fma_i,
  //
  output logic [7:0]  flags_o,
  output logic        step_o,       // a flag is about to change
  output logic [47:0] fma_lanes_o,
  output logic [47:0] beats_o
);

  localparam int unsigned LaneBits = $clog2(Lanes);

  logic [4:0]           events, new_events, events_q;
  logic [47-LaneBits:0] fma_beats_q;
  logic [47:0]          beats_q;

  always_comb begin
    events     = {bad_address_i, misaligned_i, bad_instr_i, bad_command_i, bad_color_i};
    new_events = events & ~events_q;
  end

  always_ff @(posedge clk_i) begin
    if (new_events != '0) events_q <= events_q | events;
    if (issue_i) begin
      beats_q <= beats_q + 48'd1;
      if (fma_i) fma_beats_q <= fma_beats_q + (48 - LaneBits)'(1);
    end
    if (rst_i) begin
      events_q    <= '0;
      fma_beats_q <= '0;
      beats_q     <= '0;
    end
  end

  assign flags_o     = {bad_route_i, events_q[4:1], 1'b0, other_color_i | events_q[0], no_route_i};
  assign step_o      = new_events != '0;
  assign fma_lanes_o = {fma_beats_q, {LaneBits{1'b0}}};
  assign beats_o     = beats_q;

endmodule
