/// router: a message that enters at an input leaves at every output of its route, in order, once; credits are conserved.
///
/// Any one color of input `In` is followed to all five outputs; the traffic of the other inputs is free and competes for the
/// same outputs. Several inputs may send a color to one output; the proof distinguishes the messages from `In`. The followed
/// route is written only while no message of it is inside; all others may be written at any time.
`include "proof.svh"
`include "router_state.svh"

module router_proof
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  /// The followed input.
  parameter int unsigned In     = 3,
  /// Build only the turns that the kernels need.
  parameter bit          Kernel = 1'b0,
  /// Prove the sleep contract, not the order (asleep.v).
  parameter bit          Sleep  = 1'b0
) (
  input logic                         clk_i,
  input logic                         rst_i,
  input logic [2:0]                   edge_i,
  input logic [Ports-1:0]             want_i,
  input msg_t                         msg_i [Ports],
  input logic [Ports-1:0][Colors-1:0] give_i,
  input logic                         route_we_i,
  input route_t                       route_i,
  // the followed color, sampled in a reset, and the followed message
  input color_t                       color_i,
  input logic                         mark_i
);

  localparam int unsigned PtrBits   = $clog2(Depth);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned ColorIdx  = $clog2(Colors);
  localparam logic [Colors-1:0][Ports-1:0][Ports-1:0] Turns = Kernel ? (Colors*Ports*Ports)'(weft_isa_pkg::KernelTurns) : '1;

  function automatic bit leads_to(input int unsigned o);  // some color does, from In
    leads_to = 1'b0;
    for (int unsigned c = 0; c < Colors; c++) leads_to = leads_to | Turns[c][In][o];
  endfunction

  `PROOF

  logic [Ports-1:0]             valid, out_valid;
  msg_t                         out_msg [Ports];
  logic [Ports-1:0][Colors-1:0] credit, out_credit;
  logic                         awake, busy, empty, no_route, bad_color, bad_route, dut_clk;

  assign dut_clk = Sleep ? rst_i || awake || valid != '0 || out_credit != '0 || route_we_i : clk_i;

  weft_router #(.Colors(Colors), .Depth(Depth), .Turns(Turns)) i_dut (
    .clk_i(dut_clk), .rst_i, .edge_i, .valid_i(valid), .msg_i, .credit_o(credit),
    .valid_o(out_valid), .msg_o(out_msg), .credit_i(out_credit),
    .route_we_i, .route_i,
    .awake_o(awake), .busy_o(busy), .empty_o(empty), .no_route_o(no_route), .bad_color_o(bad_color),
    .bad_route_o(bad_route)
  );

  // -------------------------------------------------------------------------------------------------- ends of the links
  logic [Ports-1:0][Colors-1:0][CountBits-1:0] stored, credits;
  `ROUTER_STATE(i_state, i_dut, stored, credits)

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    logic [Colors-1:0][CountBits-1:0] owed, kept;
    upstream #(.Colors(Colors), .Depth(Depth), .Wild(1'b1)) i_sender (
      .clk_i, .rst_i, .want_i(want_i[p]), .msg_i(msg_i[p]), .valid_o(valid[p]), .credit_i(credit[p]), .owed_o(owed)
    );
    downstream #(.Colors(Colors), .Depth(Depth)) i_receiver (
      .clk_i, .rst_i, .valid_i(out_valid[p]), .color_i(out_msg[p].color), .give_i(give_i[p]),
      .credit_o(out_credit[p]), .kept_o(kept)
    );
    for (genvar c = 0; c < int'(Colors); c++) begin : gen_color
      `PROVE(CreditsInAreConserved, 32'(owed[c]) == 32'(stored[p][c]) + 32'(credit[p][c]))
      `PROVE(CreditsOutAreConserved,
             32'(credits[p][c]) + 32'(out_valid[p] && out_msg[p].color == color_t'(c)) + 32'(kept[c]) == Depth)
    end
    `PROVE(ColorOutIsBuilt, !out_valid[p] || 32'(out_msg[p].color) < Colors)
  end

  // ------------------------------------------------------------------------------------------------- the followed color
  color_t              color_q;
  logic [ColorIdx-1:0] c;
  logic                set, set_q, push, good;
  logic [2:0]          edge_q;
  logic [Ports-1:0]    route_q, from_in_q;  // outputs whose message came from In
  assign c    = color_q[ColorIdx-1:0];
  assign push = valid[In] && msg_i[In].color == color_q;
  // docs/reference/message.md, Commands: the valid routes
  assign good = route_i.zero == '0 && (route_i.outputs & ({2'b00, edge_q} | ~Turns[c][In])) == '0;
  assign set  = route_we_i && route_i.port == 3'(In) && route_i.color == color_q && good;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      edge_q  <= edge_i;
      color_q <= color_i;
      route_q <= (In == 3 && color_i == '0) ? {1'b1, 2'b00, !edge_i[1], 1'b0} & Turns[0][In] : '0;
      set_q   <= 1'b1;
    end else begin
      if (set) route_q <= route_i.outputs;
      set_q <= set;
    end
    from_in_q <= rst_i ? '0 : i_dut.grant[In];
  end
  `GIVEN(ColorIsBuilt, 32'(color_i) < Colors)
  `PROVE(ColorStaysBuilt, 32'(color_q) < Colors)
  `GIVEN(ConfiguredBeforeSending, rst_i || !set || !(push || stored[In][c] != '0))
  `PROVE(EdgesAreThoseOfTheReset, i_dut.i_route_check.edge_q == edge_q)
  `PROVE(NothingIsHereWhileTheRouteIsNew, !set_q || stored[In][c] == '0)
  `PROVE(RouteIsNew, i_dut.gen_input[In].i_input.fresh_q[c] == set_q)

  logic [PtrBits-1:0] rptr;
  always_comb begin
    for (int unsigned b = 0; b < PtrBits; b++) rptr[b] = i_dut.i_buffers.rptr_q[b][In*Colors+32'(c)];
  end

  for (genvar o = 0; o < int'(Ports); o++) begin : gen_output
    logic                       here, gone;  // the output register holds a message; the front has already gone to this
                                             // output
    logic [$clog2(Depth+2)-1:0] ahead, inside_now;
    msg_t                       at;

    always_comb begin : places
      logic [PtrBits-1:0] slot;
      here       = from_in_q[o] && out_valid[o] && out_msg[o].color == color_q;
      gone       = stored[In][c] != '0 && !i_dut.gen_input[In].i_input.pending_q[o][c];
      inside_now = $bits(ahead)'(here);
      if (route_q[o]) inside_now = $bits(ahead)'(here) + $bits(ahead)'(stored[In][c]) - $bits(ahead)'(gone);
      slot = rptr + PtrBits'(ahead) - PtrBits'(here) + PtrBits'(gone);
      at   = {i_dut.i_buffers.gen_link[In].ram_q[{c, slot}][32], color_q,
              i_dut.i_buffers.gen_link[In].ram_q[{c, slot}][31:0]};
      if (here && ahead == '0) at = out_msg[o];
    end

    if (!Sleep) begin : gen_order
      in_order #(.Most(Depth + 1), .Covers(leads_to(o))) i_order (
        .clk_i, .rst_i, .push_i(push && route_q[o]), .push_msg_i(msg_i[In]), .pop_i(here), .pop_msg_i(out_msg[o]), .mark_i,
        .ahead_o(ahead), .inside_i(inside_now), .at_i(at)
      );
    end else begin : gen_no_order
      assign ahead = '0;
    end
    `PROVE(RouteIsTheLastWritten, i_dut.gen_input[In].i_input.route_q[o][c] == route_q[o])
    `PROVE(OnlyBranchesOfTheRoute, set_q || !i_dut.gen_input[In].i_input.pending_q[o][c] || route_q[o])
    `PROVE(WholeRouteWaitsForTheNext,
           set_q || stored[In][c] != '0 || i_dut.gen_input[In].i_input.pending_q[o][c] == route_q[o])
  end

  // ------------------------------------------------------------------------------------------------------ bounded waits
  logic [7:0] turn_wait;
  logic       holds;
  color_wait #(.Colors(Colors)) i_turn (
    .clk_i, .rst_i, .of_i(c), .able_i(i_dut.gen_input[In].i_input.eligible[c]), .picked_i(i_dut.pick[In][c]),
    .from_i(i_dut.gen_input[In].i_input.i_arbiter.from_q), .held_i(i_dut.gen_input[In].i_input.i_arbiter.locked_q),
    .left_i(i_dut.gen_input[In].i_input.left_q), .wait_o(turn_wait), .holds_o(holds)
  );

  for (genvar o = 0; o < int'(Ports); o++) begin : gen_wait
    logic [Ports-1:0] wanted, given, above;
    logic [2:0]       distance;
    always_comb begin
      for (int unsigned i = 0; i < Ports; i++) begin
        wanted[i] = i_dut.request[i][o];
        given[i]  = i_dut.grant[i][o];
        above[i]  = i_dut.i_arbiter.above_q[i][o];
      end
    end
    bounded_wait #(.Requests(Ports), .Covers(!Kernel)) i_bounded_wait (
      .clk_i, .rst_i, .of_i(3'(In)), .request_i(wanted[In]), .chosen_i(given != '0), .mine_i(given[In]), .above_i(above),
      .distance_o(distance)
    );
    grant_wait #(.Colors(Colors), .Covers(!Kernel)) i_wait (
      .clk_i, .rst_i,
      .able_i(stored[In][c] != '0 && i_dut.gen_input[In].i_input.pending_q[o][c] && i_dut.avail[o][c]),
      .granted_i(i_dut.pick[In][c] && given[In]), .holds_i(holds), .left_i(i_dut.gen_input[In].i_input.left_q),
      .wait_i(turn_wait), .distance_i(distance)
    );
  end

  `PROVE(EmptyIsEmpty, empty == (stored == '0))
  `PROVE(BusyIsAwake, !busy || awake)
  if (Kernel) begin : gen_left_out
    logic [Ports-1:0][Ports-1:0][Colors-1:0] routes, pendings;  // [input][output]
    logic [Ports-1:0][Colors-1:0]            fresh;             // pending does not reflect the route yet
    assign routes   = {`EACH_INPUT(i_dut, route_q)};
    assign pendings = {`EACH_INPUT(i_dut, pending_q)};
    assign fresh    = {`EACH_INPUT(i_dut, fresh_q)};
    for (genvar i = 0; i < int'(Ports); i++) begin : gen_in
      for (genvar k = 0; k < int'(Colors); k++) begin : gen_of
        `PROVE(NothingIsStoredWhereNoQueueIs, Turns[k][i] != '0 || stored[i][k] == '0)
        for (genvar o = 0; o < int'(Ports); o++) begin : gen_out
          `PROVE(OnlyTurnsThatAreBuilt, Turns[k][i][o] || !(routes[i][o][k] || (pendings[i][o][k] && !fresh[i][k])))
        end
      end
    end
    `COVER(ARouteAsksForATurnThatIsLeftOut, bad_route && edge_q == '0)
  end else begin : gen_all_turns
    `COVER(ForksToAll, route_q == '1 && from_in_q == '1 && out_valid == '1 && out_msg[0].color == color_q)
    `COVER(SleepsBehindOneBranch, route_q == '1 && stored[In][c] != '0 && !awake && gen_output[0].gone)
  end

  logic unused;
  assign unused = no_route ^ bad_color ^ bad_route;

endmodule
