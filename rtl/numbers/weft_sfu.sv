// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The table unit: one function of `Lanes` bf16 a cycle; a ROM for every two lanes.
///
/// Latency: 1 cycle from x_i (with valid_i) to y_o, which is 0 in any other cycle.
module weft_sfu
  import weft_num_pkg::*;
#(
  /// An even number.
  parameter int unsigned Lanes = 4
) (
  input  logic                clk_i,
  input  logic                valid_i,
  input  sfu_fn_e             fn_i,
  input  logic [Lanes*16-1:0] x_i,
  output logic [Lanes*16-1:0] y_o
);
`include "weft_check.svh"
  `WEFT_PARAM(Lanes % 2 == 0, "weft_sfu: Lanes must be even")

  logic [Lanes*11-1:0] addr;
  logic [Lanes*9-1:0]  data;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    weft_sfu_lane i_lane (
      .clk_i,
      .valid_i,
      .fn_i,
      .x_i        (x_i[l*16+:16]),
      .rom_addr_o (addr[l*11+:11]),
      .rom_data_i (data[l*9+:9]),
      .y_o        (y_o[l*16+:16])
    );
  end

  for (genvar p = 0; p < Lanes / 2; p++) begin : gen_rom
    weft_sfu_rom i_rom (
      .clk_i,
      .a_en_i   (valid_i),
      .a_addr_i (addr[(2*p)*11+:11]),
      .a_data_o (data[(2*p)*9+:9]),
      .b_en_i   (valid_i),
      .b_addr_i (addr[(2*p+1)*11+:11]),
      .b_data_o (data[(2*p+1)*9+:9])
    );
  end

endmodule
