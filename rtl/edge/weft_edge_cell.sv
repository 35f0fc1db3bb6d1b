// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The west edge of one row: the intake that feeds the row's first tile, and the outlet that empties it.
///
/// The tile side is a link in both directions, as between tiles. See intake and outlet for the contract.
///
/// While `awake_o` is 0 and no valid, credit or reset comes, a clock edge changes no state.
module weft_edge_cell
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  localparam int unsigned StatusBits = 3 + 2 * $clog2(Depth) + 2 * $clog2(Depth + 1)
) (
  input  logic              clk_i,
  input  logic              rst_i,
  // constants of the cell's position
  input  coordinate_t       row_i,
  input  logic [4:0]        row_shift_i,   // 0..16
  input  logic              last_i,        // the intake chain ends here
  // the chain, from north to south; color W only
  input  logic              chain_valid_i,
  input  msg_t              chain_msg_i,
  output logic              chain_credit_o,
  output logic              chain_valid_o,
  output msg_t              chain_msg_o,
  input  logic              chain_credit_i,
  // the link to the row's first tile
  output logic              tile_valid_o,
  output msg_t              tile_msg_o,
  input  logic [Colors-1:0] tile_credit_i,
  // the link from the row's first tile
  input  logic              tile_valid_i,
  input  msg_t              tile_msg_i,
  output logic [Colors-1:0] tile_credit_o,
  // to the host
  output logic              host_valid_o,
  output msg_t              host_msg_o,
  input  logic              host_ready_i,
  output logic              awake_o,
  // sticky flags
  output logic              no_row_o,
  output logic              bad_color_o,
  // for the debug chain: the intake's credits, then its fill
  output logic [StatusBits-1:0] status_o
);

  logic intake_awake, outlet_awake, intake_bad_color, outlet_bad_color;

  weft_intake #(.Depth(Depth)) i_intake (
    .clk_i, .rst_i, .row_i, .row_shift_i, .last_i,
    .valid_i(chain_valid_i), .msg_i(chain_msg_i), .credit_o(chain_credit_o),
    .next_valid_o(chain_valid_o), .next_msg_o(chain_msg_o), .next_credit_i(chain_credit_i),
    .tile_valid_o, .tile_msg_o, .tile_credit_i(tile_credit_i[0]),
    .awake_o(intake_awake), .no_row_o, .bad_color_o(intake_bad_color), .fill_o(status_o[2*$clog2(Depth)+2:0]),
    .credits_o(status_o[StatusBits-1:2*$clog2(Depth)+3])
  );

  weft_outlet #(.Colors(Colors), .Depth(Depth)) i_outlet (
    .clk_i, .rst_i, .valid_i(tile_valid_i), .msg_i(tile_msg_i), .credit_o(tile_credit_o),
    .host_valid_o, .host_msg_o, .host_ready_i,
    .awake_o(outlet_awake), .bad_color_o(outlet_bad_color)
  );

  // Only color W (number 0) is sent to the tile, so only its credits return.
  logic unused;
  assign unused = ^tile_credit_i;

  assign awake_o     = intake_awake || outlet_awake;
  assign bad_color_o = intake_bad_color || outlet_bad_color;

endmodule
