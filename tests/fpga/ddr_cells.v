// Models of the ECP5 cells that fpga/ethernet/weft_rgmii.sv instantiates, after Lattice's FPGA-TN-02035 (4.1, Generic DDR
// x1); without delays. Not modelled: RST, which must be 0.
/* verilator lint_off DECLFILENAME */

/// D at a rising edge and at the falling edge after it, both from the next rising edge on.
module IDDRX1F (input D, SCLK, RST, output reg Q0, Q1);
  reg rise, fall;
  always @(posedge SCLK) begin
    rise <= D;
    Q0   <= rise;
    Q1   <= fall;
  end
  always @(negedge SCLK) fall <= D;
  wire unused = RST;
endmodule

/// D0 and D1 of a rising edge: D0 while the clock is 1 after it, then D1.
module ODDRX1F (input SCLK, RST, D0, D1, output Q);
  reg first, second, low;
  always @(posedge SCLK) begin
    first  <= D0;
    second <= D1;
  end
  always @(negedge SCLK) low <= second;
  assign Q = SCLK ? first : low;
  wire unused = RST;
endmodule

module DELAYG #(parameter DEL_MODE = "USER_DEFINED", DEL_VALUE = 0) (input A, output Z);
  assign Z = A;
  if (DEL_MODE != "SCLK_ALIGNED" || DEL_VALUE > 127) begin : gen_refused
    $error("DELAYG: no such delay");
  end
endmodule
