/// group_fanout: every message goes to a valve of each of its groups, to each of them once and in order, and a group waits
/// for no other one.
///
/// The data of messages bypass the module on wires. A valve takes a message exactly once if it is offered the message
/// until it takes it and never again, and the stream continues exactly when all valves have taken the message.
`include "proof.svh"

module group_fanout_proof #(
  parameter int unsigned RowGroups = 3
) (
  input logic                 clk_i,
  input logic                 rst_i,
  input logic                 want_i,
  input logic [RowGroups-1:0] groups_i,
  input logic [RowGroups-1:0] valve_ready_i
);

  `PROOF

  logic                 valid, ready;
  logic [RowGroups-1:0] valve_valid, took, has_q;  // has_q: valves that have taken the message that the stream offers

  // The host: once it has offered a message, it offers the same one until the stream takes it; it may pause.
  logic                 open_q;
  logic [RowGroups-1:0] groups_q, groups;
  assign valid  = want_i && (open_q || groups_i != '0);
  assign groups = open_q ? groups_q : groups_i;
  always_ff @(posedge clk_i) begin
    open_q <= !rst_i && (open_q || valid) && !(valid && ready);
    if (valid) groups_q <= groups;
  end

  weft_group_fanout #(.RowGroups(RowGroups)) i_dut (
    .clk_i, .rst_i, .valid_i(valid), .groups_i(groups), .ready_o(ready), .valve_valid_o(valve_valid), .valve_ready_i
  );

  assign took = valve_valid & valve_ready_i;

  for (genvar g = 0; g < int'(RowGroups); g++) begin : gen_group
    always_ff @(posedge clk_i) has_q[g] <= !rst_i && !(valid && ready) && (has_q[g] || took[g]);

    `PROVE(OfferedUntilTaken, valve_valid[g] == (valid && groups[g] && !has_q[g]))
    `PROVE(ServedIsRemembered, i_dut.served_q[g] == has_q[g])
  end

  `PROVE(ReadyWithTheLast, !valid || ready == ((groups & ~(has_q | took)) == '0))
  `COVER(OneWaitsForTheOther, open_q && has_q == RowGroups'(1) && valid && ready)
  `COVER(AllAtOnce, !open_q && valid && ready && groups == '1)

endmodule
