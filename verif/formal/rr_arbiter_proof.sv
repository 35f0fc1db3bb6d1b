/// rr_arbiter alone: it picks one of the requests, in round-robin order; a locked one is picked again.
`include "proof.svh"

module rr_arbiter_proof #(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors
) (
  input logic                      clk_i,
  input logic                      rst_i,
  input logic [Colors-1:0]         request_i,
  input logic                      lock_i,
  // the watched request, sampled in a reset
  input logic [$clog2(Colors)-1:0] of_i
);

  `PROOF

  logic [Colors-1:0] pick, locked_q;  // the choice, and the previous cycle's choice if it was locked
  logic              again;

  weft_rr_arbiter #(.Colors(Colors)) i_dut (.clk_i, .rst_i, .request_i, .pick_o(pick), .again_o(again), .lock_i);

  always_ff @(posedge clk_i) begin
    if (rst_i) locked_q <= '0;
    else if (pick != '0) locked_q <= lock_i ? pick : '0;
  end

  logic [$clog2(Colors+1)-1:0] distance;
  logic [$clog2(Colors)-1:0]   of_q;
  always_ff @(posedge clk_i) if (rst_i) of_q <= of_i;
  `GIVEN(WatchedIsThere, 32'(of_i) < Colors)
  `PROVE(WatchedStaysThere, 32'(of_q) < Colors)

  bounded_wait #(.Requests(Colors)) i_bounded_wait (
    .clk_i, .rst_i, .of_i(of_q), .request_i(request_i[of_q]), .chosen_i(!lock_i && pick != '0), .mine_i(pick[of_q]),
    .above_i(i_dut.from_q), .distance_o(distance)
  );

  `PROVE(NextInLineIsPicked, !(request_i[of_q] && distance == '0) || pick[of_q])
  `PROVE(PickIsOneRequest, $onehot0(pick) && (pick & ~request_i) == '0)
  `PROVE(HeldIsFirstInLine, i_dut.locked_q == (locked_q != '0)
                              && (locked_q == '0 || locked_q == (i_dut.from_q & (~i_dut.from_q + Colors'(1)))))
  `PROVE(HeldIsPickedAgain, again == ((locked_q & request_i) != '0) && (!again || pick == locked_q))
  `PROVE(SomebodyIsPicked, (pick != '0) == (request_i != '0))

endmodule
