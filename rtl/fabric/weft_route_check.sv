// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Passes a ROUTE command on to the router if the route can be built (docs/reference/message.md, Commands).
///
/// A color that is not built sets `bad_color_o`; nothing else is checked then. A port that does not exist, a bit set
/// between port and outputs, a turn that is not built and a way off the wafer set `bad_route_o`. Such a route is not
/// written.
///
/// Latency: none from route_we_i to route_we_o. Without route_we_i and rst_i a clock edge changes no state.
`include "weft_check.svh"

module weft_route_check
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  /// The outputs that an input can be routed to, [color][input].
  parameter logic [Colors-1:0][Ports-1:0][Ports-1:0] Turns = '1
) (
  input  logic        clk_i,
  input  logic        rst_i,
  /// The tile has no neighbour to the north, east, south (bit p: port p). Sampled during reset.
  input  logic [2:0]  edge_i,
  input  logic        route_we_i,
  input  route_t      route_i,
  output logic        route_we_o,
  // sticky flags
  output logic        bad_color_o,
  output logic        bad_route_o
);

  logic [2:0] edge_q;
  logic       color_built, good, bad_color_q, bad_route_q;

  always_comb begin
    logic [Ports-1:0] outputs;  // that the input can be routed to
    color_built = 1'b0;
    good        = 1'b0;
    outputs     = '0;
    `WEFT_IF_ANY(route_we_i) begin
      for (int unsigned c = 0; c < Colors; c++) begin
        if (route_i.color == color_t'(c)) begin
          color_built = 1'b1;
          for (int unsigned p = 0; p < Ports; p++) begin
            if (route_i.port == 3'(p)) outputs = Turns[c][p] & ~{2'b00, edge_q};
          end
        end
      end
      good = 32'(route_i.port) < Ports && route_i.zero == '0 && (route_i.outputs & ~outputs) == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      edge_q      <= edge_i;
      bad_color_q <= 1'b0;
      bad_route_q <= 1'b0;
    end else `WEFT_IF_ANY(route_we_i) begin
      if (route_we_i && !color_built) bad_color_q <= 1'b1;
      if (route_we_i && color_built && !good) bad_route_q <= 1'b1;
    end
  end

  assign route_we_o  = route_we_i && color_built && good;
  assign bad_color_o = bad_color_q;
  assign bad_route_o = bad_route_q;

endmodule
