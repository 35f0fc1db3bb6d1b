// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// One input port of the router: its routes, and the branches that its front messages must still serve.
///
/// Each cycle it presents one color that can make progress: `request_o` names the outputs that the color's front
/// message must still be sent to and that have a credit, `grant_i` those of them that take the message now. The message
/// is popped with its last branch. A message with an empty route is popped at once and remembered in `no_route_o`. The
/// messages themselves are in link_buffers.
///
/// Colors take turns, round robin. A color that was presented and was not granted all its requests is held: it is
/// presented again, unless no output that its message must still be sent to has a credit left, and for Ports cycles at
/// most, so that it cannot block the others. Ports cycles suffice: an output that is requested in every cycle serves
/// every requesting input within Ports grants (router_arbiter).
///
/// A color c that can make progress is presented within (Colors - 1) * Ports cycles from the end of its last turn.
/// Proof: let d be the number of turns before c's next one, and `left` the number of cycles that the current turn may
/// still last. d * Ports + left decreases in every cycle, because after a turn's end the next turn begins with at most
/// Ports - 1 cycles left.
///
/// A route written while a message of its color waits here starts that message over: outputs that already received it
/// and that are in the new route receive it again. Configure before sending.
///
/// Latency: none from nonempty_i to request_o and from grant_i to pop_o. A route is in force two cycles later.
/// Without awake_o and route_set_i a clock edge changes nothing.
`include "weft_check.svh"

module weft_router_input
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  /// The outputs that a color can be routed to from here; none: the color has no queue here.
  parameter logic [Colors-1:0][Ports-1:0] Turns = '1
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  /// The outputs of color W after reset, within Turns; all other routes start empty.
  input  logic [Ports-1:0]              reset_route_i,
  // configuration: the colors in route_set_i get the outputs
  input  logic [Colors-1:0]             route_set_i,
  input  logic [Ports-1:0]              route_outputs_i,
  // the buffers
  input  logic [Colors-1:0]             nonempty_i,
  output logic [Colors-1:0]             pick_o,     // the color presented, one-hot
  output logic [Colors-1:0]             pop_o,
  // the crossbar
  input  logic [Ports-1:0][Colors-1:0]  avail_i,    // [output][color] has a credit
  output logic [Ports-1:0]              request_o,
  input  logic [Ports-1:0]              grant_i,
  /// A clock edge changes something here even if nothing arrives.
  output logic                          awake_o,
  output logic                          no_route_o, // sticky
  /// Outputs that the front message of color W must still be sent to, or, without a message, those of the next: for the
  /// debug chain.
  output logic [Ports-1:0]              w_left_o
);

  typedef logic [Colors-1:0] set_t;              // set of colors
  typedef logic [Ports-1:0][Colors-1:0] grid_t;  // [output][color]

  grid_t route_q, pending_q, possible;
  set_t  empty_q;   // colors with an empty route
  set_t  fresh_q;   // colors whose route was just written: pending_q must follow
  set_t  eligible, pick;
  logic  no_route_q, done;
  logic  again, last, lock;                      // the pick was locked; may not be locked any longer; is locked now
  logic [$clog2(Ports)-1:0] left_q;              // cycles a pick may still be locked, if it is
  logic [Ports-1:0] left;  // branches of the presented message, with or without a credit

  weft_rr_arbiter #(.Colors(Colors)) i_arbiter (
    .clk_i, .rst_i, .request_i(eligible), .pick_o(pick), .again_o(again), .lock_i(lock)
  );

  // A pick is presented once, then locked for Ports - 1 cycles.
  always_comb begin
    last = 1'b0;
    lock = 1'b0;
    `WEFT_IF_ANY(pick) begin
      last = again && left_q == '0;
      lock = (request_o & ~grant_i) != '0 && !last;
    end
  end

  always_ff @(posedge clk_i) begin
    `WEFT_IF_ANY(pick) begin
      if (lock) left_q <= again ? left_q - 3'd1 : 3'(Ports - 2);
    end
    if (rst_i) left_q <= '0;
  end

  assign possible = pending_q & avail_i;

  always_comb begin
    eligible = '0;
    `WEFT_IF_ANY(nonempty_i) begin
      eligible = empty_q;
      for (int unsigned o = 0; o < Ports; o++) eligible = eligible | possible[o];
      eligible = eligible & nonempty_i;
    end
  end

  always_comb begin
    left      = '0;
    request_o = '0;
    `WEFT_IF_ANY(pick) begin
      for (int unsigned o = 0; o < Ports; o++) begin
        left      = left | (Ports'(|(pending_q[o] & pick)) << o);
        request_o = request_o | (Ports'(|(possible[o] & pick)) << o);
      end
    end
  end

  assign done = (left & ~grant_i) == '0;

  always_comb begin
    pop_o = '0;
    `WEFT_IF_ANY(pick) pop_o = done ? pick : '0;
  end

  // Loops over colors with one enable each: an FPGA's clock enables do the work, and a simulator runs one of the four.
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned o = 0; o < Ports; o++) route_q[o] <= set_t'(reset_route_i[o]);
      empty_q    <= ~set_t'(|reset_route_i);
      fresh_q    <= '1;
      no_route_q <= 1'b0;
    end else begin
      fresh_q <= route_set_i;
      if ((pop_o & empty_q) != '0) no_route_q <= 1'b1;
      `WEFT_IF_ANY(route_set_i) begin
        for (int unsigned c = 0; c < Colors; c++) begin
          if (route_set_i[c]) begin
            for (int unsigned o = 0; o < Ports; o++) route_q[o][c] <= route_outputs_i[o] & Turns[c][o];
            empty_q[c] <= (route_outputs_i & Turns[c]) == '0;
          end
        end
      end
    end
  end

  // Computed in a copy that is written back as a whole: a simulator then keeps no second copy of pending_q.
  always_ff @(posedge clk_i) begin : go_on
    grid_t pending;
    pending = '0;
    `WEFT_IF_ANY(pick | fresh_q) begin
      pending = pending_q;
      for (int unsigned c = 0; c < Colors; c++) begin
        if (pick[c] || fresh_q[c]) begin
          for (int unsigned o = 0; o < Ports; o++) begin
            pending[o][c] = Turns[c][o] & ((done || fresh_q[c]) ? route_q[o][c] : pending_q[o][c] & ~grant_i[o]);
          end
        end
      end
      pending_q <= pending;
    end
  end

  for (genvar o = 0; o < int'(Ports); o++) begin : gen_left
    assign w_left_o[o] = pending_q[o][0];
  end
  assign pick_o     = pick;
  assign awake_o    = (eligible | fresh_q) != '0;
  assign no_route_o = no_route_q;

`ifdef WEFT_CHECKED
  set_t left_any;
  always_comb begin
    left_any = '0;
    for (int unsigned o = 0; o < Ports; o++) left_any = left_any | pending_q[o];
  end
`endif
  `WEFT_ASSERT(NobodyHoldsForLongerThanItsTurn, 32'(left_q) <= Ports - 2)
  `WEFT_ASSUME(GrantOnlyWhatIsRequested, (grant_i & ~request_o) == '0)
  // In the cycle in between, a message may still take the old route.
  `WEFT_ASSERT(FrontHasABranchLeft, (nonempty_i & ~fresh_q & ~empty_q & ~left_any) == '0)

endmodule
