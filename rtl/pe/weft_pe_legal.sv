// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Checks whether an instruction is legal for a thread (docs/reference/pe.md, Edge cases). No state. Latency: none.
/// Outputs mean nothing without run_i.
///
/// weft_isa_pkg, made from sw/isa/isa.py, defines the legal opcodes and field values. This module adds the check that a
/// color is built; the colors of an instruction that is illegal anyway are not checked. mvp is illegal while psum runs,
/// but that is detected only when it executes (pe_scalar).
`include "weft_check.svh"

module weft_pe_legal
  import weft_isa_pkg::*;
#(
  parameter int unsigned Built = weft_isa_pkg::DefaultColors
) (
  input  logic         run_i,
  input  logic         psum_i,      // the thread
  input  logic [31:0]  word_i,
  output logic         bad_instr_o,
  output logic         bad_color_o
);

  localparam logic [31:0] BuiltSet = (Built == 32) ? '1 : (32'd1 << Built) - 32'd1;

  always_comb begin
    bad_instr_o = 1'b0;
    bad_color_o = 1'b0;
    `WEFT_IF_ANY(run_i) begin
      bad_instr_o = ~(psum_i ? legal_psum(word_i) : legal_main(word_i));
      bad_color_o = psum_i & ~bad_instr_o & ~psum_colors_in(word_i, BuiltSet);
    end
  end

endmodule
