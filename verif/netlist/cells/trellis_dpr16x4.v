/// 16 words of four bits in LUTs: synchronous write, asynchronous read. It powers up with zeros; any other INITVAL is not
/// modelled (yosys gives x where the RTL specifies nothing).
module TRELLIS_DPR16X4 #(
  parameter WCKMUX = "WCK",
  parameter WREMUX = "WRE",
  parameter [63:0] INITVAL = 64'h0
) (
  input [3:0] DI, WAD, RAD,
  input WRE, WCK,
  output [3:0] DO
);
  if (WCKMUX != "WCK" || WREMUX != "WRE") $error("TRELLIS_DPR16X4: this WCKMUX or WREMUX is not modelled");
  if (INITVAL !== 64'h0 && INITVAL !== 64'hx)
    $error("TRELLIS_DPR16X4: contents at the start are not modelled");

  reg [3:0] words [0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) words[i] = 4'h0;
  always @(posedge WCK) if (WRE) words[WAD] <= DI;
  assign DO = words[RAD];
endmodule
