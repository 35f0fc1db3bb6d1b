// The sleep contract of every register, for a proof whose module has as its clock the condition that a simulator must
// evaluate this edge (`dut_clk` in the proofs with parameter Sleep).
//
// yosys' techmap replaces each flip-flop with such a clock by this module: a flip-flop that is clocked in every step of
// the proof, as in hardware, and a property: where the edge could be skipped, the flip-flop does not change. Memories are
// flip-flops by then, so no state is missed, and none must be named.
(* techmap_celltype = "$dff" *)
module asleep (CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;

  \$ff #(.WIDTH(WIDTH)) _TECHMAP_REPLACE_ (.D(D), .Q(Q));
  \$assert _TECHMAP_REPLACE_.stays_asleep (.A(CLK || D == Q), .EN(1'b1));
endmodule
