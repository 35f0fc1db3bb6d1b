/// Two positions of a carry chain. In each, a LUT of four inputs determines S without a carry in, and whether the carry
/// propagates; the LUT of A and B, its lowest four bits, determines the carry out if it does not. Only without injection
/// (INJECT1_x = "NO").
module CCU2C #(
  parameter [15:0] INIT0 = 16'h0000,
  parameter [15:0] INIT1 = 16'h0000,
  parameter INJECT1_0 = "YES",
  parameter INJECT1_1 = "YES"
) (
  input CIN, A0, B0, C0, D0, A1, B1, C1, D1,
  output S0, S1, COUT
);
  if (INJECT1_0 != "NO" || INJECT1_1 != "NO") $error("CCU2C: INJECT1 is not modelled");

  wire pass0 = INIT0[{D0, C0, B0, A0}], make0 = INIT0[{2'b00, B0, A0}];
  wire pass1 = INIT1[{D1, C1, B1, A1}], make1 = INIT1[{2'b00, B1, A1}];
  wire carry = pass0 ? CIN : make0;
  assign S0   = pass0 ^ CIN;
  assign S1   = pass1 ^ carry;
  assign COUT = pass1 ? carry : make1;
endmodule
