// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The counters of pe_perf for simulation: numbers, and an edge may stand for many cycles. tests/pe/stall_counters_test.cpp
/// checks both forms against the same counts.
///
/// A counter is 0 if its stall reason has not occurred in the phase.
module weft_pe_perf_fast
  import weft_isa_pkg::*;
#(
  parameter int unsigned Bits = 23
) (
  input  logic         clk_i,
  input  logic         run_i,     // 0: nothing is counted, and the phase begins
  input  logic         mark_i,    // this cycle is the phase's last
  input  logic         bank_i,
  input  logic [31:0]  cycles_i,
  input  stall_e       main_i,
  input  stall_e       psum_i,
  // of the bank that does not count
  input  logic [3:0]   stall_i,
  output logic [31:0]  main_o,
  output logic [31:0]  psum_o,
  output logic         over_o     // the phase has 2^Bits - 1 cycles or more
);

  logic             held;                 // the bank that does not count
  logic [31:0]      main_q [32];          // [{bank, reason}]
  logic [31:0]      psum_q [32];
  logic [1:0][15:0] main_seen_q, psum_seen_q;  // [bank]
  logic [32:0]      phase_q, phase;

  assign held = ~bank_i;

  always_ff @(posedge clk_i) begin
    if (!run_i) begin
      main_seen_q <= '0;
      psum_seen_q <= '0;
    end else begin
      main_q[{bank_i, main_i}] <= (main_seen_q[bank_i][main_i] ? main_q[{bank_i, main_i}] : '0) + cycles_i;
      psum_q[{bank_i, psum_i}] <= (psum_seen_q[bank_i][psum_i] ? psum_q[{bank_i, psum_i}] : '0) + cycles_i;
      main_seen_q[bank_i][main_i] <= 1'b1;
      psum_seen_q[bank_i][psum_i] <= 1'b1;
      if (mark_i) begin
        main_seen_q[held] <= '0;
        psum_seen_q[held] <= '0;
      end
    end
  end

  assign main_o = main_seen_q[held][stall_i] ? main_q[{held, stall_i}] : '0;
  assign psum_o = psum_seen_q[held][stall_i] ? psum_q[{held, stall_i}] : '0;

  assign phase  = phase_q + 33'(cycles_i);
  assign over_o = phase >= 33'((64'd1 << Bits) - 64'd1);

  always_ff @(posedge clk_i) begin
    if (!run_i || mark_i) phase_q <= '0;
    else if (!over_o) phase_q <= phase;
  end

endmodule
