// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Round-robin arbiter: chooses one of several requests, the next one above the last choice, else the lowest.
///
/// Both sides are sets (bit i: request i); the choice has at most one bit. The pointer advances with every choice
/// except a locked one: `lock_i` keeps the choice first in line, so that it is chosen again if it is still requested
/// (`again_o`). If it is not, the next request above it is chosen. Without a request no state changes.
///
/// A request therefore waits for at most one choice of each other request, provided that locks are released.
///
/// Latency: none, pick_o and again_o follow request_i.
`include "weft_check.svh"

module weft_rr_arbiter #(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic [Colors-1:0] request_i,
  output logic [Colors-1:0] pick_o,
  /// The last choice was locked, and is chosen again.
  output logic              again_o,
  input  logic              lock_i
);

  typedef logic [Colors-1:0] set_t;

  set_t from_q;  // requests that are preferred: all above the last choice, or a locked choice and all above
  logic locked_q;
  set_t preferred, among, pick, upwards;

  always_comb begin
    preferred = '0;
    among     = '0;
    pick      = '0;
    again_o   = 1'b0;
    `WEFT_IF_ANY(request_i) begin
      preferred = request_i & from_q;
      among     = (preferred != '0) ? preferred : request_i;
      pick      = among & (~among + set_t'(1));  // the lowest
      again_o   = locked_q && (request_i & from_q & (~from_q + set_t'(1))) != '0;
    end
  end

  assign upwards = ~pick + set_t'(1);  // the choice and all above

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      from_q   <= '0;
      locked_q <= 1'b0;
    end else `WEFT_IF_ANY(pick) begin
      if (pick != '0) begin
        from_q   <= lock_i ? upwards : upwards & ~pick;
        locked_q <= lock_i;
      end
    end
  end

  assign pick_o  = pick;

  `WEFT_ASSERT(PickIsOneOfTheRequests, (pick & ~request_i) == '0 && $onehot0(pick))
  `WEFT_ASSERT(SomeRequestIsPicked, (request_i == '0) == (pick == '0))

endmodule
