// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The ROM of the table functions: 2048 x 9 bits, two read ports, so one ECP5 block RAM serves two lanes.
///
/// The contents and their meaning come from sw/tables/tables.py.
///
/// Latency: 1 cycle from a_addr_i (b_addr_i), when enabled, to a_data_o (b_data_o), which then holds.
module weft_sfu_rom (
  input  logic        clk_i,
  input  logic        a_en_i,
  input  logic [10:0] a_addr_i,
  output logic [8:0]  a_data_o,
  input  logic        b_en_i,
  input  logic [10:0] b_addr_i,
  output logic [8:0]  b_data_o
);
`include "sfu_tables.svh"

  localparam logic [2048*9-1:0] Rom = `WEFT_SFU_ROM;

  (* rom_style = "block", ram_style = "block" *) logic [8:0] rom [2048];
  initial begin
    for (int i = 0; i < 2048; i++) rom[i] = Rom[i*9+:9];
  end

  always_ff @(posedge clk_i) if (a_en_i) a_data_o <= rom[a_addr_i];
  always_ff @(posedge clk_i) if (b_en_i) b_data_o <= rom[b_addr_i];

endmodule
