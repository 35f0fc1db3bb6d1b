/// The far end of an outgoing link: any receiver that returns exactly one credit for each message, at a later time
/// chosen by the solver.
///
/// Latency: at least 1 cycle from valid_i to credit_o.
`include "proof.svh"

module downstream
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth
) (
  input  logic                                   clk_i,
  input  logic                                   rst_i,
  input  logic                                   valid_i,
  input  color_t                                 color_i,
  /// The colors for which a credit is returned if one is due.
  input  logic [Colors-1:0]                      give_i,
  output logic [Colors-1:0]                      credit_o,
  /// Messages received whose credit has not been returned.
  output logic [Colors-1:0][$clog2(Depth+1)-1:0] kept_o
);

  typedef logic [$clog2(Depth+1)-1:0] count_t;

  logic [Colors-1:0][$clog2(Depth+1)-1:0] kept_q;
  logic [Colors-1:0]                      of;

  always_comb begin
    for (int unsigned c = 0; c < Colors; c++) begin
      credit_o[c] = give_i[c] && kept_q[c] != '0;
      of[c]       = color_i == color_t'(c);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Colors; c++) begin
      if (rst_i) kept_q[c] <= '0;
      else kept_q[c] <= kept_q[c] + count_t'(valid_i && of[c]) - count_t'(credit_o[c]);
    end
  end

  assign kept_o = kept_q;

  for (genvar c = 0; c < int'(Colors); c++) begin : gen_color
    `PROVE(NeverFull, 32'(kept_q[c]) <= Depth)
    `PROVE(OnlyWhatFits, !(valid_i && of[c] && 32'(kept_q[c]) == Depth))
  end
  `PROVE(OnlyBuiltColors, !valid_i || of != '0)

endmodule
