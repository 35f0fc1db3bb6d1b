// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Performance counters: the cycles of each thread by stall reason (docs/explanation/stalls.md). Observes only: nothing
/// depends on it.
///
/// Two banks of counters. One counts; the other holds the counts between the last two MARKs and can be read. A MARK
/// swaps the banks, without a pause.
///
/// ```
///   cycle       t            t+1                  t+2
///               reason,      counts; banks        the record up to t is there: fresh
///               MARK taken   change places
/// ```
///
/// The counters have two forms: shift registers, which are built (pe_perf_built), and pe_perf_fast for Verilator.
`include "weft_check.svh"

module weft_pe_perf
  import weft_isa_pkg::*;
  import weft_pe_pkg::*;
#(
  /// Width of a counter: 9, 23 or 31.
  parameter int unsigned Bits = 23
) (
  input  logic         clk_i,
  input  logic         rst_i,
  /// Cycles that this edge stands for; 1 in the built form. A simulator leaves out edges while the PE sleeps, and its
  /// stall reasons stay as they are.
  input  logic [31:0]  cycles_i,
  input  stall_e       main_i,
  input  stall_e       psum_i,
  input  logic         mark_i,
  input  logic [15:0]  tag_i,     // tag of the MARK
  // the counter to read, and the shift to its next bit
  input  tally_read_t  read_i,
  output tally_t       tally_o,
  output logic         busy_o     // a record becomes complete in this cycle
);

  `WEFT_PARAM(Bits == 9 || Bits == 23 || Bits == 31, "weft_pe_perf: make Tally 23, or 31, or 0 for none")

  // ------------------------------------------------------------------------------------------------ a cycle later
  stall_e      main_q, psum_q;
  logic [31:0] cycles_q;
  logic [15:0] tag_q, held_tag_q;
  logic        run_q, mark_q, fresh_q;

  always_ff @(posedge clk_i) begin
    main_q   <= main_i;
    psum_q   <= psum_i;
    cycles_q <= cycles_i;
    run_q    <= ~rst_i;
    mark_q   <= mark_i & ~rst_i;
    fresh_q  <= mark_q & ~rst_i;
    if (mark_i) tag_q <= tag_i;
    if (mark_q) held_tag_q <= tag_q;
  end

  // --------------------------------------------------------------------------------------------------- the counts
  logic        bank_q;  // the bank that counts
  logic        over;    // the phase is longer than a counter can hold
  logic        count_bit;
  logic [31:0] main_count, psum_count;

  always_ff @(posedge clk_i) begin
    if (rst_i) bank_q <= 1'b0;
    else if (mark_q) bank_q <= ~bank_q;
  end

`ifdef WEFT_FAST_COUNTS
  weft_pe_perf_fast #(.Bits(Bits)) i_counts (
    .clk_i, .run_i(run_q), .mark_i(mark_q), .bank_i(bank_q), .cycles_i(cycles_q), .main_i(main_q), .psum_i(psum_q),
    .stall_i(read_i.stall), .main_o(main_count), .psum_o(psum_count), .over_o(over)
  );
  assign count_bit = 1'b0;
`else
  weft_pe_perf_built #(.Bits(Bits)) i_counts (
    .clk_i, .run_i(run_q), .mark_i(mark_q), .bank_i(bank_q), .main_i(main_q), .psum_i(psum_q),
    .read_i, .bit_o(count_bit), .over_o(over)
  );
  assign main_count = '0;
  assign psum_count = '0;
`endif

  // ---------------------------------------------------------------------------------------------------- overflow
  logic over_q, held_over_q;

  always_ff @(posedge clk_i) begin
    if (!run_q || mark_q) over_q <= 1'b0;
    else if (over) over_q <= 1'b1;
    if (mark_q) held_over_q <= over_q | over;
  end

  assign tally_o = '{fresh: fresh_q, overflow: held_over_q, tag: held_tag_q, next: count_bit,
                     main: main_count, psum: psum_count};
  assign busy_o  = mark_q;

  logic unused;
  assign unused = ^{cycles_q, read_i};  // each form needs only one of them

  `WEFT_ASSUME(MarksAreTakenAtRest, !mark_q || (main_q == STALL_COMMAND && psum_q == STALL_ASLEEP))
  `WEFT_ASSUME(StallReasonsOfTheThread, !run_q || (MainStallReasons[main_q] && PsumStallReasons[psum_q]))

endmodule
