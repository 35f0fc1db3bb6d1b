// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A tile: a router and a processing element.
///
/// Four link pairs lead to the neighbours; all their outputs are registers, so nothing combinational crosses a tile's
/// edge. The constants are sampled during reset. While `awake_o` is 0 and neither a valid nor a credit comes in, a clock
/// edge changes no state: a simulator may leave it out and stays cycle-exact.
module weft_tile
  import weft_pkg::*;
  import weft_pe_pkg::*;
#(
  parameter int unsigned Lanes   = 4,
  /// SRAM to build, at most 128.
  parameter int unsigned SramKib = 48,
  parameter int unsigned RDepth  = weft_isa_pkg::DefaultRDepth,
  parameter int unsigned IDepth  = weft_isa_pkg::DefaultIDepth,
  parameter int unsigned Colors  = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth   = weft_isa_pkg::DefaultDepth,
  /// Turns of the router to build: sets of outputs, [color][input].
  parameter logic [Colors-1:0][Ports-1:0][Ports-1:0] Turns = '1,
  /// Width of the cycle counters (pe_perf), 23 or 31 bits; 0: they are not built.
  parameter int unsigned Tally   = 0,
  /// 1: vectors begin at any element of memory, not only at multiples of Lanes.
  parameter int unsigned AnyAddress = 0,
  /// 1: a queue for each color at a PE's way out, not one for all.
  parameter int unsigned ColorOutbox = 0,
  /// 1: a node of the debug chain (docs/reference/debug_chain.md).
  parameter int unsigned Debug   = 0
) (
  input  logic               clk_i,
  input  logic               rst_i,
  // position of the tile and size of its SRAM; sampled during reset
  input  coordinate_t        row_i,
  input  coordinate_t        rows_i,
  input  coordinate_t        col_i,
  input  coordinate_t        east_i,       // columns to the east; 0: the last column
  input  logic [7:0]         sram_kib_i,   // size of the PE's SRAM; more than SramKib counts as SramKib
  // links
  input  logic               n_valid_i,
  input  msg_t               n_msg_i,
  output logic [Colors-1:0]  n_credit_o,
  output logic               n_valid_o,
  output msg_t               n_msg_o,
  input  logic [Colors-1:0]  n_credit_i,
  input  logic               e_valid_i,
  input  msg_t               e_msg_i,
  output logic [Colors-1:0]  e_credit_o,
  output logic               e_valid_o,
  output msg_t               e_msg_o,
  input  logic [Colors-1:0]  e_credit_i,
  input  logic               s_valid_i,
  input  msg_t               s_msg_i,
  output logic [Colors-1:0]  s_credit_o,
  output logic               s_valid_o,
  output msg_t               s_msg_o,
  input  logic [Colors-1:0]  s_credit_i,
  input  logic               w_valid_i,
  input  msg_t               w_msg_i,
  output logic [Colors-1:0]  w_credit_o,
  output logic               w_valid_o,
  output msg_t               w_msg_o,
  input  logic [Colors-1:0]  w_credit_i,
  //
  output logic               awake_o,
  output logic [7:0]         flags_o,      // sticky, docs/reference/pe.md
  // cycle counters: the record of the last MARK; in a tile with a debug chain, the chain selects the counter
  input  logic [31:0]        tally_cycles_i,  // cycles that this edge stands for: 1 (pe_perf)
  input  tally_read_t        tally_read_i,
  output tally_t             tally_o,
  // the debug chain
  input  weft_debug_pkg::chain_t chain_i,
  output weft_debug_pkg::chain_t chain_o,
  // for simulation
  output logic [47:0]        fma_lanes_o,
  output logic [47:0]        beats_o,
  output logic               main_issue_o, // a beat of main issues in this cycle
  output logic               psum_issue_o,
  output dbg_t               dbg_o         // in simulation: while the PE sleeps
);

  logic [Ports-1:0]             valid_in, valid_out;
  msg_t                         msg_in [Ports];
  msg_t                         msg_out [Ports];
  logic [Ports-1:0][Colors-1:0] credit_in, credit_out;
  logic                         ramp_valid, route_we, router_awake, pe_awake, no_route, bad_color, bad_route;
  msg_t                         ramp_msg;
  logic [Colors-1:0]            ramp_credit;
  route_t                       route;

  localparam int unsigned PeBits     = weft_debug_pkg::pe_bits(Colors, Depth);
  localparam int unsigned RouterBits = weft_debug_pkg::router_bits(weft_debug_pkg::turns_t'(Turns), Colors, Depth);

  // Status words of 16 bits: threads, PE and router one after the other, then the counters.
  localparam int unsigned StateWords = (PeBits + RouterBits + weft_debug_pkg::WordBits - 1) / weft_debug_pkg::WordBits;
  localparam int unsigned StateBits  = StateWords * weft_debug_pkg::WordBits;
  localparam int unsigned StatusBits = StateBits + ((Tally != 0) ? weft_debug_pkg::TallyBits : 0);

  weft_debug_pkg::control_t debug;
  tally_read_t              tally_read;
  logic [PeBits-1:0]        pe_debug;
  logic [RouterBits-1:0]    router_debug;

  if (Debug != 0) begin : gen_debug
    logic [StatusBits-1:0] status;
    logic                  unused;

    weft_tile_debug #(.Bits(StatusBits)) i_debug (
      .clk_i, .rst_i, .chain_i, .chain_o, .status_i(status), .control_o(debug)
    );
    if (Tally != 0) begin : gen_counts
      assign status = {tally_o.overflow, tally_o.next, tally_o.tag, StateBits'({router_debug, pe_debug})};
    end else begin : gen_no_counts
      assign status = StateBits'({router_debug, pe_debug});
    end
    assign tally_read = '{shift: debug.count, psum: debug.word[weft_debug_pkg::PsumBit], stall: debug.word[3:0]};
    assign unused     = ^tally_read_i;
  end else begin : gen_no_debug
    logic unused;
    assign unused  = ^{chain_i, router_debug, pe_debug};
    assign debug   = '0;
    assign chain_o = '0;
    assign tally_read = tally_read_i;
  end

  assign valid_in        = {ramp_valid, w_valid_i, s_valid_i, e_valid_i, n_valid_i};
  assign msg_in[weft_isa_pkg::PORT_N]    = n_msg_i;
  assign msg_in[weft_isa_pkg::PORT_E]    = e_msg_i;
  assign msg_in[weft_isa_pkg::PORT_S]    = s_msg_i;
  assign msg_in[weft_isa_pkg::PORT_W]    = w_msg_i;
  assign msg_in[weft_isa_pkg::PORT_RAMP] = ramp_msg;
  assign credit_in       = {ramp_credit, w_credit_i, s_credit_i, e_credit_i, n_credit_i};

  /* verilator lint_off PINCONNECTEMPTY */  // busy_o and empty_o are for simulators that clock router and PE separately
  weft_router #(.Colors(Colors), .Depth(Depth), .Turns(Turns), .Debug(Debug)) i_router (
    .clk_i, .rst_i, .edge_i({row_i == rows_i - coordinate_t'(1), east_i == '0, row_i == '0}),
    .valid_i(valid_in), .msg_i(msg_in), .credit_o(credit_out),
    .valid_o(valid_out), .msg_o(msg_out), .credit_i(credit_in),
    .route_we_i(route_we), .route_i(route),
    .awake_o(router_awake), .busy_o(), .empty_o(), .no_route_o(no_route), .bad_color_o(bad_color), .bad_route_o(bad_route),
    .debug_o(router_debug)
  );

  weft_pe #(.Lanes(Lanes), .SramKib(SramKib), .RDepth(RDepth), .IDepth(IDepth), .Colors(Colors), .Depth(Depth),
       .Tally(Tally), .AnyAddress(AnyAddress), .ColorOutbox(ColorOutbox), .Debug(Debug)) i_pe (
    .clk_i, .rst_i, .row_i, .rows_i, .col_i, .east_i, .sram_kib_i,
    .valid_i(valid_out[weft_isa_pkg::PORT_RAMP]), .msg_i(msg_out[weft_isa_pkg::PORT_RAMP]), .credit_o(ramp_credit),
    .valid_o(ramp_valid), .msg_o(ramp_msg), .credit_i(credit_out[weft_isa_pkg::PORT_RAMP]),
    .route_we_o(route_we), .route_o(route), .no_route_i(no_route), .bad_color_i(bad_color), .bad_route_i(bad_route),
    .flags_o, .awake_o(pe_awake), .busy_o(), .tally_cycles_i, .tally_read_i(tally_read), .tally_o,
    .fma_lanes_o, .beats_o, .main_issue_o, .psum_issue_o, .dbg_o,
    .debug_i(debug), .debug_o(pe_debug)
  );

  /* verilator lint_on PINCONNECTEMPTY */

  assign n_valid_o  = valid_out[weft_isa_pkg::PORT_N];
  assign e_valid_o  = valid_out[weft_isa_pkg::PORT_E];
  assign s_valid_o  = valid_out[weft_isa_pkg::PORT_S];
  assign w_valid_o  = valid_out[weft_isa_pkg::PORT_W];
  assign n_msg_o    = msg_out[weft_isa_pkg::PORT_N];
  assign e_msg_o    = msg_out[weft_isa_pkg::PORT_E];
  assign s_msg_o    = msg_out[weft_isa_pkg::PORT_S];
  assign w_msg_o    = msg_out[weft_isa_pkg::PORT_W];
  assign n_credit_o = credit_out[weft_isa_pkg::PORT_N];
  assign e_credit_o = credit_out[weft_isa_pkg::PORT_E];
  assign s_credit_o = credit_out[weft_isa_pkg::PORT_S];
  assign w_credit_o = credit_out[weft_isa_pkg::PORT_W];

  always_comb begin
    awake_o = pe_awake;
    if (!pe_awake) awake_o = router_awake;
  end

endmodule
