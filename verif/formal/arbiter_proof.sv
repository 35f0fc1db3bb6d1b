/// router_arbiter alone: each output is granted to one input that requests it, in round-robin order.
`include "proof.svh"

module arbiter_proof
  import weft_pkg::*;
(
  input logic                        clk_i,
  input logic                        rst_i,
  input logic [Ports-1:0][Ports-1:0] request_i,
  // the watched input, sampled in a reset
  input logic [2:0]                  of_i
);

  `PROOF

  logic [Ports-1:0][Ports-1:0] grant;
  logic [Ports-1:0]            sent;

  weft_router_arbiter i_dut (.clk_i, .rst_i, .request_i, .grant_o(grant), .sent_o(sent));

  logic [2:0] of_q;
  always_ff @(posedge clk_i) if (rst_i) of_q <= of_i;
  `GIVEN(WatchedIsThere, 32'(of_i) < Ports)
  `PROVE(WatchedStaysThere, 32'(of_q) < Ports)

  for (genvar o = 0; o < int'(Ports); o++) begin : gen_output
    logic [Ports-1:0] wanted, given, above;  // by input
    logic [2:0]       distance;
    always_comb begin
      for (int unsigned i = 0; i < Ports; i++) begin
        wanted[i] = request_i[i][o];
        given[i]  = grant[i][o];
        above[i]  = i_dut.above_q[i][o];
      end
    end

    bounded_wait #(.Requests(Ports)) i_bounded_wait (
      .clk_i, .rst_i, .of_i(of_q), .request_i(wanted[of_q]), .chosen_i(given != '0), .mine_i(given[of_q]), .above_i(above),
      .distance_o(distance)
    );

    `PROVE(OneInputThatWantsIt, $onehot0(given) && (given & ~wanted) == '0)
    `PROVE(GivenIfWanted, (given != '0) == (wanted != '0))
    `PROVE(SentIsGiven, sent[o] == (given != '0))
    `PROVE(NextInLineIsServed, !(wanted[of_q] && distance == '0) || given[of_q])
  end

endmodule
