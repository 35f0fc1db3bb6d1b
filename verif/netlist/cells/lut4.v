/// A function of four inputs: INIT's bit {D,C,B,A}.
module LUT4 #(
  parameter [15:0] INIT = 16'h0000
) (
  input A, B, C, D,
  output Z
);
  assign Z = INIT[{D, C, B, A}];
endmodule
