// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Position of a PE in its wafer and size of its memory: registers that take the inputs of the last cycle in reset.
///
/// Latency: 1 cycle.
`include "weft_check.svh"

module weft_pe_place
  import weft_pkg::*;
  import weft_pe_pkg::*;
#(
  parameter int unsigned SramKib = 48
) (
  input  logic         clk_i,
  input  logic         rst_i,
  input  coordinate_t  row_i,
  input  coordinate_t  rows_i,
  input  coordinate_t  col_i,
  input  coordinate_t  east_i,      // columns to the east
  input  logic [7:0]   sram_kib_i,  // more than SramKib counts as SramKib
  output place_t       place_o,
  output logic [7:0]   kib_o,
  /// The two halves of SRAM (pe_sram), by the top bit of the addresses that exist.
  output logic [15:0]  half_o
);

  place_t     place_q;
  logic [7:0] kib_q;

  function automatic logic [7:0] at_most_built(input logic [7:0] kib);
    return (kib > 8'(SramKib)) ? 8'(SramKib) : kib;
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      place_q <= '{row: row_i, rows: rows_i, col: col_i, cols: col_i + east_i + coordinate_t'(1), east: east_i};
      kib_q   <= at_most_built(sram_kib_i);
    end
  end

`ifdef WEFT_FAST_FORM
  logic [15:0] half_q;

  function automatic logic [15:0] half_of(input logic [7:0] kib);
    half_of = 16'd1 << 8;
    for (int unsigned b = 9; b < 16; b++) begin
      if (((kib - 8'd1) >> (b - 9)) != '0) half_of = 16'd1 << b;
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) half_q <= half_of(at_most_built(sram_kib_i));
  end

  assign half_o = half_q;
`else
  assign half_o = 16'd1 << ($clog2(SramKib * 512) - 1);
`endif

  assign place_o = place_q;
  assign kib_o   = kib_q;

endmodule
