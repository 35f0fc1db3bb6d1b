/// The far end of an incoming link: any sender that, for each color, never has more than `Depth` messages without a
/// returned credit. The solver chooses when it sends, and what.
///
/// Latency: none from want_i to valid_o; a credit counts from the next cycle on.
`include "proof.svh"

module upstream
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  /// It may also send colors that are not built.
  parameter bit          Wild   = 1'b0
) (
  input  logic                                   clk_i,
  input  logic                                   rst_i,
  input  logic                                   want_i,
  input  msg_t                                   msg_i,
  output logic                                   valid_o,
  input  logic [Colors-1:0]                      credit_i,
  /// Messages sent whose credit has not been returned.
  output logic [Colors-1:0][$clog2(Depth+1)-1:0] owed_o
);

  typedef logic [$clog2(Depth+1)-1:0] count_t;

  logic [Colors-1:0][$clog2(Depth+1)-1:0] owed_q;
  logic [Colors-1:0] room, of;

  always_comb begin
    of = '0;
    for (int unsigned c = 0; c < Colors; c++) begin
      room[c] = owed_q[c] != count_t'(Depth);
      of[c]   = msg_i.color == color_t'(c);
    end
  end
  assign valid_o = want_i && ((of & room) != '0 || (Wild && of == '0));

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Colors; c++) begin
      if (rst_i) owed_q[c] <= '0;
      else owed_q[c] <= owed_q[c] + count_t'(valid_o && of[c]) - count_t'(credit_i[c]);
    end
  end

  assign owed_o = owed_q;

  for (genvar c = 0; c < int'(Colors); c++) begin : gen_color
    `PROVE(CreditOnlyForWhatWasSent, !credit_i[c] || owed_q[c] != '0)
    `PROVE(NeverMoreThanDepth, 32'(owed_q[c]) <= Depth)
  end

endmodule
