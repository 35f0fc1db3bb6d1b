/// A tile as built: without the outputs that are only for simulation, and without performance counters. The top module of
/// `synth_ecp5` for the netlist (scripts/netlist); ports as in rtl/weft_tile.sv, with the four links side by side, N E S W.
module tile_built
  import weft_pkg::*;
#(
  parameter int unsigned SramKib = 36
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  coordinate_t     row_i,
  input  coordinate_t     rows_i,
  input  coordinate_t     col_i,
  input  coordinate_t     east_i,
  input  logic [7:0]      sram_kib_i,
  input  logic [3:0]      valid_i,
  input  msg_t [3:0]      msg_i,
  input  logic [3:0][3:0] credit_i,
  output logic [3:0]      valid_o,
  output msg_t [3:0]      msg_o,
  output logic [3:0][3:0] credit_o,
  output logic            awake_o,
  output logic [7:0]      flags_o
);

  /* verilator lint_off PINCONNECTEMPTY */
  weft_tile #(.SramKib(SramKib), .Turns(weft_isa_pkg::KernelTurns)) i_tile (
    .clk_i, .rst_i, .row_i, .rows_i, .col_i, .east_i, .sram_kib_i,
    .n_valid_i(valid_i[0]), .n_msg_i(msg_i[0]), .n_credit_i(credit_i[0]),
    .e_valid_i(valid_i[1]), .e_msg_i(msg_i[1]), .e_credit_i(credit_i[1]),
    .s_valid_i(valid_i[2]), .s_msg_i(msg_i[2]), .s_credit_i(credit_i[2]),
    .w_valid_i(valid_i[3]), .w_msg_i(msg_i[3]), .w_credit_i(credit_i[3]),
    .n_valid_o(valid_o[0]), .n_msg_o(msg_o[0]), .n_credit_o(credit_o[0]),
    .e_valid_o(valid_o[1]), .e_msg_o(msg_o[1]), .e_credit_o(credit_o[1]),
    .s_valid_o(valid_o[2]), .s_msg_o(msg_o[2]), .s_credit_o(credit_o[2]),
    .w_valid_o(valid_o[3]), .w_msg_o(msg_o[3]), .w_credit_o(credit_o[3]),
    .awake_o, .flags_o,
    .tally_cycles_i(32'd1), .tally_read_i('0), .tally_o(), .chain_i('0), .chain_o(),
    .fma_lanes_o(), .beats_o(), .main_issue_o(), .psum_issue_o(), .dbg_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
