// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The fan-out of one stream at the west edge: offers each message to one valve of every group of rows that the message
/// is for (docs/explanation/row_groups.md).
///
/// Both sides are valid/ready. `groups_i` is the set of groups of the offered message, at least one. Each of their valves
/// is offered the message until the valve takes it, which may be in different cycles; `ready_o` is 1 in the cycle in which
/// the last valve takes it. Once a valve has a message, the host offers no other one until all have it (SameMessage).
///
/// Latency: 0 cycles. Sustains one message per cycle. While no valid_i or reset comes, a clock edge changes no state.
`include "weft_check.svh"

module weft_group_fanout #(
  /// 2 or more.
  parameter int unsigned RowGroups = 2
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  // from the host
  input  logic                 valid_i,
  input  logic [RowGroups-1:0] groups_i,
  output logic                 ready_o,
  // to the stream's valve of each group, with the host's message
  output logic [RowGroups-1:0] valve_valid_o,
  input  logic [RowGroups-1:0] valve_ready_i
);

  logic [RowGroups-1:0] wanted, served_q;  // groups that still need the offered message; that have it already

  assign wanted        = groups_i & ~served_q;
  assign valve_valid_o = valid_i ? wanted : '0;
  assign ready_o       = (wanted & ~valve_ready_i) == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) served_q <= '0;
    else if (valid_i) served_q <= ready_o ? '0 : served_q | (wanted & valve_ready_i);
  end

  `WEFT_PARAM(RowGroups >= 2, "weft_group_fanout: make RowGroups 2 or more, a single group needs no fan-out")

`ifdef WEFT_CHECKED
  logic [RowGroups-1:0] groups_q;  // of the last offer
  always_ff @(posedge clk_i) if (valid_i) groups_q <= groups_i;
`endif
  `WEFT_ASSUME(SomeGroup, !valid_i || groups_i != '0)
  `WEFT_ASSUME(SameMessage, !valid_i || served_q == '0 || groups_i == groups_q)
  // The served groups belong to the message that waits, and never are all of them served.
  `WEFT_ASSERT(ServedIsAPartOfTheGroups, served_q == '0 || ((served_q & ~groups_q) == '0 && served_q != groups_q))

endmodule
