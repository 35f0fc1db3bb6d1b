/// Bound on the time until a color of router_input is presented: at most (Colors - 1) * Ports cycles.
///
/// The watched color is `of_i`; `able_i` means that it could make progress, and `picked_i` that it is presented. `wait_o` is the
/// remaining bound, computed from the state of the arbiter and of the turn: every color before it has a turn of Ports cycles,
/// except that the first, if it is held, has only the rest of its turn. The bound falls in every cycle.
`include "proof.svh"
`include "weft_check.svh"

module color_wait
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [$clog2(Colors)-1:0] of_i,
  input  logic                      able_i,
  input  logic                      picked_i,
  // state of router_input
  input  logic [Colors-1:0]         from_i,
  input  logic                      held_i,
  input  logic [2:0]                left_i,
  output logic [7:0]                wait_o,
  /// The watched color is held: if able, it is presented now.
  output logic                      holds_o
);

  localparam int unsigned Most = (Colors - 1) * Ports;

  `WEFT_PARAM((Colors + 1) * Ports < 256, "color_wait: make Colors less, a bound has 8 bits")

  logic [$clog2(Colors+1)-1:0] distance;
  logic [7:0]                  waited_q;

  distance #(.Requests(Colors)) i_distance (.of_i, .above_i(from_i), .distance_o(distance));

  always_ff @(posedge clk_i) begin
    if (rst_i || !able_i || picked_i) waited_q <= '0;
    else waited_q <= waited_q + 8'd1;
  end

  assign holds_o = held_i && distance == '0;
  always_comb begin
    wait_o = 8'(distance) * 8'(Ports);
    if (held_i && distance != '0) wait_o = wait_o - 8'(Ports) + 8'(left_i) + 8'd1;
  end

  `PROVE(TurnIsEverythingAboveTheLast, (~from_i & (~from_i + Colors'(1))) == '0)
  `PROVE(SomebodyIsHeld, !held_i || from_i != '0)
  `PROVE(WaitFalls, 32'(waited_q) + 32'(wait_o) <= Most)
  `PROVE(IsPresentedInTime, 32'(waited_q) <= Most && (!able_i || wait_o != '0 || picked_i))

endmodule
