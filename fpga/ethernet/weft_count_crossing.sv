// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Transfers a counter of one clock to another: the value of two to three cycles ago, never one that the counter did
/// not have.
///
/// The counter grows by at most one a cycle, so one bit of its Gray code changes.
module weft_count_crossing #(
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
