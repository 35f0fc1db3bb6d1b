/// Bound on the time that a front message of a router waits for an available output: less than (Colors + 1) * Ports cycles.
///
/// The watched message has the color that `color_wait` watches, at one input, and goes to one output of its route. `able_i`: it
/// has a credit for the output. `granted_i`: it is granted the output. The bound follows from the state: if its color is being
/// held, with `left_i` cycles to come, and the output's arbiter (`distance_i` others before it) can reach it in that time, it
/// is at most that; otherwise the rest of this turn, the wait for the next one (`wait_i`), and Ports cycles of that. The bound
/// falls in every cycle.
`include "proof.svh"

module grant_wait
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  /// Other inputs compete for the output.
  parameter bit          Covers = 1'b1
) (
  input logic       clk_i,
  input logic       rst_i,
  input logic       able_i,
  input logic       granted_i,
  // state of the turn
  input logic       holds_i,
  input logic [2:0] left_i,
  input logic [7:0] wait_i,
  // the output's arbiter
  input logic [2:0] distance_i
);

  logic [7:0] waited_q, bound;

  always_ff @(posedge clk_i) begin
    if (rst_i || !able_i || granted_i) waited_q <= '0;
    else waited_q <= waited_q + 8'd1;
  end

  always_comb begin
    bound = wait_i + 8'(Ports);
    if (holds_i) begin
      bound = 8'(left_i) + 8'd1 + 8'(Colors * Ports);
      if (left_i >= distance_i) bound = 8'(distance_i) + 8'd1;
    end
  end

  `PROVE(WaitFalls, !able_i || 32'(waited_q) + 32'(bound) < (Colors + 1) * Ports)
  `PROVE(GrantedInTime, 32'(waited_q) < (Colors + 1) * Ports - 1)
  if (Covers) begin : gen_covers
    // At least after a whole turn of another color.
    `COVER(WaitsThroughATurn, 32'(waited_q) == 2 * Ports - 1 && granted_i)
  end

endmodule
