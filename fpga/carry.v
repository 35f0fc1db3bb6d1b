// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Adders for the ECP5, for yosys' techmap: $alu as a chain of CCU2C, two positions a cell.
//
// A chain begins with a position that generates a carry without a carry in, and ends with one that outputs the last
// carry: no carry passes between a chain's cells and the fabric. (nextpnr adds a cell for each such connection, two
// sites.)
//
// ```
//   position                    0                    1        2        ...   the last, if it is wanted
//   carry in known, width even  carry of bit 0       bit 1    bit 2          CO[Y_WIDTH-1]
//   else                        the carry in         bit 0    bit 1          CO[Y_WIDTH-1]
// ```
//
// S is the LUT of four xor the carry in. The carry out is the carry in where that LUT is 1, else the LUT of A and B,
// which is the lowest four bits of INIT.
(* techmap_celltype = "$alu" *)
module weft_alu (A, B, CI, BI, X, Y, CO);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CONSTMSK_CI_ = 0;
  parameter _TECHMAP_CONSTMSK_BI_ = 0;
  parameter _TECHMAP_CONSTVAL_CI_ = 0;
  parameter _TECHMAP_CONSTVAL_BI_ = 0;

  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] X, Y;
  input CI, BI;
  (* force_downto *) output [Y_WIDTH-1:0] CO;

  // Narrower adders are smaller in LUTs.
  wire _TECHMAP_FAIL_ = Y_WIDTH < `WEFT_CHAIN;

  (* force_downto *) wire [Y_WIDTH-1:0] a, b, bx;
  \$pos #(.A_SIGNED(A_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(Y_WIDTH)) i_a (.A(A), .Y(a));
  \$pos #(.A_SIGNED(B_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) i_b (.A(B), .Y(b));
  assign bx = BI ? ~b : b;
  assign X  = a ^ bx;

  // A sum or a difference, known here. With an odd number of bits a carry in needs no extra cell, and bit 0 no LUT.
  localparam Known = _TECHMAP_CONSTMSK_CI_ && _TECHMAP_CONSTMSK_BI_ && _TECHMAP_CONSTVAL_CI_ == _TECHMAP_CONSTVAL_BI_ &&
      Y_WIDTH % 2 == 0;
  localparam [3:0] First = !Known ? 4'b1010 : _TECHMAP_CONSTVAL_CI_ ? 4'b1011 : 4'b1000;  // A; A or not B; A and B
  localparam Skip  = Known ? 1 : 0;                         // bits before position 1
  localparam Bits  = Y_WIDTH - Skip;                        // positions 1..Bits
  localparam Cells = (Bits + 3) / 2;                        // with the last position

  wire [2*Cells-1:0] pa, pb, pc, s;
  wire [Cells:0]     carry;

  assign pa    = {a[Y_WIDTH-1:Skip], Known ? a[0] : CI};
  assign pb    = {b[Y_WIDTH-1:Skip], Known ? b[0] : 1'b0};
  assign pc    = {{Bits{BI}}, 1'b1};                        // the padding's LUTs are 0
`ifdef WEFT_CARRY_CHECK
  assign carry[0] = ^A;                                     // or anything: it is not used
`else
  assign carry[0] = 1'b0;                                   // fpga/trim.py takes it out
`endif

  genvar i;
  generate
    for (i = 0; i < Cells; i = i + 1) begin : slice
      CCU2C #(
        .INIT0(i == 0 ? {12'b0, First} : 16'b1001011010101010), .INIT1(16'b1001011010101010),
        .INJECT1_0("NO"), .INJECT1_1("NO")
      ) i_cell (
        .CIN(carry[i]), .COUT(carry[i+1]),
        .A0(pa[2*i]), .B0(pb[2*i]), .C0(pc[2*i]), .D0(1'b1), .S0(s[2*i]),
        .A1(pa[2*i+1]), .B1(pb[2*i+1]), .C1(pc[2*i+1]), .D1(1'b1), .S1(s[2*i+1])
      );
    end
    for (i = 0; i < Y_WIDTH; i = i + 1) begin : bits
      if (i < Skip) assign Y[i] = X[i] ^ CI;
      else assign Y[i] = s[i - Skip + 1];
      if (i + 1 < Y_WIDTH) assign CO[i] = X[i+1] ^ Y[i+1];
      else assign CO[i] = s[Bits + 1];
    end
  endgenerate
endmodule
