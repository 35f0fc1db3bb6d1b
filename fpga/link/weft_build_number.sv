// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The number of a build, a byte at a time, the lowest first.
///
/// On an ECP5 the number is only in the contents of eight LUTs: another number moves no cell and no wire, so a change
/// of the sources that changes no gate gives the same bitstream except for these LUTs. Otherwise place and route, and
/// so the clock, would differ.
module weft_build_number #(
  parameter logic [63:0] Build = '0
) (
  input  logic [2:0] at_i,
  output logic [7:0] byte_o
);

`ifdef WEFT_ECP5
  for (genvar b = 0; b < 8; b++) begin : gen_bit
    // Bit b of byte 7, 6, ... 0.
    localparam logic [7:0] Bits = {Build[56+b], Build[48+b], Build[40+b], Build[32+b], Build[24+b], Build[16+b], Build[8+b], Build[b]};

    (* keep *) LUT4 #(.INIT({8'd0, Bits})) i_lut (.A(at_i[0]), .B(at_i[1]), .C(at_i[2]), .D(1'b0), .Z(byte_o[b]));
  end
`else
  assign byte_o = Build[8*at_i+:8];
`endif

endmodule
