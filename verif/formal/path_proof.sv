/// The whole path from the host to the host: valve, intake, a tile's router, its neighbour's, and back west to the
/// outlet.
///
/// ```
///   host ─► valve ─► intake ─► router A ──E──► router B
///   host ◄─────────── outlet ◄──W── A ◄──W──────┘ (turns round)
/// ```
///
/// Color W passes three queues of routers, one of the intake, and one of the outlet. All links not on the path carry free
/// traffic of all colors, which competes with it for every output; A's input also forks to the RAMP, and the intake to the
/// next cell. A stream has one writer: no other input's route for color W leads into the path. Nothing is assumed about the
/// modules.
`include "proof.svh"
`include "router_state.svh"

module path_proof
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth
) (
  input logic                                clk_i,
  input logic                                rst_i,
  // host
  input logic                                valid_i,
  input logic                                ctrl_i,
  input logic [31:0]                         data_i,
  input logic                                host_ready_i,
  // free ends, [router]
  input logic [1:0][Ports-1:0]               want_i,
  input msg_t                                msg_a_i [Ports],
  input msg_t                                msg_b_i [Ports],
  input logic [1:0][Ports-1:0][Colors-1:0]   give_i,
  input logic                                give_next_i,
  input logic                                last_i,
  // routes, [router]
  input logic [1:0]                          route_we_i,
  input route_t [1:0]                        route_i,
  input logic                                mark_i
);

  localparam int unsigned PtrBits   = $clog2(Depth);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned East      = int'(weft_isa_pkg::PORT_E);
  localparam int unsigned West      = int'(weft_isa_pkg::PORT_W);
  localparam int unsigned Most      = 5 * Depth + 6;
  typedef logic [$clog2(Most+1)-1:0] place_t;
  typedef logic [CountBits-1:0]      count_t;

  `PROOF

  // ------------------------------------------------------------------------------------------------------------ modules
  logic  ready, valve_valid, chain_credit, tile_valid, next_valid, next_credit, host_valid;
  msg_t  valve_msg, tile_msg, next_msg, host_msg;
  logic  last_q;
  always_ff @(posedge clk_i) if (rst_i) last_q <= last_i;

  logic [Ports-1:0]             a_valid, a_out_valid, b_valid, b_out_valid;
  msg_t                         a_msg [Ports], a_out_msg [Ports], b_msg [Ports], b_out_msg [Ports];
  logic [Ports-1:0][Colors-1:0] a_credit, a_out_credit, b_credit, b_out_credit;
  logic [Colors-1:0]            outlet_credit;
  logic [4:0]                   awake;
  logic [1:0]                   busy, empty, no_route, bad_route;
  logic [3:0]                   bad_color;
  logic                         no_row, go;

  weft_valve #(.Depth(Depth)) i_valve (
    .clk_i, .rst_i, .valid_i(valid_i && go), .ctrl_i, .data_i, .ready_o(ready), .valid_o(valve_valid), .msg_o(valve_msg),
    .credit_i(chain_credit), .awake_o(awake[0])
  );
  weft_intake #(.Depth(Depth)) i_intake (
    .clk_i, .rst_i, .row_i(coordinate_t'(0)), .row_shift_i(5'd16), .last_i(last_q),
    .valid_i(valve_valid), .msg_i(valve_msg), .credit_o(chain_credit),
    .next_valid_o(next_valid), .next_msg_o(next_msg), .next_credit_i(next_credit),
    .tile_valid_o(tile_valid), .tile_msg_o(tile_msg), .tile_credit_i(a_credit[West][0]),
    .awake_o(awake[1]), .no_row_o(no_row), .bad_color_o(bad_color[0])
  );
  weft_router #(.Colors(Colors), .Depth(Depth)) i_a (
    .clk_i, .rst_i, .edge_i(3'b000), .valid_i(a_valid), .msg_i(a_msg), .credit_o(a_credit),
    .valid_o(a_out_valid), .msg_o(a_out_msg), .credit_i(a_out_credit),
    .route_we_i(route_we_i[0]), .route_i(route_i[0]),
    .awake_o(awake[2]), .busy_o(busy[0]), .empty_o(empty[0]), .no_route_o(no_route[0]), .bad_color_o(bad_color[1]),
    .bad_route_o(bad_route[0])
  );
  weft_router #(.Colors(Colors), .Depth(Depth)) i_b (
    .clk_i, .rst_i, .edge_i(3'b010), .valid_i(b_valid), .msg_i(b_msg), .credit_o(b_credit),
    .valid_o(b_out_valid), .msg_o(b_out_msg), .credit_i(b_out_credit),
    .route_we_i(route_we_i[1]), .route_i(route_i[1]),
    .awake_o(awake[3]), .busy_o(busy[1]), .empty_o(empty[1]), .no_route_o(no_route[1]), .bad_color_o(bad_color[2]),
    .bad_route_o(bad_route[1])
  );
  weft_outlet #(.Colors(Colors), .Depth(Depth)) i_outlet (
    .clk_i, .rst_i, .valid_i(a_out_valid[West]), .msg_i(a_out_msg[West]), .credit_o(outlet_credit),
    .host_valid_o(host_valid), .host_msg_o(host_msg), .host_ready_i, .awake_o(awake[4]), .bad_color_o(bad_color[3])
  );

  // ------------------------------------------------------------------------------------- module state, and the far ends
  logic [Ports-1:0][Colors-1:0][CountBits-1:0] a_stored, a_credits, b_stored, b_credits;
  `ROUTER_STATE(i_a_state, i_a, a_stored, a_credits)
  `ROUTER_STATE(i_b_state, i_b, b_stored, b_credits)

  count_t [Colors-1:0] outlet_stored;
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    logic [Colors-1:0][CountBits-1:0] a_owed, a_kept, b_owed, b_kept;
    if (p == int'(West)) begin : gen_a_in
      assign a_valid[p] = tile_valid;
      assign a_msg[p]   = tile_msg;
    end else if (p == int'(East)) begin : gen_a_in
      assign a_valid[p] = b_out_valid[West];
      assign a_msg[p]   = b_out_msg[West];
    end else begin : gen_a_in
      assign a_msg[p] = msg_a_i[p];
      upstream #(.Colors(Colors), .Depth(Depth)) i_end (
        .clk_i, .rst_i, .want_i(want_i[0][p]), .msg_i(msg_a_i[p]), .valid_o(a_valid[p]), .credit_i(a_credit[p]),
        .owed_o(a_owed)
      );
    end
    if (p == int'(West)) begin : gen_a_out
      assign a_out_credit[p] = outlet_credit;
    end else if (p == int'(East)) begin : gen_a_out
      assign a_out_credit[p] = b_credit[West];
    end else begin : gen_a_out
      downstream #(.Colors(Colors), .Depth(Depth)) i_end (
        .clk_i, .rst_i, .valid_i(a_out_valid[p]), .color_i(a_out_msg[p].color), .give_i(give_i[0][p]),
        .credit_o(a_out_credit[p]), .kept_o(a_kept)
      );
    end
    if (p == int'(West)) begin : gen_b
      assign b_valid[p]      = a_out_valid[East];
      assign b_msg[p]        = a_out_msg[East];
      assign b_out_credit[p] = a_credit[East];
    end else begin : gen_b
      assign b_msg[p] = msg_b_i[p];
      upstream #(.Colors(Colors), .Depth(Depth)) i_in (
        .clk_i, .rst_i, .want_i(want_i[1][p]), .msg_i(msg_b_i[p]), .valid_o(b_valid[p]), .credit_i(b_credit[p]),
        .owed_o(b_owed)
      );
      downstream #(.Colors(Colors), .Depth(Depth)) i_out (
        .clk_i, .rst_i, .valid_i(b_out_valid[p]), .color_i(b_out_msg[p].color), .give_i(give_i[1][p]),
        .credit_o(b_out_credit[p]), .kept_o(b_kept)
      );
    end

    for (genvar c = 0; c < int'(Colors); c++) begin : gen_color
      logic a_in_flight, b_in_flight;
      assign a_in_flight = a_out_valid[p] && a_out_msg[p].color == color_t'(c);
      assign b_in_flight = b_out_valid[p] && b_out_msg[p].color == color_t'(c);
      if (p != int'(West)) begin : gen_b_free
        `PROVE(CreditsOfB, 32'(b_credits[p][c]) + 32'(b_in_flight) + 32'(b_kept[c]) == Depth)
        `PROVE(CreditsToB, 32'(b_owed[c]) == 32'(b_stored[p][c]) + 32'(b_credit[p][c]))
        if (p != int'(East)) begin : gen_a_free
          `PROVE(CreditsOfA, 32'(a_credits[p][c]) + 32'(a_in_flight) + 32'(a_kept[c]) == Depth)
          `PROVE(CreditsToA, 32'(a_owed[c]) == 32'(a_stored[p][c]) + 32'(a_credit[p][c]))
        end else begin : gen_east
          `PROVE(CreditsAToB,
                 32'(a_credits[p][c]) + 32'(a_in_flight) + 32'(b_stored[West][c]) + 32'(b_credit[West][c]) == Depth)
        end
      end else begin : gen_west
        `PROVE(CreditsBToA,
               32'(b_credits[p][c]) + 32'(b_in_flight) + 32'(a_stored[East][c]) + 32'(a_credit[East][c]) == Depth)
        `PROVE(CreditsAToOutlet,
               32'(a_credits[p][c]) + 32'(a_in_flight) + 32'(outlet_stored[c]) + 32'(outlet_credit[c]) == Depth)
      end
    end
    `PROVE(ColorsAreBuilt, (!a_out_valid[p] || 32'(a_out_msg[p].color) < Colors)
                           && (!b_out_valid[p] || 32'(b_out_msg[p].color) < Colors))
  end

  count_t intake_stored, next_kept, valve_credits, tile_credits, next_credits;
  logic [PtrBits-1:0]             intake_wptr, intake_rptr;
  logic [Colors-1:0][PtrBits-1:0] outlet_wptr, outlet_rptr;
  always_comb begin
    for (int unsigned b = 0; b < PtrBits; b++) begin
      intake_wptr[b] = i_intake.i_buffer.i_buffers.wptr_q[b][0];
      intake_rptr[b] = i_intake.i_buffer.i_buffers.rptr_q[b][0];
      for (int unsigned c = 0; c < Colors; c++) begin
        outlet_wptr[c][b] = i_outlet.i_buffer.i_buffers.wptr_q[b][c];
        outlet_rptr[c][b] = i_outlet.i_buffer.i_buffers.rptr_q[b][c];
      end
    end
    for (int unsigned b = 0; b < CountBits; b++) begin
      valve_credits[b] = i_valve.i_credits.count_q[b][0];
      tile_credits[b]  = i_intake.i_credits.count_q[b][0];
      next_credits[b]  = i_intake.i_credits.count_q[b][1];
    end
  end
  queue_view #(.Depth(Depth)) i_intake_view (
    .clk_i, .rst_i, .nonempty_i(i_intake.nonempty), .wptr_i(intake_wptr), .rptr_i(intake_rptr), .stored_o(intake_stored)
  );
  for (genvar c = 0; c < int'(Colors); c++) begin : gen_outlet
    queue_view #(.Depth(Depth)) i_view (
      .clk_i, .rst_i, .nonempty_i(i_outlet.nonempty[c]), .wptr_i(outlet_wptr[c]), .rptr_i(outlet_rptr[c]),
      .stored_o(outlet_stored[c])
    );
  end
  downstream #(.Colors(1), .Depth(Depth)) i_next (
    .clk_i, .rst_i, .valid_i(next_valid), .color_i(next_msg.color), .give_i(give_next_i), .credit_o(next_credit),
    .kept_o(next_kept)
  );
  `PROVE(CreditsOfValve, 32'(valve_credits) + 32'(valve_valid) + 32'(intake_stored) + 32'(chain_credit) == Depth)
  `PROVE(CreditsOfIntake, 32'(tile_credits) + 32'(tile_valid) + 32'(a_stored[West][0]) + 32'(a_credit[West][0]) == Depth)
  `PROVE(CreditsOfNext, 32'(next_credits) + 32'(next_valid) + 32'(next_kept) == Depth)
  `PROVE(OnlyColorWComesIn, a_stored[West][Colors-1:1] == '0 && (!valve_valid || valve_msg.color == '0)
                            && (!tile_valid || tile_msg.color == '0) && (!next_valid || next_msg.color == '0))

  // ------------------------------------------------------------------------------------------------------------- routes
  // A's W keeps its route after reset, {E, RAMP}; B's W turns round, and at A the path continues west. The host waits for
  // that.
  place_t inside_now;  // messages on the path
  logic a_set_q, b_set_q, a_new_q, b_new_q, reset_q;  // route written: ever, and in the previous cycle
  logic a_sets, b_sets;
  assign a_sets = route_we_i[0] && route_i[0].color == '0 && route_i[0].port == 3'(East);
  assign b_sets = route_we_i[1] && route_i[1].color == '0 && route_i[1].port == 3'(West);
  always_ff @(posedge clk_i) begin
    reset_q <= rst_i;
    a_new_q <= !rst_i && a_sets;
    b_new_q <= !rst_i && b_sets;
    a_set_q <= !rst_i && (a_set_q || a_sets);
    b_set_q <= !rst_i && (b_set_q || b_sets);
  end
  assign go = a_set_q && b_set_q;
  `GIVEN(ThePathIsConfiguredOnce, !(a_sets && (a_set_q || route_i[0].zero != '0 || route_i[0].outputs != 5'b01000))
                                  && !(b_sets && (b_set_q || route_i[1].zero != '0 || route_i[1].outputs != 5'b01000)))
  `GIVEN(OneWriterA, !(route_we_i[0] && route_i[0].color == '0) || a_sets
                     || (route_i[0].port != 3'(West) && (route_i[0].outputs & 5'b01010) == '0))
  `GIVEN(OneWriterB, !(route_we_i[1] && route_i[1].color == '0) || b_sets || (route_i[1].outputs & 5'b01000) == '0)

  for (genvar o = 0; o < int'(Ports); o++) begin : gen_route
    localparam logic A = o == int'(East) || o == int'(weft_isa_pkg::PORT_RAMP);
    localparam logic B = o == int'(West);
    `PROVE(RouteIntoA, i_a.gen_input[3].i_input.route_q[o][0] == A)
    `PROVE(RouteThroughB, i_b.gen_input[3].i_input.route_q[o][0] == (b_set_q ? B : o == int'(weft_isa_pkg::PORT_RAMP)))
    `PROVE(RouteBackThroughA, i_a.gen_input[1].i_input.route_q[o][0] == (a_set_q && B))
    `PROVE(BranchesIntoA, reset_q || !i_a.gen_input[3].i_input.pending_q[o][0] || A)
    `PROVE(BranchesThroughB, reset_q || b_new_q || !i_b.gen_input[3].i_input.pending_q[o][0]
                             || (b_set_q ? B : o == int'(weft_isa_pkg::PORT_RAMP)))
    `PROVE(BranchesBackThroughA, reset_q || a_new_q || !i_a.gen_input[1].i_input.pending_q[o][0] || (a_set_q && B))
    `PROVE(WholeRouteWaits, reset_q || a_stored[West][0] != '0 || i_a.gen_input[3].i_input.pending_q[o][0] == A)
    // Color W from other inputs stays off the path.
    for (genvar i = 0; i < int'(Ports); i++) begin : gen_other
      if ((o == int'(East) && i != int'(West)) || (o == int'(West) && i != int'(East))) begin : gen_a
        `PROVE(OffA, !i_a.gen_input[i].i_input.route_q[o][0]
                      && (reset_q ? i_a.gen_input[i].i_input.fresh_q[0] : !i_a.gen_input[i].i_input.pending_q[o][0]))
      end
      if (o == int'(West) && i != int'(West)) begin : gen_b
        `PROVE(OffB, !i_b.gen_input[i].i_input.route_q[o][0]
                      && (reset_q ? i_b.gen_input[i].i_input.fresh_q[0] : !i_b.gen_input[i].i_input.pending_q[o][0]))
      end
    end
  end
  `PROVE(FreshAfterAWrite, i_a.gen_input[3].i_input.fresh_q[0] == reset_q
                           && i_b.gen_input[3].i_input.fresh_q[0] == (reset_q || b_new_q)
                           && i_a.gen_input[1].i_input.fresh_q[0] == (reset_q || a_new_q))
  `PROVE(WrittenOnceEach, (a_set_q || !a_new_q) && (b_set_q || !b_new_q))
  `PROVE(NothingAfterAReset, !reset_q || (a_stored == '0 && b_stored == '0 && !a_set_q && !b_set_q))
  `PROVE(NothingBeforeIt, (go && !a_new_q && !b_new_q) || (inside_now == '0 && a_stored[West][0] == '0))

  // ------------------------------------------------------------------------------------------------- places of the path
  // From the exit to the entry: a register holds one message or none, a queue all stored messages, except a front that has
  // already moved on and waits for its other branch. Color W is 0: its queue is at the start of each RAM.
  localparam int unsigned Places = 11;
  place_t [Places-1:0] holds;  // messages in each place
  place_t              ahead;
  msg_t                at;
  logic                a_gone;

  function automatic msg_t message(input logic [32:0] stored);
    message = {stored[32], weft_isa_pkg::COLOR_W, stored[31:0]};
  endfunction

  always_comb begin : places
    place_t                           base;
    place_t [Places-1:0]              index;  // index of the followed message in each place, if it is there
    logic [PtrBits-1:0]               slot_outlet, slot_back, slot_b, slot_a, slot_intake;

    a_gone    = a_stored[West][0] != '0 && !i_a.gen_input[3].i_input.pending_q[East][0];
    holds[0]  = place_t'(host_valid && host_msg.color == '0);
    holds[1]  = place_t'(outlet_stored[0]);
    holds[2]  = place_t'(a_out_valid[West] && a_out_msg[West].color == '0);
    holds[3]  = place_t'(a_stored[East][0]);
    holds[4]  = place_t'(b_out_valid[West] && b_out_msg[West].color == '0);
    holds[5]  = place_t'(b_stored[West][0]);
    holds[6]  = place_t'(a_out_valid[East] && a_out_msg[East].color == '0);
    holds[7]  = place_t'(a_stored[West][0]) - place_t'(a_gone);
    holds[8]  = place_t'(tile_valid);
    holds[9]  = place_t'(intake_stored) - place_t'(i_intake.served_q[0]);
    holds[10] = place_t'(valve_valid);

    base = '0;
    for (int unsigned p = 0; p < Places; p++) begin
      index[p] = ahead - base;
      base     = base + holds[p];
    end
    inside_now = base;

    for (int unsigned b = 0; b < PtrBits; b++) begin
      slot_back[b] = i_a.i_buffers.rptr_q[b][East*Colors];
      slot_b[b]    = i_b.i_buffers.rptr_q[b][West*Colors];
      slot_a[b]    = i_a.i_buffers.rptr_q[b][West*Colors];
    end
    slot_outlet = outlet_rptr[0] + PtrBits'(index[1]);
    slot_back   = slot_back + PtrBits'(index[3]);
    slot_b      = slot_b + PtrBits'(index[5]);
    slot_a      = slot_a + PtrBits'(index[7]) + PtrBits'(a_gone);
    slot_intake = intake_rptr + PtrBits'(index[9]) + PtrBits'(i_intake.served_q[0]);

    // The first place that the followed message can be in.
    if (index[0] < holds[0]) at = host_msg;
    else if (index[1] < holds[1]) at = message(i_outlet.i_buffer.i_buffers.gen_link[0].ram_q[slot_outlet]);
    else if (index[2] < holds[2]) at = a_out_msg[West];
    else if (index[3] < holds[3]) at = message(i_a.i_buffers.gen_link[East].ram_q[slot_back]);
    else if (index[4] < holds[4]) at = b_out_msg[West];
    else if (index[5] < holds[5]) at = message(i_b.i_buffers.gen_link[West].ram_q[slot_b]);
    else if (index[6] < holds[6]) at = a_out_msg[East];
    else if (index[7] < holds[7]) at = message(i_a.i_buffers.gen_link[West].ram_q[slot_a]);
    else if (index[8] < holds[8]) at = tile_msg;
    else if (index[9] < holds[9]) at = message(i_intake.i_buffer.i_buffers.gen_link[0].ram_q[slot_intake]);
    else at = valve_msg;
  end

  in_order #(.Most(Most)) i_order (
    .clk_i, .rst_i, .push_i(valid_i && go && ready), .push_msg_i({ctrl_i, weft_isa_pkg::COLOR_W, data_i}),
    .pop_i(holds[0] != '0 && host_ready_i), .pop_msg_i(host_msg), .mark_i, .ahead_o(ahead),
    .inside_i(inside_now), .at_i(at)
  );

  `COVER(TheLineIsLong, 32'(inside_now) > Depth + 2)

  logic unused;
  assign unused = ^{awake, busy, empty, no_route, bad_route, bad_color, no_row};

endmodule
