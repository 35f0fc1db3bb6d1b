/// Reads the pointers of one queue of link_buffers, and returns the number of messages it holds.
///
/// Latency: none.
`include "proof.svh"

module queue_view #(
  parameter int unsigned Depth = 4
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic                       nonempty_i,
  input  logic [$clog2(Depth)-1:0]   wptr_i,
  input  logic [$clog2(Depth)-1:0]   rptr_i,
  output logic [$clog2(Depth+1)-1:0] stored_o
);

  localparam int unsigned Bits = $clog2(Depth + 1);

  logic [$clog2(Depth)-1:0] apart;

  assign apart = wptr_i - rptr_i;

  always_comb begin
    stored_o = '0;
    if (nonempty_i) stored_o = (apart == '0) ? Bits'(Depth) : Bits'(apart);
  end

  `PROVE(PointersOfAnEmptyQueueMeet, nonempty_i || apart == '0)
  // clk_i is for users who step through a trace
  logic unused;
  assign unused = clk_i;

endmodule
