/// Injects a fault if the simulator is called with +mutant=N: the output is then B, from the faulty cell, instead of A,
/// from the correct one.
module MUTANT #(
  parameter N = 0
) (
  input A, B,
  output Z
);
  integer n;
  reg on;
  initial begin
    on = 1'b0;
    if ($value$plusargs("mutant=%d", n)) on = n == N;
  end
  assign Z = on ? B : A;
endmodule
