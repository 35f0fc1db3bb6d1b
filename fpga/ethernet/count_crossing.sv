/// A count of one clock, read with another: as it was two to three cycles ago, and never anything that it was not.
///
/// It grows by at most one a cycle, so that one bit of its Gray code changes.
module count_crossing #(
  parameter int unsigned Bits = 8
) (
  input  logic            from_clk_i,
  input  logic            from_rst_i,
  input  logic [Bits-1:0] count_i,
  input  logic            to_clk_i,
  input  logic            to_rst_i,
  output logic [Bits-1:0] count_o
);

  logic [Bits-1:0] gray_q, meta_q, sync_q, count_d;

  always_ff @(posedge from_clk_i) gray_q <= from_rst_i ? '0 : count_i ^ (count_i >> 1);

  for (genvar i = 0; i < Bits; i++) begin : gen_bit
    assign count_d[i] = ^sync_q[Bits-1:i];
  end

  always_ff @(posedge to_clk_i) begin
    meta_q  <= to_rst_i ? '0 : gray_q;
    sync_q  <= to_rst_i ? '0 : meta_q;
    count_o <= to_rst_i ? '0 : count_d;
  end

endmodule
