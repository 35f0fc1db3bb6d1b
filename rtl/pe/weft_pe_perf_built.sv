// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The built form of pe_perf's counters: shift registers with linear feedback, which go through 2^Bits - 1 states
/// beginning at 0 (bit Bits and bit Tap, exclusive nor). A counter thus costs a few LUTs, whatever its width, and
/// flip-flops, of which there are plenty. The reader works out how many steps lead to the bits it reads
/// (verif/sim/stall_counter_code.hpp).
///
/// The counters of the bank that does not count rotate while read_i.shift: after Bits cycles they are as before. bit_o
/// is the highest bit of the selected counter. Latency: none.
module weft_pe_perf_built
  import weft_isa_pkg::*;
  import weft_pe_pkg::*;
#(
  parameter int unsigned Bits = 23
) (
  input  logic         clk_i,
  input  logic         run_i,    // 0: nothing is counted, and the phase begins
  input  logic         mark_i,   // this cycle is the phase's last
  input  logic         bank_i,
  input  stall_e       main_i,
  input  stall_e       psum_i,
  input  tally_read_t  read_i,
  output logic         bit_o,
  output logic         over_o    // the phase has 2^Bits - 1 cycles: the counters start over
);

  localparam int unsigned Tap = (Bits == 9) ? 5 : (Bits == 23) ? 18 : 28;

  typedef logic [Bits-1:0] count_t;

  function automatic count_t after(input count_t count);
    return {count[Bits-2:0], ~(count[Bits-1] ^ count[Tap-1])};
  endfunction

  logic [1:0]       clear;
  logic [1:0][15:0] stalls;           // each thread's stall reason, [thread][reason]
  logic [3:0][15:0] last;             // highest bits, [bank][thread][reason]

  assign stalls = {16'd1 << psum_i, 16'd1 << main_i};
  assign clear  = ~run_i ? 2'b11 : mark_i ? {~bank_i, bank_i} : 2'b00;

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    for (genvar t = 0; t < 2; t++) begin : gen_thread
      localparam logic [15:0] Causes = (t == 0) ? MainStallReasons : PsumStallReasons;

      for (genvar c = 0; c < 16; c++) begin : gen_stall
        if (Causes[c]) begin : gen_count
          count_t count_q;

          always_ff @(posedge clk_i) begin
            if (clear[b]) count_q <= '0;
            else if (bank_i != 1'(b)) begin
              if (read_i.shift) count_q <= {count_q[Bits-2:0], count_q[Bits-1]};
            end else if (stalls[t][c]) count_q <= after(count_q);
          end

          assign last[2*b+t][c] = count_q[Bits-1];
        end else begin : gen_none
          assign last[2*b+t][c] = 1'b0;
        end
      end
    end
  end

  assign bit_o = last[{~bank_i, read_i.psum}][read_i.stall];

  // ------------------------------------------------------------------------------------------------- the whole phase
  count_t phase_q, phase;

  assign phase  = after(phase_q);
  assign over_o = phase == '0;

  always_ff @(posedge clk_i) begin
    if (!run_i || mark_i) phase_q <= '0;
    else phase_q <= phase;
  end

endmodule
