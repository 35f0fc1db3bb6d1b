// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The wafer: `Rows x Cols` tiles, and the west edge that the host sees.
///
/// ```
///             host
///   valve ─► edge_cell ◄─► tile ◄─► tile ◄─► ...      row 0
///               │ chain      ▲        ▲
///               ▼            ▼        ▼
///            edge_cell ◄─► tile ◄─► tile ◄─► ...      row 1
///               :          (nothing leads off the north, east and south)
/// ```
///
/// Rows form `RowGroups` groups of neighbours, each with row numbers from 0 and as many valves. With more groups than one,
/// each stream of the host feeds one valve of every group that the message is for (docs/explanation/row_groups.md).
///
/// Valve v feeds the rows from v*Rows/Valves to the next valve's first row, through the chain of their cells. Row r's outlet
/// delivers the messages that tile (r, 0) sends to the west. Tile (r, c) is number r*Cols + c in the vectors.
///
/// While `awake_o` is 0 and the host offers nothing, a clock edge changes no state.
`include "weft_check.svh"

module weft_wafer
  import weft_pkg::*;
#(
  /// 1 to 1024.
  parameter int unsigned Rows    = 4,
  /// A divisor of Rows and Valves.
  parameter int unsigned RowGroups = 1,
  /// 1 to 1024.
  parameter int unsigned Cols    = 4,
  /// 1 to Rows, of all groups.
  parameter int unsigned Valves  = 1,
  parameter int unsigned Lanes   = 4,
  parameter int unsigned SramKib = 48,
  parameter int unsigned Colors  = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth   = weft_isa_pkg::DefaultDepth,
  /// Turns of the routers to build: sets of outputs, [color][input].
  parameter logic [Colors-1:0][Ports-1:0][Ports-1:0] Turns = '1,
  /// Width of each tile's cycle counters (pe_perf), 23 or 31 bits; 0: they are not built.
  parameter int unsigned Tally   = 0,
  /// 1: vectors begin at any element of memory, not only at multiples of Lanes.
  parameter int unsigned AnyAddress = 0,
  /// 1: a queue for each color at a PE's way out, not one for all.
  parameter int unsigned ColorOutbox = 0,
  /// 1: a debug chain through all tiles and cells (docs/reference/debug_chain.md).
  parameter int unsigned Debug   = 0,
  localparam int unsigned Streams = Valves / RowGroups
) (
  input  logic               clk_i,
  input  logic               rst_i,
  /// SRAM of every tile, at most SramKib; sampled during reset.
  input  logic [7:0]         sram_kib_i,
  // intake valves: one stream for each valve of a group
  input  logic [Streams-1:0] valve_valid_i,
  input  logic [Streams-1:0] valve_ctrl_i,
  input  logic [31:0]        valve_data_i [Streams],
  input  logic [Streams-1:0][RowGroups-1:0] valve_groups_i,  // the groups that the message is for; ignored if there is one
  output logic [Streams-1:0] valve_ready_o,
  // outlets, one per row
  output logic [Rows-1:0]    outlet_valid_o,
  output msg_t               outlet_msg_o [Rows],
  input  logic [Rows-1:0]    outlet_ready_i,
  //
  output logic               awake_o,       // any tile, cell or valve
  output logic               edge_awake_o,  // any cell or valve
  // sticky flags
  output logic [7:0]         tile_flags_o [Rows*Cols],
  output logic [7:0]         edge_flags_o [Rows],
  // each tile's cycle counters: one counter of the last record
  input  weft_pe_pkg::tally_read_t tally_read_i,
  output weft_pe_pkg::tally_t tally_o      [Rows*Cols],
  // the debug chain, from the last tile to row 0's cell
  input  weft_debug_pkg::chain_t chain_i,
  output weft_debug_pkg::chain_t chain_o,
  // for simulation
  output logic [47:0]        fma_lanes_o  [Rows*Cols],
  output logic [47:0]        beats_o      [Rows*Cols],
  output logic               tile_awake_o [Rows*Cols],
  output weft_pe_pkg::dbg_t  dbg_o        [Rows*Cols]   // while the tile sleeps
);

  localparam int unsigned Tiles = Rows * Cols;
  localparam int unsigned GroupRows = Rows / RowGroups;
  // Right shift that turns a weight's index into its row, a row of its group.
  localparam int unsigned RowShift = 16 - $clog2(GroupRows);

  `WEFT_PARAM(Rows >= 1 && Rows <= 1024, "weft_wafer: make Rows 1 to 1024, a weight's index has 16 bits for its row and its slot")
  `WEFT_PARAM(Cols >= 1 && Cols <= 1024, "weft_wafer: make Cols 1 to 1024, as many as programs and the simulator have")
  `WEFT_PARAM(RowGroups >= 1 && Rows % RowGroups == 0 && Valves % RowGroups == 0,
              "weft_wafer: make RowGroups a divisor of Rows and Valves, so that groups are alike")
  `WEFT_PARAM(Valves >= 1 && Valves <= Rows, "weft_wafer: make Valves 1 to Rows, each feeds a row or more")

  typedef logic [Colors-1:0] set_t;  // set of colors

  localparam int unsigned CreditBits = weft_debug_pkg::credit_bits(Depth);
  localparam int unsigned CellBits   = weft_debug_pkg::queue_bits(Depth) + 2 + 2 * CreditBits;

  // Outputs of each tile: n_valid is the valid of its north port.
  logic [Tiles-1:0] n_valid, e_valid, s_valid, w_valid, tile_awake;
  msg_t             n_msg [Tiles], e_msg [Tiles], s_msg [Tiles], w_msg [Tiles];
  set_t             n_credit [Tiles], e_credit [Tiles], s_credit [Tiles], w_credit [Tiles];
  // Outputs of each cell, to its tile and along the chain, and of each valve.
  logic [Rows-1:0]  cell_valid, chain_valid, chain_credit, cell_awake, no_row, bad_color;
  msg_t             cell_msg [Rows], chain_msg [Rows];
  set_t             cell_credit [Rows];
  logic [Valves-1:0] valve_valid, valve_credit, valve_awake;
  logic [Valves-1:0] offered, taken;  // valid and ready between the streams and the valves
  // Wires of the debug chain: node n drives number n. Row by row, a cell before its tiles.
  localparam int unsigned Nodes = Rows * (Cols + 1);
  weft_debug_pkg::chain_t debug_chain [Nodes+1];
  logic [CreditBits-1:0] valve_credits [Valves];
  msg_t              valve_msg [Valves];

  for (genvar r = 0; r < int'(Rows); r++) begin : gen_row
    for (genvar c = 0; c < int'(Cols); c++) begin : gen_col
      localparam int unsigned Here  = r * Cols + c;
      localparam int unsigned Node  = r * (Cols + 1) + c + 1;

      logic n_valid_in, e_valid_in, s_valid_in, w_valid_in;
      msg_t n_msg_in, e_msg_in, s_msg_in, w_msg_in;
      set_t n_credit_in, e_credit_in, s_credit_in, w_credit_in;

      if (r > 0) begin : gen_north
        assign n_valid_in  = s_valid[Here-Cols];
        assign n_msg_in    = s_msg[Here-Cols];
        assign n_credit_in = s_credit[Here-Cols];
      end else begin : gen_no_north
        assign n_valid_in  = 1'b0;
        assign n_msg_in    = '0;
        assign n_credit_in = '0;
      end
      if (r + 1 < int'(Rows)) begin : gen_south
        assign s_valid_in  = n_valid[Here+Cols];
        assign s_msg_in    = n_msg[Here+Cols];
        assign s_credit_in = n_credit[Here+Cols];
      end else begin : gen_no_south
        assign s_valid_in  = 1'b0;
        assign s_msg_in    = '0;
        assign s_credit_in = '0;
      end
      if (c + 1 < int'(Cols)) begin : gen_east
        assign e_valid_in  = w_valid[Here+1];
        assign e_msg_in    = w_msg[Here+1];
        assign e_credit_in = w_credit[Here+1];
      end else begin : gen_no_east
        assign e_valid_in  = 1'b0;
        assign e_msg_in    = '0;
        assign e_credit_in = '0;
      end
      if (c == 0) begin : gen_edge
        assign w_valid_in  = cell_valid[r];
        assign w_msg_in    = cell_msg[r];
        assign w_credit_in = cell_credit[r];
      end else begin : gen_west
        assign w_valid_in  = e_valid[Here-1];
        assign w_msg_in    = e_msg[Here-1];
        assign w_credit_in = e_credit[Here-1];
      end

      /* verilator lint_off PINCONNECTEMPTY */  // only the simulator reads a tile's internal state
      weft_tile #(.Lanes(Lanes), .SramKib(SramKib), .Colors(Colors), .Depth(Depth), .Turns(Turns), .Tally(Tally),
             .AnyAddress(AnyAddress), .ColorOutbox(ColorOutbox), .Debug(Debug)) i_tile (
        .clk_i, .rst_i, .row_i(coordinate_t'(r % int'(GroupRows))), .rows_i(coordinate_t'(GroupRows)),
        .col_i(coordinate_t'(c)), .east_i(coordinate_t'(Cols - 1 - c)),
        .sram_kib_i,
        .n_valid_i(n_valid_in), .n_msg_i(n_msg_in), .n_credit_i(n_credit_in),
        .s_valid_i(s_valid_in), .s_msg_i(s_msg_in), .s_credit_i(s_credit_in),
        .e_valid_i(e_valid_in), .e_msg_i(e_msg_in), .e_credit_i(e_credit_in),
        .w_valid_i(w_valid_in), .w_msg_i(w_msg_in), .w_credit_i(w_credit_in),
        .n_valid_o(n_valid[Here]), .n_msg_o(n_msg[Here]), .n_credit_o(n_credit[Here]),
        .s_valid_o(s_valid[Here]), .s_msg_o(s_msg[Here]), .s_credit_o(s_credit[Here]),
        .e_valid_o(e_valid[Here]), .e_msg_o(e_msg[Here]), .e_credit_o(e_credit[Here]),
        .w_valid_o(w_valid[Here]), .w_msg_o(w_msg[Here]), .w_credit_o(w_credit[Here]),
        .awake_o(tile_awake[Here]), .flags_o(tile_flags_o[Here]),
        .tally_cycles_i(32'd1), .tally_read_i, .tally_o(tally_o[Here]), .chain_i(debug_chain[Node+1]), .chain_o(debug_chain[Node]),
        .fma_lanes_o(fma_lanes_o[Here]), .beats_o(beats_o[Here]), .main_issue_o(), .psum_issue_o(), .dbg_o(dbg_o[Here])
      );
      assign tile_awake_o[Here] = tile_awake[Here];
      /* verilator lint_on PINCONNECTEMPTY */
    end
  end

  assign debug_chain[Nodes] = chain_i;
  assign chain_o            = debug_chain[0];

  for (genvar s = 0; s < int'(Streams); s++) begin : gen_stream
    if (RowGroups > 1) begin : gen_fanout
      logic [RowGroups-1:0] to_valve, from_valve;
      for (genvar g = 0; g < int'(RowGroups); g++) begin : gen_group
        assign offered[g*int'(Streams)+s] = to_valve[g];
        assign from_valve[g]              = taken[g*int'(Streams)+s];
      end
      weft_group_fanout #(.RowGroups(RowGroups)) i_fanout (
        .clk_i, .rst_i, .valid_i(valve_valid_i[s]), .groups_i(valve_groups_i[s]), .ready_o(valve_ready_o[s]),
        .valve_valid_o(to_valve), .valve_ready_i(from_valve)
      );
    end else begin : gen_no_fanout
      logic unused;
      assign unused           = ^valve_groups_i[s];
      assign offered[s]       = valve_valid_i[s];
      assign valve_ready_o[s] = taken[s];
    end
  end

  for (genvar v = 0; v < int'(Valves); v++) begin : gen_valve
    localparam int unsigned First = v * Rows / Valves;
    localparam int unsigned End   = (v + 1) * Rows / Valves;

    weft_valve #(.Depth(Depth)) i_valve (
      .clk_i, .rst_i, .valid_i(offered[v]), .ctrl_i(valve_ctrl_i[v%int'(Streams)]), .data_i(valve_data_i[v%int'(Streams)]),
      .ready_o(taken[v]),
      .valid_o(valve_valid[v]), .msg_o(valve_msg[v]), .credit_i(valve_credit[v]), .awake_o(valve_awake[v]),
      .credits_o(valve_credits[v])
    );
    assign valve_credit[v] = chain_credit[First];

    for (genvar r = int'(First); r < int'(End); r++) begin : gen_cell
      logic chain_valid_in, chain_credit_in;
      msg_t chain_msg_in;
      logic [CellBits-1:0] cell_status;

      if (r == int'(First)) begin : gen_first
        assign chain_valid_in = valve_valid[v];
        assign chain_msg_in   = valve_msg[v];
      end else begin : gen_next
        assign chain_valid_in = chain_valid[r-1];
        assign chain_msg_in   = chain_msg[r-1];
      end
      if (r + 1 < int'(End)) begin : gen_on
        assign chain_credit_in = chain_credit[r+1];
      end else begin : gen_last
        assign chain_credit_in = 1'b0;
      end

      weft_edge_cell #(.Colors(Colors), .Depth(Depth)) i_cell (
        .clk_i, .rst_i, .row_i(coordinate_t'(r % int'(GroupRows))), .row_shift_i(5'(RowShift)),
        .last_i(r + 1 == int'(End)),
        .chain_valid_i(chain_valid_in), .chain_msg_i(chain_msg_in), .chain_credit_o(chain_credit[r]),
        .chain_valid_o(chain_valid[r]), .chain_msg_o(chain_msg[r]), .chain_credit_i(chain_credit_in),
        .tile_valid_o(cell_valid[r]), .tile_msg_o(cell_msg[r]), .tile_credit_i(w_credit[r*Cols]),
        .tile_valid_i(w_valid[r*Cols]), .tile_msg_i(w_msg[r*Cols]), .tile_credit_o(cell_credit[r]),
        .host_valid_o(outlet_valid_o[r]), .host_msg_o(outlet_msg_o[r]), .host_ready_i(outlet_ready_i[r]),
        .awake_o(cell_awake[r]), .no_row_o(no_row[r]), .bad_color_o(bad_color[r]),
        .status_o(cell_status)
      );

      if (Debug != 0) begin : gen_debug
        /* verilator lint_off PINCONNECTEMPTY */  // a cell has no threads
        weft_debug_node i_node (
          .clk_i, .rst_i, .chain_i(debug_chain[r*int'(Cols+1)+1]), .chain_o(debug_chain[r*int'(Cols+1)]),
          .status_i(weft_debug_pkg::WordBits'({(r == int'(First)) ? valve_credits[v] : '0, cell_status})), .command_o(), .update_o()
        );
        /* verilator lint_on PINCONNECTEMPTY */
      end else begin : gen_no_debug
        logic unused;
        assign unused = ^{cell_status, valve_credits[v]};
        assign debug_chain[r*int'(Cols+1)] = '0;
      end

      always_comb begin
        edge_flags_o[r]               = '0;
        edge_flags_o[r][weft_isa_pkg::FLAG_NO_ROW]    = no_row[r];
        edge_flags_o[r][weft_isa_pkg::FLAG_BAD_COLOR] = bad_color[r];
      end
    end
  end

  // Outputs at the north, east and south edges and at the end of each chain lead nowhere.
  logic unused;
  always_comb begin
    unused = ^chain_valid;
    for (int unsigned c = 0; c < Cols; c++) begin
      unused = unused ^ n_valid[c] ^ (^n_msg[c]) ^ (^n_credit[c]);
      unused = unused ^ s_valid[Tiles-Cols+c] ^ (^s_msg[Tiles-Cols+c]) ^ (^s_credit[Tiles-Cols+c]);
    end
    for (int unsigned r = 0; r < Rows; r++) begin
      unused = unused ^ (^chain_msg[r]) ^ e_valid[(r+1)*Cols-1] ^ (^e_msg[(r+1)*Cols-1]) ^ (^e_credit[(r+1)*Cols-1]);
    end
  end

  assign edge_awake_o = (|cell_awake) | (|valve_awake);
  assign awake_o      = (|tile_awake) | edge_awake_o;

endmodule
