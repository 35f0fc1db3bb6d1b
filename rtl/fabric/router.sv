/// A tile's router: five ports (N, E, S, W, RAMP), each a link in and a link out, with `Colors` virtual channels.
///
/// ```
///  link in ─► link_buffers ─► router_input ─request─► router_arbiter ─grant─► output register ─► link out
///                               (routes)      ▲                                (one per port)
///                                        link_credits ◄─────────────────────── credit in
/// ```
///
/// Every (input port, color) has a route, a set of outputs: its front message goes to each as soon as that output is
/// free and has a credit. Per color and path, messages stay in order; none is lost, none doubled. After reset every route
/// is empty but one: color W from port W goes to {E, RAMP}, in the last column to {RAMP}.
///
/// Latency: 2 cycles from a link in to a link out. One color alone sustains one message per cycle.
/// All links' outputs come from registers. While `awake_o` is 0 and no valid_i, credit_i, route_we_i or rst_i comes, a
/// clock edge changes no state: a simulator may leave the edge out. While only `busy_o` is 0, an edge does no more than
/// take valid_o and credit_o back; while `empty_o`, credits may come late, together with the next message.
`include "weft_check.svh"

module router
  import weft_pkg::*;
#(
  parameter int unsigned Colors = isa_pkg::Colors,
  parameter int unsigned Depth  = isa_pkg::Depth
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  /// The tile has no neighbour to its east. Constant.
  input  logic                          last_col_i,
  // links in, by port
  input  logic [Ports-1:0]              valid_i,
  input  msg_t                          msg_i [Ports],
  output logic [Ports-1:0][Colors-1:0]  credit_o,
  // links out, by port
  output logic [Ports-1:0]              valid_o,
  output msg_t                          msg_o [Ports],
  input  logic [Ports-1:0][Colors-1:0]  credit_i,
  // configuration: one route per cycle, in force two cycles later
  input  logic                          route_we_i,
  input  color_t                        route_color_i,
  input  logic [2:0]                    route_port_i,
  input  logic [Ports-1:0]              route_outputs_i,
  output logic                          awake_o,
  output logic                          busy_o,
  output logic                          empty_o,
  // sticky flags
  output logic                          no_route_o,
  output logic                          bad_color_o
);

  logic [Ports-1:0][Ports-1:0]  request, grant;  // [input][output]
  logic [Ports-1:0][Colors-1:0] avail, take;     // [output][color]
  logic [Ports-1:0][Colors-1:0] nonempty, pop;   // [input][color]
  logic [Ports-1:0][Colors-1:0] pick;            // by input: the color presented, one-hot
  msg_t                         front [Ports];   // by input
  msg_t                         msg_q [Ports];   // by output
  msg_t                         msg_d [Ports];
  logic [Ports-1:0]             sent, valid_q, awake, no_route;

  link_buffers #(.Links(Ports), .Colors(Colors), .Depth(Depth)) i_buffers (
    .clk_i, .rst_i, .valid_i, .msg_i, .credit_o,
    .nonempty_o(nonempty), .select_i(pick), .front_o(front), .pop_i(pop), .bad_color_o
  );

  for (genvar i = 0; i < int'(Ports); i++) begin : gen_input
    logic [Ports-1:0]  reset_route;
    logic [Colors-1:0] route_set;

    if (i == int'(isa_pkg::PORT_W)) begin : gen_default_route
      assign reset_route = {1'b1, 2'b00, !last_col_i, 1'b0};
    end else begin : gen_no_route
      assign reset_route = '0;
    end
    always_comb begin
      route_set = '0;
      if (route_we_i && route_port_i == 3'(i)) route_set = Colors'(1) << route_color_i;
    end

    router_input #(.Colors(Colors)) i_input (
      .clk_i, .rst_i, .reset_route_i(reset_route), .route_set_i(route_set), .route_outputs_i,
      .nonempty_i(nonempty[i]), .pick_o(pick[i]), .pop_o(pop[i]),
      .avail_i(avail), .request_o(request[i]), .grant_i(grant[i]),
      .awake_o(awake[i]), .no_route_o(no_route[i])
    );
  end

  router_arbiter i_arbiter (.clk_i, .rst_i, .request_i(request), .grant_o(grant), .sent_o(sent));

  link_credits #(.Pairs(Ports * Colors), .Depth(Depth)) i_credits (
    .clk_i, .rst_i, .credit_i, .take_i(take), .avail_o(avail)
  );

  always_comb begin
    take = '0;
    for (int unsigned o = 0; o < Ports; o++) begin
      msg_d[o] = '0;
      `WEFT_IF_ANY(sent[o]) begin
        for (int unsigned i = 0; i < Ports; i++) msg_d[o] = msg_d[o] | (front[i] & {MsgBits{grant[i][o]}});
        take[o] = Colors'(sent[o]) << msg_d[o].color;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned o = 0; o < Ports; o++) begin
      if (sent[o]) msg_q[o] <= msg_d[o];
    end
  end
  assign msg_o = msg_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= '0;
    else valid_q <= sent;
  end

  assign valid_o     = valid_q;
  assign busy_o      = awake != '0;
  assign empty_o     = nonempty == '0;
  assign awake_o     = busy_o || valid_q != '0 || credit_o != '0;
  assign no_route_o  = |no_route;

endmodule
