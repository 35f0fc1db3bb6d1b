/// A request that stays waits for at most `Requests - 1` other choices: the bound of every round-robin chooser.
///
/// One request, `of_i`, chosen by the solver, is watched. `request_i`: it is active. `chosen_i`: some request was chosen
/// in this cycle (and the turn moved on), `mine_i`: it was the watched one. `above_i` is the chooser's state
/// (distance.sv). The distance from there to the watched request, `distance_o`, falls with every choice of another one.
`include "proof.svh"

module bounded_wait #(
  parameter int unsigned Requests = 4,
  /// All of them can be active at once.
  parameter bit          Covers   = 1'b1
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  input  logic [$clog2(Requests)-1:0]   of_i,
  input  logic                          request_i,
  input  logic                          chosen_i,
  input  logic                          mine_i,
  input  logic [Requests-1:0]           above_i,
  output logic [$clog2(Requests+1)-1:0] distance_o
);

  typedef logic [$clog2(Requests+1)-1:0] count_t;

  count_t waited_q;  // choices of others since the watched request became active

  always_ff @(posedge clk_i) begin
    if (rst_i || !request_i || (chosen_i && mine_i)) waited_q <= '0;
    else waited_q <= waited_q + count_t'(chosen_i);
  end

  distance #(.Requests(Requests)) i_distance (.of_i, .above_i, .distance_o);

  `PROVE(AboveIsEverythingAboveTheLast, (~above_i & (~above_i + Requests'(1))) == '0)
  `PROVE(DistanceFalls, 32'(waited_q) + 32'(distance_o) < Requests)
  `PROVE(WaitsForEachOtherOnce, 32'(waited_q) < Requests)
  if (Covers) begin : gen_covers
    `COVER(WaitsForAllOthers, 32'(waited_q) == Requests - 1 && chosen_i && mine_i)
  end

endmodule
