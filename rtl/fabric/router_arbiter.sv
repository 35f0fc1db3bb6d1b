/// Gives each output of the router to one of the inputs that want it, in turn.
///
/// All outputs are arbitrated side by side: every vector is a set of outputs (bit o: output o), one vector per input. An
/// output prefers the inputs above the one it served last, and among them the lowest. Without requests nothing moves.
///
/// Latency: none, grant_o follows request_i.
`include "weft_check.svh"

module router_arbiter
  import weft_pkg::*;
(
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [Ports-1:0][Ports-1:0]  request_i,  // [input][output]
  output logic [Ports-1:0][Ports-1:0]  grant_o,    // [input][output]
  /// Outputs given to someone.
  output logic [Ports-1:0]             sent_o
);

  typedef logic [Ports-1:0] outputs_t;

  // above_q[i][o]: input i is above the one that output o served last
  logic [Ports-1:0][Ports-1:0] above_q, above_d, preferred, grant;
  outputs_t sent;

  always_comb begin
    outputs_t any_preferred, seen_preferred, seen, given;
    any_preferred  = '0;
    seen_preferred = '0;
    seen           = '0;
    given          = '0;
    preferred      = request_i & above_q;
    for (int unsigned i = 0; i < Ports; i++) any_preferred = any_preferred | preferred[i];
    for (int unsigned i = 0; i < Ports; i++) begin
      grant[i]       = (preferred[i] & ~seen_preferred) | (request_i[i] & ~seen & ~any_preferred);
      seen_preferred = seen_preferred | preferred[i];
      seen           = seen | request_i[i];
    end
    for (int unsigned i = 0; i < Ports; i++) begin
      above_d[i] = given | (above_q[i] & ~seen);
      given      = given | grant[i];
    end
    above_d[0] = '0;  // the lowest is above none
    sent = seen;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) above_q <= '0;
    else if (sent != '0) above_q <= above_d;
  end

  assign grant_o = grant;
  assign sent_o  = sent;

`ifndef SYNTHESIS
  outputs_t twice, once;
  always_comb begin
    twice = '0;
    once  = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      twice = twice | (once & grant[i]);
      once  = once | grant[i];
    end
  end
`endif
  `WEFT_ASSERT(OneInputPerOutput, twice == '0)
  `WEFT_ASSERT(WantedOutputIsGiven, once == sent)

endmodule
