/// One input port of the router: its buffers, its routes, and the branches its front messages have still to serve.
///
/// Each cycle it presents one color that can make progress: `request_o` names the outputs its front still has to go to
/// and that have a credit, `grant_i` which of them take it now. The message is popped with its last branch. A message
/// with an empty route is popped at once and remembered in `no_route_o`.
///
/// A route written while its color is waiting here starts the front message over: outputs it already went to and that
/// are in the new route get it again. Configure before sending.
///
/// Latency: 1 cycle from valid_i to request_o; grant_i follows in the same cycle; credit_o 1 cycle after the last grant.
`include "weft_check.svh"

module router_input
  import weft_pkg::*;
#(
  parameter int unsigned Colors = 4,
  parameter int unsigned Depth  = 4
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  /// The outputs of color W after reset; all other routes start empty.
  input  logic [Ports-1:0]              reset_route_i,
  // the link
  input  logic                          valid_i,
  input  msg_t                          msg_i,
  output logic [Colors-1:0]             credit_o,
  // configuration: the colors in route_set_i get the outputs, two cycles later
  input  logic [Colors-1:0]             route_set_i,
  input  logic [Ports-1:0]              route_outputs_i,
  // the crossbar
  input  logic [Ports-1:0][Colors-1:0]  avail_i,    // [output][color] has a credit
  output logic [Ports-1:0]              request_o,
  output msg_t                          front_o,
  input  logic [Ports-1:0]              grant_i,
  /// A clock edge changes something here even if nothing arrives.
  output logic                          awake_o,
  output logic                          no_route_o, // sticky
  output logic                          bad_color_o // sticky
);

  typedef logic [Colors-1:0] set_t;              // of colors
  typedef logic [Ports-1:0][Colors-1:0] grid_t;  // [output][color]

  grid_t route_q, pending_q, possible;
  set_t  empty_q;   // colors with an empty route
  set_t  fresh_q;   // colors whose route was just written: pending_q has to follow
  set_t  nonempty, eligible, pick, pop;
  logic  no_route_q, done;
  logic [Ports-1:0] left;  // branches of the presented message, with or without a credit
  msg_t  front [1];

  link_buffer #(.Colors(Colors), .Depth(Depth), .ReadPorts(1)) i_buffer (
    .clk_i, .rst_i, .valid_i, .msg_i, .credit_o,
    .nonempty_o(nonempty), .select_i(pick), .front_o(front), .pop_i(pop), .bad_color_o
  );

  color_picker #(.Colors(Colors)) i_picker (
    .clk_i, .rst_i, .advance_i(1'b1), .request_i(eligible), .pick_o(pick)
  );

  always_comb begin
    possible = '0;
    eligible = '0;
    if (nonempty != '0) begin
      possible = pending_q & avail_i;
      eligible = empty_q;
      for (int unsigned o = 0; o < Ports; o++) eligible = eligible | possible[o];
      eligible = eligible & nonempty & ~fresh_q;
    end
  end

  always_comb begin
    left      = '0;
    request_o = '0;
    if (pick != '0) begin
      for (int unsigned o = 0; o < Ports; o++) begin
        left[o]      = |(pending_q[o] & pick);
        request_o[o] = |(possible[o] & pick);
      end
    end
  end

  assign done = (left & ~grant_i) == '0;
  assign pop  = done ? pick : '0;

  // Loops over colors with one enable each: an FPGA's clock enables do the work, and a simulator runs one of the four.
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned o = 0; o < Ports; o++) route_q[o] <= set_t'(reset_route_i[o]);
      empty_q    <= ~set_t'(|reset_route_i);
      fresh_q    <= '1;
      no_route_q <= 1'b0;
    end else begin
      fresh_q <= route_set_i;
      if ((pop & empty_q) != '0) no_route_q <= 1'b1;
      for (int unsigned c = 0; c < Colors; c++) begin
        if (route_set_i[c]) begin
          for (int unsigned o = 0; o < Ports; o++) route_q[o][c] <= route_outputs_i[o];
          empty_q[c] <= route_outputs_i == '0;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (|(pick | fresh_q)) begin
      for (int unsigned c = 0; c < Colors; c++) begin
        if (pick[c] || fresh_q[c]) begin
          for (int unsigned o = 0; o < Ports; o++) begin
            pending_q[o][c] <= (done || fresh_q[c]) ? route_q[o][c] : pending_q[o][c] & ~grant_i[o];
          end
        end
      end
    end
  end

  assign front_o    = front[0];
  assign awake_o    = (eligible | credit_o | fresh_q) != '0;
  assign no_route_o = no_route_q;

  `WEFT_ASSERT(GrantOnlyWhatIsRequested, (grant_i & ~request_o) == '0)
  `WEFT_ASSERT(FrontHasABranchLeft, (nonempty & ~fresh_q & ~empty_q & ~(pending_q[0] | pending_q[1] | pending_q[2] |
                                     pending_q[3] | pending_q[4])) == '0)

endmodule
