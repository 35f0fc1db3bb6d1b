/// router_input alone: the front message of a color goes to every output of its route once, and is popped with the last.
///
/// Any one color is followed; its route is written only while no message of the color is buffered
/// (docs/reference/message.md: configure before sending). The routes of the other colors may be written at any time,
/// credits are free, and grants are any of those requested (GrantOnlyWhatIsRequested).
`include "proof.svh"

module input_proof
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  /// Prove the sleep contract, too (asleep.v).
  parameter bit          Sleep  = 1'b0
) (
  input logic                         clk_i,
  input logic                         rst_i,
  input logic [Ports-1:0]             reset_route_i,
  input logic [Colors-1:0]            route_set_i,
  input logic [Ports-1:0]             route_outputs_i,
  input logic [Colors-1:0]            nonempty_i,
  input logic [Ports-1:0][Colors-1:0] avail_i,
  input logic [Ports-1:0]             grant_i,
  // the followed color, sampled in a reset
  input logic [$clog2(Colors)-1:0]    color_i
);

  `PROOF

  logic [Colors-1:0] pick, pop;
  logic [Ports-1:0]  request;
  logic              awake, no_route, dut_clk;

  assign dut_clk = Sleep ? rst_i || awake || route_set_i != '0 : clk_i;

  weft_router_input #(.Colors(Colors)) i_dut (
    .clk_i(dut_clk), .rst_i, .reset_route_i, .route_set_i, .route_outputs_i, .nonempty_i, .pick_o(pick), .pop_o(pop),
    .avail_i, .request_o(request), .grant_i, .awake_o(awake), .no_route_o(no_route)
  );

  logic [$clog2(Colors)-1:0] c;
  always_ff @(posedge clk_i) if (rst_i) c <= color_i;
  `GIVEN(ColorIsBuilt, 32'(color_i) < Colors)
  `PROVE(ColorStaysBuilt, 32'(c) < Colors)

  // ----------------------------------------------------------------------------------- environment, and its constraints
  logic [Colors-1:0] waiting_q, set_q;
  logic [Ports-1:0]  route_q;
  always_ff @(posedge clk_i) begin
    waiting_q <= rst_i ? '0 : nonempty_i & ~pop;
    set_q     <= rst_i ? '1 : route_set_i;
    if (rst_i) route_q <= (color_i == '0) ? reset_route_i : '0;
    else if (route_set_i[c]) route_q <= route_outputs_i;
  end
  `GIVEN(MessagesStayUntilTheyArePopped, (waiting_q & ~nonempty_i) == '0)
  `GIVEN(ConfiguredBeforeSending, rst_i || !nonempty_i[c] || !(route_set_i[c] || set_q[c]))

  // ------------------------------------------------------------------------------------------------- the followed color
  logic [Ports-1:0] went_q, pending, routed, avail;  // outputs to which the color's front message has gone
  always_ff @(posedge clk_i) begin
    if (rst_i || pop[c]) went_q <= '0;
    else if (pick[c]) went_q <= went_q | grant_i;
  end
  always_comb begin
    for (int unsigned o = 0; o < Ports; o++) begin
      pending[o] = i_dut.pending_q[o][c];
      routed[o]  = i_dut.route_q[o][c];
      avail[o]   = avail_i[o][c];
    end
  end
  `PROVE(RouteIsTheLastWritten, routed == route_q && i_dut.fresh_q[c] == set_q[c])
  `PROVE(PendingIsWhereItHasNotBeen, i_dut.fresh_q[c] || pending == (route_q & ~went_q))
  `PROVE(BeenOnlyWhereTheRouteLeads, (went_q & ~route_q) == '0 && (nonempty_i[c] || went_q == '0))
  for (genvar k = 0; k < int'(Colors); k++) begin : gen_color
    logic any_routed, any_pending;
    always_comb begin
      {any_routed, any_pending} = '0;
      for (int unsigned o = 0; o < Ports; o++) begin
        any_routed  = any_routed | i_dut.route_q[o][k];
        any_pending = any_pending | i_dut.pending_q[o][k];
      end
    end
    `PROVE(EmptyIsARouteToNowhere, i_dut.empty_q[k] == !any_routed)
    `PROVE(SomewhereIsLeftToGo, i_dut.fresh_q[k] || i_dut.empty_q[k] || any_pending)
  end

  // --------------------------------------------------------------------------------------------------------- properties
  `PROVE(AsksForWhatIsLeftAndHasACredit, !pick[c] || request == (route_q & ~went_q & avail))
  `PROVE(GoesToEachBranchOnce, !pick[c] || (grant_i & (went_q | ~route_q)) == '0)
  `PROVE(PoppedWithItsLastBranch, pop[c] == (pick[c] && (went_q | grant_i) == route_q))
  `PROVE(OneColorThatIsThere, $onehot0(pick) && (pick & ~nonempty_i) == '0 && (pop & ~pick) == '0)
  `PROVE(PicksSomebodyWhoCanGo, !(nonempty_i[c] && (route_q == '0 || (route_q & ~went_q & avail) != '0)) || pick != '0)

  logic lost_q, lost_all_q;  // a message met an empty route: of the color, of any color
  always_ff @(posedge clk_i) begin
    lost_q     <= !rst_i && (lost_q || (pop[c] && route_q == '0));
    lost_all_q <= !rst_i && (lost_all_q || (pop & i_dut.empty_q) != '0);
  end
  `PROVE(NoRouteIsRemembered, no_route == lost_all_q && (no_route || !lost_q))

  // ------------------------------------------------------------------------------------------------------- bounded wait
  logic [7:0] bound;
  logic       holds;
  color_wait #(.Colors(Colors)) i_wait (
    .clk_i, .rst_i, .of_i(c), .able_i(i_dut.eligible[c]), .picked_i(pick[c]),
    .from_i(i_dut.i_arbiter.from_q), .held_i(i_dut.i_arbiter.locked_q), .left_i(i_dut.left_q), .wait_o(bound), .holds_o(holds)
  );
  `PROVE(HeldIsPresented, !(holds && i_dut.eligible[c]) || pick[c])
  `PROVE(HeldWhileItLacksAGrant, !(pick[c] && (request & ~grant_i) != '0) || i_dut.lock || (holds && i_dut.left_q == '0))
  `COVER(WaitsForAllOthers, 32'(i_wait.waited_q) == (Colors - 1) * Ports && pick[c])
  `COVER(FiveBranchesOneByOne, pop[c] && route_q == '1 && $onehot(grant_i) && $countones(went_q) == 4)
  `COVER(SleepsWithoutACredit, !awake && nonempty_i[c] && route_q != '0)

endmodule
