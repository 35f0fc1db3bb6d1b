/// What a planted cell sends, B, in the place of what the cell sends, A, if the simulator is called with +plant=N.
module PLANT #(
  parameter N = 0
) (
  input A, B,
  output Z
);
  integer n;
  reg on;
  initial begin
    on = 1'b0;
    if ($value$plusargs("plant=%d", n)) on = n == N;
  end
  assign Z = on ? B : A;
endmodule
