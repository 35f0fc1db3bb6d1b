// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Wraps a module that has more ports than an FPGA has pins behind three pins, so that its timing is measured from
/// register to register. Only for measuring (tile_top, wafer_top).
///
/// Every input of the module is a bit of a chain that `si_i` feeds. Every output goes into a register, and all of
/// those, in groups of four, into one bit, `so_o`: no part of the module can be optimized away, and little is added to
/// it.
module weft_measured #(
  parameter int unsigned InBits  = 2,
  parameter int unsigned OutBits = 17
) (
  input  logic               clk_i,
  input  logic               si_i,
  output logic               so_o,
  output logic [InBits-1:0]  in_o,   // the module's inputs
  input  logic [OutBits-1:0] out_i   // its outputs
);

  localparam int unsigned Fours   = (OutBits + 3) / 4;
  localparam int unsigned Sixteen = (Fours + 3) / 4;

  logic [InBits-1:0]  in_q;
  logic [OutBits-1:0] out_q;
  logic [Fours-1:0]   fours_q;
  logic [Sixteen-1:0] sixteen_q;
  logic               so_q;

  always_ff @(posedge clk_i) begin
    in_q  <= {in_q[InBits-2:0], si_i};
    out_q <= out_i;
    for (int unsigned i = 0; i < Fours; i++) fours_q[i] <= ^4'((4 * Fours)'(out_q) >> (4 * i));
    for (int unsigned i = 0; i < Sixteen; i++) sixteen_q[i] <= ^4'((4 * Sixteen)'(fours_q) >> (4 * i));
    so_q <= ^sixteen_q;
  end

  assign in_o = in_q;
  assign so_o = so_q;

endmodule
