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
  // configuration: the colors in route_set_i get the outputs
  input  logic [Colors-1:0]             route_set_i,
  input  logic [Ports-1:0]              route_outputs_i,
  // the crossbar
  input  logic [Ports-1:0][Colors-1:0]  avail_i,    // [output][color] has a credit
  output logic [Ports-1:0]              request_o,
  output logic [Colors-1:0]             color_o,    // the color presented, one-hot
  output msg_t                          front_o,
  input  logic [Ports-1:0]              grant_i,
  /// A clock edge changes something here even if nothing arrives.
  output logic                          awake_o,
  output logic                          no_route_o, // sticky
  output logic                          bad_color_o // sticky
);

  typedef logic [Colors-1:0] set_t;              // of colors
  typedef logic [Ports-1:0][Colors-1:0] grid_t;  // [output][color]

  grid_t route_q, served_q, pending, possible, served_d;
  set_t  empty_q, nonempty, eligible, pick, pop;
  logic  no_route_q;
  logic [Ports-1:0] left;                        // of the presented message
  msg_t  front [1];

  link_buffer #(.Colors(Colors), .Depth(Depth), .ReadPorts(1)) i_buffer (
    .clk_i, .rst_i, .valid_i, .msg_i, .credit_o,
    .nonempty_o(nonempty), .select_i(pick), .front_o(front), .pop_i(pop), .bad_color_o
  );

  color_picker #(.Colors(Colors)) i_picker (
    .clk_i, .rst_i, .advance_i(1'b1), .request_i(eligible), .pick_o(pick)
  );

  always_comb begin
    pending  = '0;
    possible = '0;
    eligible = '0;
    if (nonempty != '0) begin
      pending  = route_q & ~served_q;
      possible = pending & avail_i;
      eligible = empty_q;
      for (int unsigned o = 0; o < Ports; o++) eligible = eligible | possible[o];
      eligible = eligible & nonempty;
    end
  end

  always_comb begin
    left      = '0;
    request_o = '0;
    if (pick != '0) begin
      for (int unsigned o = 0; o < Ports; o++) begin
        left[o]      = |(pending[o] & pick);
        request_o[o] = |(possible[o] & pick);
      end
    end
  end

  always_comb begin
    pop      = '0;
    served_d = served_q;
    if (pick != '0) begin
      if ((left & ~grant_i) == '0) pop = pick;
      for (int unsigned o = 0; o < Ports; o++) begin
        served_d[o] = (served_q[o] | (pick & {Colors{grant_i[o]}})) & ~pop;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned o = 0; o < Ports; o++) route_q[o] <= set_t'(reset_route_i[o]);
      empty_q    <= ~set_t'(|reset_route_i);
      served_q   <= '0;
      no_route_q <= 1'b0;
    end else begin
      if (pick != '0) served_q <= served_d;
      if ((pop & empty_q) != '0) no_route_q <= 1'b1;
      if (route_set_i != '0) begin
        for (int unsigned o = 0; o < Ports; o++) begin
          route_q[o]  <= (route_q[o] & ~route_set_i) | (route_set_i & {Colors{route_outputs_i[o]}});
          served_q[o] <= served_d[o] & ~route_set_i;
        end
        empty_q <= (empty_q & ~route_set_i) | (route_set_i & {Colors{route_outputs_i == '0}});
      end
    end
  end

  assign color_o    = pick;
  assign front_o    = front[0];
  assign awake_o    = (eligible | credit_o) != '0;
  assign no_route_o = no_route_q;

  `WEFT_ASSERT(GrantOnlyWhatIsRequested, (grant_i & ~request_o) == '0)
  `WEFT_ASSERT(BranchServedOnce, (served_q & ~route_q) == '0)

endmodule
