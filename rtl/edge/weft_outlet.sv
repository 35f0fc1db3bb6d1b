// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The exit of one row at the west edge: takes the messages that the row's first tile sends to the west and offers them
/// to the host.
///
/// A color's messages leave in order of arrival; colors are served round robin. The host side is valid/ready; an
/// offered message stays until it is taken (OfferStays).
///
/// Latency: 2 cycles from valid_i to host_valid_o. Sustains one message per cycle.
/// While `awake_o` is 0 and no valid_i or reset comes, a clock edge changes no state.
`include "weft_check.svh"

module weft_outlet
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth
) (
  input  logic              clk_i,
  input  logic              rst_i,
  // from the row's first tile
  input  logic              valid_i,
  input  msg_t              msg_i,
  output logic [Colors-1:0] credit_o,
  // to the host
  output logic              host_valid_o,
  output msg_t              host_msg_o,
  input  logic              host_ready_i,
  output logic              awake_o,
  output logic              bad_color_o   // sticky
);

  logic [Colors-1:0] nonempty, pick, pop;
  msg_t              front [1];
  msg_t              msg_q;
  logic              valid_q, load;

  /* verilator lint_off PINCONNECTEMPTY */
  weft_link_buffer #(.Colors(Colors), .Depth(Depth), .ReadPorts(1)) i_buffer (
    .clk_i, .rst_i, .valid_i, .msg_i, .credit_o,
    .nonempty_o(nonempty), .select_i(pick), .front_o(front), .pop_i(pop), .bad_color_o, .pointers_o()
  );

  weft_rr_arbiter #(.Colors(Colors)) i_arbiter (
    .clk_i, .rst_i, .request_i(nonempty), .pick_o(pick), .again_o(), .lock_i(!load)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  assign load = !valid_q || host_ready_i;
  assign pop  = load ? pick : '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (load) valid_q <= pop != '0;
    if (pop != '0) msg_q <= front[0];
  end

  assign host_valid_o = valid_q;
  assign host_msg_o   = msg_q;
  assign awake_o      = valid_q || (nonempty | credit_o) != '0;

`ifdef WEFT_CHECKED
  logic refused_q;
  msg_t refused_msg_q;
  always_ff @(posedge clk_i) begin
    refused_q <= !rst_i && valid_q && !host_ready_i;
    if (valid_q) refused_msg_q <= msg_q;
  end
`endif
  `WEFT_ASSERT(OfferStays, !refused_q || (valid_q && msg_q == refused_msg_q))

endmodule
