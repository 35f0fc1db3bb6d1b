/// Chooses one of several requests, in turn: the next one above the last choice, else the lowest.
///
/// Both sides are sets (bit i: request i); the choice has at most one bit. The turn moves with every choice, whether or
/// not it led to anything: so a choice that is refused elsewhere cannot hold up the others. With no request nothing moves.
///
/// Latency: none, pick_o follows request_i.
`include "weft_check.svh"

module color_picker #(
  parameter int unsigned Colors = isa_pkg::Colors
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic              advance_i,
  input  logic [Colors-1:0] request_i,
  output logic [Colors-1:0] pick_o
);

  typedef logic [Colors-1:0] set_t;

  set_t above_q, preferred, among, pick;

  always_comb begin
    preferred = '0;
    among     = '0;
    pick      = '0;
    `WEFT_IF_ANY(request_i) begin
      preferred = request_i & above_q;
      among     = (preferred != '0) ? preferred : request_i;
      pick      = among & (~among + set_t'(1));  // the lowest
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) above_q <= '0;
    // all bits above the pick: minus the pick, without the pick
    else if (advance_i && pick != '0) above_q <= (~pick + set_t'(1)) & ~pick;
  end

  assign pick_o = pick;

  `WEFT_ASSERT(PickIsOneOfTheRequests, (pick & ~request_i) == '0 && $onehot0(pick))
  `WEFT_ASSERT(SomeRequestIsPicked, (request_i == '0) == (pick == '0))

endmodule
