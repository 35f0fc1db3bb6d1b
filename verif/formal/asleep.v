// The sleep contract, of every register there is: for a proof whose module gets, as its clock, the question whether a
// simulator has to evaluate this edge (`dut_clk` in the proofs with parameter Sleep).
//
// yosys' techmap puts this in place of each flip-flop with such a clock: one that moves in every step of the proof, as in
// hardware, and a property: where the edge could be left out it changes nothing. Memories are flip-flops by then: so no
// state is forgotten, and none has to be named.
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
