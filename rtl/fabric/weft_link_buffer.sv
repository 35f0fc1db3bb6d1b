// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The receiving end of one link: `link_buffers` (see there for the contract) with a single link.
module weft_link_buffer
  import weft_pkg::*;
#(
  parameter int unsigned Colors    = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth     = weft_isa_pkg::DefaultDepth,
  /// Fronts that can be read in one cycle.
  parameter int unsigned ReadPorts = 1,
  localparam int unsigned PtrBits  = $clog2(Depth)
) (
  input  logic                              clk_i,
  input  logic                              rst_i,
  // the link
  input  logic                              valid_i,
  input  msg_t                              msg_i,
  output logic [Colors-1:0]                 credit_o,
  // the readers
  output logic [Colors-1:0]                 nonempty_o,
  input  logic [ReadPorts-1:0][Colors-1:0]  select_i,
  output msg_t                              front_o [ReadPorts],
  input  logic [Colors-1:0]                 pop_i,
  output logic                              bad_color_o,  // sticky
  output logic [1:0][PtrBits-1:0][Colors-1:0] pointers_o   // as link_buffers'
);

  msg_t              msg [1];

  assign msg[0] = msg_i;

  /* verilator lint_off PINCONNECTEMPTY */  // all its queues are built
  weft_link_buffers #(.Links(1), .Colors(Colors), .Depth(Depth), .ReadPorts(ReadPorts)) i_buffers (
    .clk_i, .rst_i, .valid_i, .msg_i(msg), .credit_o,
    .nonempty_o, .select_i, .front_o, .pop_i, .bad_color_o, .unbuilt_o(), .pointers_o
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
