// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// One tile between registers (measured). Only for measuring (fpga/synth_tile.sh).
///
/// The simulator's outputs (counters, dbg_o) are left open, so the logic for them is not built.
module weft_tile_top
  import weft_pkg::*;
#(
  parameter int unsigned SramKib = 36,
  /// Width of the cycle counters (rtl/pe/weft_pe_perf.sv); 0: without.
  parameter int unsigned Tally   = 0,
  /// 1: with a node of the debug chain, which then reads the counters.
  parameter int unsigned Debug   = 0,
  /// 1: parts of a general tile (rtl/weft_tile.sv).
  parameter int unsigned AnyAddress = 0,
  parameter int unsigned ColorOutbox = 0
) (
  input  logic clk_i,
  input  logic si_i,
  output logic so_o
);

  localparam int unsigned Colors = 4;

  typedef struct packed {
    logic                   rst;
    coordinate_t            row, rows, col, east;
    logic [7:0]             sram_kib;
    logic [3:0]             valid;
    msg_t [3:0]             msg;
    logic [3:0][Colors-1:0] credit;
  } in_t;

  typedef struct packed {
    logic [3:0]             valid;
    msg_t [3:0]             msg;
    logic [3:0][Colors-1:0] credit;
    logic                   awake;
    logic [7:0]             flags;
  } out_t;

  in_t  in;
  out_t out;
  weft_pe_pkg::tally_read_t tally_read;
  /* verilator lint_off UNUSEDSIGNAL */
  weft_pe_pkg::tally_t      tally;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [18:0]              tally_built;  // without the fields for simulation
  assign tally_built = {tally.next, tally.fresh, tally.overflow, tally.tag};

  weft_debug_pkg::chain_t chain_in, chain_out;

  if (Debug != 0) begin : gen_debug
    logic unused;
    weft_measured #(.InBits($bits(in_t) + 2), .OutBits($bits(out_t) + 2)) i_measured (
      .clk_i, .si_i, .so_o, .in_o({chain_in, in}), .out_i({chain_out, out})
    );
    assign tally_read = '0;
    assign unused     = ^tally_built;
  end else if (Tally != 0) begin : gen_tally
    logic unused;
    weft_measured #(.InBits($bits(in_t) + $bits(tally_read)), .OutBits($bits(out_t) + $bits(tally_built))) i_measured (
      .clk_i, .si_i, .so_o, .in_o({tally_read, in}), .out_i({tally_built, out})
    );
    assign chain_in = '0;
    assign unused   = ^chain_out;
  end else begin : gen_no_tally
    logic unused;
    weft_measured #(.InBits($bits(in_t)), .OutBits($bits(out_t))) i_measured (.clk_i, .si_i, .so_o, .in_o(in), .out_i(out));
    assign tally_read = '0;
    assign chain_in   = '0;
    assign unused     = ^{tally_built, chain_out};
  end

  /* verilator lint_off PINCONNECTEMPTY */
  weft_tile #(.SramKib(SramKib), .Colors(Colors), .Turns(weft_isa_pkg::KernelTurns), .Tally(Tally), .AnyAddress(AnyAddress),
         .ColorOutbox(ColorOutbox), .Debug(Debug)) i_tile (
    .clk_i, .rst_i(in.rst), .row_i(in.row), .rows_i(in.rows), .col_i(in.col), .east_i(in.east),
    .sram_kib_i(in.sram_kib),
    .n_valid_i(in.valid[0]), .n_msg_i(in.msg[0]), .n_credit_i(in.credit[0]),
    .e_valid_i(in.valid[1]), .e_msg_i(in.msg[1]), .e_credit_i(in.credit[1]),
    .s_valid_i(in.valid[2]), .s_msg_i(in.msg[2]), .s_credit_i(in.credit[2]),
    .w_valid_i(in.valid[3]), .w_msg_i(in.msg[3]), .w_credit_i(in.credit[3]),
    .n_valid_o(out.valid[0]), .n_msg_o(out.msg[0]), .n_credit_o(out.credit[0]),
    .e_valid_o(out.valid[1]), .e_msg_o(out.msg[1]), .e_credit_o(out.credit[1]),
    .s_valid_o(out.valid[2]), .s_msg_o(out.msg[2]), .s_credit_o(out.credit[2]),
    .w_valid_o(out.valid[3]), .w_msg_o(out.msg[3]), .w_credit_o(out.credit[3]),
    .awake_o(out.awake), .flags_o(out.flags),
    .tally_cycles_i(32'd1), .tally_read_i(tally_read), .tally_o(tally),
    .chain_i(chain_in), .chain_o(chain_out),
    .fma_lanes_o(), .beats_o(), .main_issue_o(), .psum_issue_o(), .dbg_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
