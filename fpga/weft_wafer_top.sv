// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A small wafer between registers, without a link to a host: measures a mesh's size and speed. Only for measuring
/// (fpga/synth_wafer.sh); tile_top does the same for one tile.
module weft_wafer_top
  import weft_pkg::*;
#(
  parameter int unsigned Rows    = 2,
  parameter int unsigned Cols    = 4,
  parameter int unsigned SramKib = 36
) (
  input  logic clk_i,
  input  logic si_i,
  output logic so_o
);

  typedef struct packed {
    logic            rst;
    logic [7:0]      sram_kib;
    logic            valid, ctrl;
    logic [31:0]     data;
    logic [Rows-1:0] ready;
  } in_t;

  typedef struct packed {
    logic                      ready;
    logic [Rows-1:0]           valid;
    msg_t [Rows-1:0]           msg;
    logic                      awake;
    logic [Rows*Cols-1:0][7:0] tile_flags;
    logic [Rows-1:0][7:0]      edge_flags;
  } out_t;

  in_t  in;
  out_t out;
  weft_measured #(.InBits($bits(in_t)), .OutBits($bits(out_t))) i_measured (.clk_i, .si_i, .so_o, .in_o(in), .out_i(out));

  logic [31:0] data [1];
  msg_t        msg [Rows];
  logic [7:0]  tile_flags [Rows*Cols], edge_flags [Rows];
  assign data[0] = in.data;
  always_comb begin
    for (int unsigned r = 0; r < Rows; r++) out.msg[r] = msg[r];
    for (int unsigned r = 0; r < Rows; r++) out.edge_flags[r] = edge_flags[r];
    for (int unsigned t = 0; t < Rows * Cols; t++) out.tile_flags[t] = tile_flags[t];
  end

  /* verilator lint_off PINCONNECTEMPTY */
  weft_wafer #(.Rows(Rows), .Cols(Cols), .SramKib(SramKib), .Turns(weft_isa_pkg::KernelTurns)) i_wafer (
    .clk_i, .rst_i(in.rst), .sram_kib_i(in.sram_kib),
    .valve_valid_i(in.valid), .valve_ctrl_i(in.ctrl), .valve_data_i(data), .valve_groups_i('1),
    .valve_ready_o(out.ready),
    .outlet_valid_o(out.valid), .outlet_msg_o(msg), .outlet_ready_i(in.ready),
    .awake_o(out.awake), .edge_awake_o(), .tile_flags_o(tile_flags), .edge_flags_o(edge_flags),
    .tally_read_i('0), .tally_o(), .chain_i('0), .chain_o(),
    .fma_lanes_o(), .beats_o(), .tile_awake_o(), .dbg_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
