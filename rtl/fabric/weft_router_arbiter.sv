// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Round-robin arbiters: grant each output of the router to one of the inputs that request it.
///
/// All outputs are arbitrated in parallel: every vector is a set of outputs (bit o: output o), one vector per input. An
/// output prefers the inputs above the one it served last, and among them the lowest. Without requests no state
/// changes.
///
/// Every requested output is granted to some input, and an input that keeps requesting an output is served within Ports
/// grants: each grant to another input brings it at least one place nearer.
///
/// Latency: none, grant_o follows request_i.
`include "weft_check.svh"

module weft_router_arbiter
  import weft_pkg::*;
(
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [Ports-1:0][Ports-1:0]  request_i,  // [input][output]
  output logic [Ports-1:0][Ports-1:0]  grant_o,    // [input][output]
  /// Outputs granted to some input.
  output logic [Ports-1:0]             sent_o
);

  typedef logic [Ports-1:0] outputs_t;
  typedef logic [Ports-1:0][Ports-1:0] matrix_t;

  // above_q[i][o]: input i is above the input that output o served last
  matrix_t  above_q, above_d;
  outputs_t sent;

  always_comb begin
    outputs_t any_preferred, given, grant;
    sent          = '0;
    any_preferred = '0;
    given         = '0;
    grant         = '0;
    grant_o       = '0;
    above_d       = above_q;
    `WEFT_IF_ANY(request_i) begin
      for (int unsigned i = 0; i < Ports; i++) begin
        sent          = sent | request_i[i];
        any_preferred = any_preferred | (request_i[i] & above_q[i]);
      end
      for (int unsigned i = 0; i < Ports; i++) begin
        above_d[i] = given | (above_q[i] & ~sent);
        grant      = request_i[i] & ~given & (above_q[i] | ~any_preferred);
        given      = given | grant;
        grant_o[i] = grant;
      end
    end
    above_d[0] = '0;  // the lowest input is above none
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) above_q <= '0;
    else `WEFT_IF_ANY(sent) above_q <= above_d;
  end

  assign sent_o = sent;

`ifdef WEFT_CHECKED
  outputs_t twice, once;
  always_comb begin
    twice = '0;
    once  = '0;
    for (int unsigned i = 0; i < Ports; i++) begin
      twice = twice | (once & grant_o[i]);
      once  = once | grant_o[i];
    end
  end
`endif
  `WEFT_ASSERT(OneInputPerOutput, twice == '0)
  `WEFT_ASSERT(WantedOutputIsGiven, once == sent)

endmodule
