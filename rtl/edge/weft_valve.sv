// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The host's side of an intake chain: turns valid/ready into a link of color W.
///
/// `ready_o` comes from registers. A message is taken in each cycle with valid_i and ready_o.
///
/// Latency: 1 cycle. Sustains one message per cycle. While `awake_o` is 0 and no valid_i, credit_i or reset comes, a
/// clock edge changes no state.
module weft_valve
  import weft_pkg::*;
#(
  /// The first intake's Depth.
  parameter int unsigned Depth = weft_isa_pkg::DefaultDepth
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // from the host
  input  logic        valid_i,
  input  logic        ctrl_i,
  input  logic [31:0] data_i,
  output logic        ready_o,
  // to the first cell of the chain
  output logic        valid_o,
  output msg_t        msg_o,
  input  logic        credit_i,
  output logic        awake_o,
  output logic [$clog2(Depth+1)-1:0] credits_o  // for the debug chain
);

  logic take, valid_q;
  msg_t msg_q;

  weft_link_credits #(.Pairs(1), .Depth(Depth)) i_credits (
    .clk_i, .rst_i, .credit_i, .take_i(take), .avail_o(ready_o), .count_o(credits_o)
  );

  assign take = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else valid_q <= take;
    if (take) msg_q <= {ctrl_i, weft_isa_pkg::COLOR_W, data_i};
  end

  assign valid_o = valid_q;
  assign msg_o   = msg_q;
  assign awake_o = valid_q;

endmodule
