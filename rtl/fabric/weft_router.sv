// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A tile's router: five ports (N, E, S, W, RAMP), each a link in and a link out, with `Colors` virtual channels.
///
/// ```
///  link in ─► link_buffers ─► router_input ─request─► router_arbiter ─grant─► output register ─► link out
///                               (routes)      ▲                                (one per port)
///                                        link_credits ◄─────────────────────── credit in
/// ```
///
/// Every (input port, color) has a route, a set of outputs: its front message is sent to each of them as soon as that
/// output is free and has a credit. Per color and path, messages stay in order; none is lost or duplicated. After reset
/// every route is empty but one: color W from port W goes to {E, RAMP}, in the last column to {RAMP}. Routes are
/// checked before they take effect (route_check).
///
/// Fairness: a front message of an (input, color) that holds a credit for an output of its route, and keeps it, is sent
/// there within (Colors + 1) * Ports cycles, whatever the other inputs and colors do; fewer than that many grants of
/// the output go to others meanwhile. Proof sketch: with the credit its color can make progress. The color's current
/// turn, if it does not include this output, ends within Ports - 1 cycles; its next turn begins within (Colors - 1) *
/// Ports (router_input); in each cycle of that turn the output is requested, and within Ports of them round-robin
/// arbitration serves every input (router_arbiter). A color normally loses a credit only to its own messages, since a
/// stream has one writer.
///
/// Turns that no program needs can be left out, and with them queues: a message for a queue that is not built has no
/// route.
///
/// Latency: 2 cycles from a link in to a link out. One color alone sustains one message per cycle. All links' outputs
/// come from registers. While `awake_o` is 0 and no valid_i, credit_i, route_we_i or rst_i comes, a clock edge changes
/// no state: a simulator may leave the edge out. While only `busy_o` is 0, an edge does no more than clear valid_o and
/// credit_o; while `empty_o` is 1, credits may arrive late, together with the next message.
`include "weft_check.svh"

module weft_router
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  /// The outputs that an input can be routed to, [color][input]; none: the input has no queue for the color.
  parameter logic [Colors-1:0][Ports-1:0][Ports-1:0] Turns = '1,
  /// 1: builds the queues' status for the debug chain.
  parameter int unsigned Debug = 0,
  localparam int unsigned DebugBits = weft_debug_pkg::router_bits(weft_debug_pkg::turns_t'(Turns), Colors, Depth)
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  /// The tile has no neighbour to the north, east, south (bit p: port p). Sampled during reset.
  input  logic [2:0]                    edge_i,
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
  input  route_t                        route_i,
  output logic                          awake_o,
  output logic                          busy_o,
  output logic                          empty_o,
  // sticky flags
  output logic                          no_route_o,
  output logic                          bad_color_o,
  output logic                          bad_route_o,
  output logic [DebugBits-1:0]          debug_o   // router_status
);

  function automatic logic [Ports-1:0][Colors-1:0] queues();
    for (int unsigned i = 0; i < Ports; i++) begin
      for (int unsigned c = 0; c < Colors; c++) queues[i][c] = Turns[c][i] != '0;
    end
  endfunction
  function automatic logic [Colors-1:0][Ports-1:0] turns_of(input int unsigned i);
    for (int unsigned c = 0; c < Colors; c++) turns_of[c] = Turns[c][i];
  endfunction


  logic [Ports-1:0][Ports-1:0]  request, grant;  // [input][output]
  logic [Ports-1:0][Colors-1:0] avail, take;     // [output][color]
  logic [Ports-1:0][Colors-1:0] nonempty, pop;   // [input][color]
  logic [Ports-1:0][Colors-1:0] pick;            // by input: the color presented, one-hot
  msg_t                         front [Ports];   // by input
  msg_t                         msg_q [Ports];   // by output
  msg_t                         msg_d [Ports];
  logic [Ports-1:0]             sent, valid_q, awake, no_route;
  logic                         route_we, msg_bad_color, route_bad_color, unbuilt;

  logic [1:0][$clog2(Depth)-1:0][Ports*Colors-1:0]  pointers;
  /* verilator lint_off UNUSEDSIGNAL */  // W comes from the west
  logic [Ports-1:0][Ports-1:0]                      w_left;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [$clog2(Depth+1)-1:0][Ports*Colors-1:0]     credits;

  weft_link_buffers #(.Links(Ports), .Colors(Colors), .Depth(Depth), .Built(queues())) i_buffers (
    .clk_i, .rst_i, .valid_i, .msg_i, .credit_o,
    .nonempty_o(nonempty), .select_i(pick), .front_o(front), .pop_i(pop),
    .bad_color_o(msg_bad_color), .unbuilt_o(unbuilt), .pointers_o(pointers)
  );

  weft_route_check #(.Colors(Colors), .Turns(Turns)) i_route_check (
    .clk_i, .rst_i, .edge_i, .route_we_i, .route_i,
    .route_we_o(route_we), .bad_color_o(route_bad_color), .bad_route_o
  );

  for (genvar i = 0; i < int'(Ports); i++) begin : gen_input
    logic [Ports-1:0]  reset_route;
    logic [Colors-1:0] route_set;

    if (i == int'(weft_isa_pkg::PORT_W)) begin : gen_default_route
      assign reset_route = {1'b1, 2'b00, !edge_i[1], 1'b0} & Turns[0][i];
    end else begin : gen_no_route
      assign reset_route = '0;
    end
    always_comb begin
      route_set = '0;
      if (route_we && route_i.port == 3'(i)) route_set = Colors'(1) << route_i.color;
    end

    weft_router_input #(.Colors(Colors), .Turns(turns_of(i))) i_input (
      .clk_i, .rst_i, .reset_route_i(reset_route), .route_set_i(route_set), .route_outputs_i(route_i.outputs),
      .nonempty_i(nonempty[i]), .pick_o(pick[i]), .pop_o(pop[i]),
      .avail_i(avail), .request_o(request[i]), .grant_i(grant[i]),
      .awake_o(awake[i]), .no_route_o(no_route[i]),
      .w_left_o(w_left[i])
    );
  end

  weft_router_arbiter i_arbiter (.clk_i, .rst_i, .request_i(request), .grant_o(grant), .sent_o(sent));

  weft_link_credits #(.Pairs(Ports * Colors), .Depth(Depth)) i_credits (
    .clk_i, .rst_i, .credit_i, .take_i(take), .avail_o(avail), .count_o(credits)
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

  if (Debug != 0) begin : gen_debug
    weft_router_status #(.Colors(Colors), .Depth(Depth), .Turns(Turns)) i_status (
      .nonempty_i(nonempty), .pointers_i(pointers), .credits_i(credits),
      .w_left_i({w_left[weft_isa_pkg::PORT_W][weft_isa_pkg::PORT_RAMP], w_left[weft_isa_pkg::PORT_W][weft_isa_pkg::PORT_E]}), .status_o(debug_o)
    );
  end else begin : gen_no_debug
    logic unused;
    assign unused  = ^{pointers, credits, w_left};
    assign debug_o = '0;
  end

  assign valid_o     = valid_q;
  assign busy_o      = awake != '0;
  assign empty_o     = nonempty == '0;
  assign awake_o     = busy_o || valid_q != '0 || credit_o != '0;
  assign no_route_o  = (|no_route) || unbuilt;
  assign bad_color_o = msg_bad_color || route_bad_color;

endmodule
