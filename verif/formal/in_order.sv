/// Messages that enter at one end leave at the other: in order, once, none lost. The property of every queue and every
/// path.
///
/// `push_i` and `pop_i` are the two ends. `mark_i`, free to the solver, chooses any message as it enters. From then on
/// `ahead_o` counts the messages that entered before it and have not left; when the count is 0, the next message to leave
/// must be the chosen one. So the n-th message out is the n-th in, for every n, which covers all three claims.
///
/// For the induction the proof supplies the positions of messages: how many are inside (`inside_i`), and which one has
/// `ahead_o` others between it and the exit (`at_i`).
`include "proof.svh"

module in_order
  import weft_pkg::*;
#(
  /// Maximum number of messages inside.
  parameter int unsigned Most   = 4,
  /// The covers are reachable: messages pass through.
  parameter bit          Covers = 1'b1
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      push_i,
  input  msg_t                      push_msg_i,
  input  logic                      pop_i,
  input  msg_t                      pop_msg_i,
  input  logic                      mark_i,
  output logic [$clog2(Most+1)-1:0] ahead_o,
  input  logic [$clog2(Most+1)-1:0] inside_i,
  input  msg_t                      at_i
);

  typedef logic [$clog2(Most+1)-1:0] count_t;

  count_t count_q, ahead_q;  // messages inside; those of them that entered before the chosen one
  logic   held_q;            // the chosen message is inside
  msg_t   msg_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= '0;
      held_q  <= 1'b0;
    end else begin
      count_q <= count_q + count_t'(push_i) - count_t'(pop_i);
      if (held_q) begin
        held_q  <= !(pop_i && ahead_q == '0);
        ahead_q <= ahead_q - count_t'(pop_i);
      end else if (push_i && mark_i) begin
        held_q  <= 1'b1;
        ahead_q <= count_q - count_t'(pop_i);
        msg_q   <= push_msg_i;
      end
    end
  end

  assign ahead_o = ahead_q;

  `PROVE(NothingLostNothingDoubled, count_q == inside_i)
  `PROVE(EachInItsPlace, !held_q || (ahead_q < count_q && at_i == msg_q))
  `PROVE(OnlyWhatEnteredLeaves, !pop_i || count_q != '0)
  `PROVE(LeavesInTurn, !(pop_i && held_q && ahead_q == '0) || pop_msg_i == msg_q)

  if (Covers) begin : gen_covers
    `COVER(TheChosenOneLeaves, pop_i && held_q && ahead_q == '0 && msg_q.data == 32'hcafe_f00d)
  end

endmodule
