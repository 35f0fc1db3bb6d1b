/// valve: a message accepted from the host continues to the chain in the next cycle, and the host waits only while there
/// is no room.
`include "proof.svh"

module valve_proof
  import weft_pkg::*;
#(
  parameter int unsigned Depth = weft_isa_pkg::DefaultDepth,
  /// Prove the sleep contract, too (asleep.v).
  parameter bit          Sleep = 1'b0
) (
  input logic        clk_i,
  input logic        rst_i,
  input logic        valid_i,
  input logic        ctrl_i,
  input logic [31:0] data_i,
  input logic        give_i,
  input logic        mark_i
);

  localparam int unsigned CountBits = $clog2(Depth + 1);

  `PROOF

  logic                 ready, valid, credit, ahead, awake;
  msg_t                 msg;
  logic [CountBits-1:0] kept, credits;

  logic dut_clk;
  assign dut_clk = Sleep ? rst_i || awake || valid_i || credit : clk_i;

  weft_valve #(.Depth(Depth)) i_dut (
    .clk_i(dut_clk), .rst_i, .valid_i, .ctrl_i, .data_i, .ready_o(ready), .valid_o(valid), .msg_o(msg), .credit_i(credit),
    .awake_o(awake)
  );

  downstream #(.Colors(1), .Depth(Depth)) i_cell (
    .clk_i, .rst_i, .valid_i(valid), .color_i(msg.color), .give_i, .credit_o(credit), .kept_o(kept)
  );

  in_order #(.Most(1)) i_order (
    .clk_i, .rst_i, .push_i(valid_i && ready), .push_msg_i({ctrl_i, weft_isa_pkg::COLOR_W, data_i}),
    .pop_i(valid), .pop_msg_i(msg), .mark_i, .ahead_o(ahead), .inside_i(valid), .at_i(msg)
  );

  always_comb begin
    for (int unsigned b = 0; b < CountBits; b++) credits[b] = i_dut.i_credits.count_q[b][0];
  end

  `PROVE(CreditsAreConserved, 32'(credits) + 32'(valid) + 32'(kept) == Depth)
  `PROVE(ReadyWhileThereIsRoom, ready == (32'(valid) + 32'(kept) < Depth))
  `PROVE(OnlyColorW, !valid || msg.color == weft_isa_pkg::COLOR_W)
  `COVER(NoRoom, valid_i && !ready && 32'(kept) == Depth)

  `COVER(SleepsWithoutRoom, !awake && !credit && !ready)

  logic unused;
  assign unused = ahead;

endmodule
