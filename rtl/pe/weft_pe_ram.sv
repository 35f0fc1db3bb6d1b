// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A block of memory with one write port and one read port, both synchronous; the write port has lane enables.
///
/// A read in the same cycle as a write of the same address may give either value; the users exclude it (pe_hazard for
/// the SRAM; threads rest while instructions are written). A read with zero_i gives 0. Addresses from `Words` on appear
/// only with zero_i and without we_i.
///
/// Two forms: pe_ram_built, which is built, and a single array, which simulates faster.
///
/// Latency: 1 cycle from re_i to rdata_o, which holds until the next re_i.
`include "weft_check.svh"

module weft_pe_ram #(
  parameter int unsigned Words     = 256,
  parameter int unsigned Lanes     = 4,
  parameter int unsigned LaneWidth = 16,
  parameter int unsigned AddrBits  = $clog2(Words)
) (
  input  logic                        clk_i,
  input  logic [Lanes-1:0]            we_i,
  input  logic [AddrBits-1:0]         waddr_i,
  input  logic [Lanes*LaneWidth-1:0]  wdata_i,
  input  logic                        re_i,
  input  logic                        zero_i,
  input  logic [AddrBits-1:0]         raddr_i,
  output logic [Lanes*LaneWidth-1:0]  rdata_o
);

`ifdef WEFT_FAST_FORM
  typedef logic [Lanes*LaneWidth-1:0] word_t;

  word_t mem_q [Words] /* verilator public_flat_rw */;
  word_t rdata_q;

  initial for (int unsigned i = 0; i < Words; i++) mem_q[i] = '0;

  always_ff @(posedge clk_i) begin : write
    word_t word;
    word = '0;
    if (we_i != '0) begin
      word = mem_q[waddr_i];
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (we_i[l]) word[l*LaneWidth+:LaneWidth] = wdata_i[l*LaneWidth+:LaneWidth];
      end
      mem_q[waddr_i] <= word;
    end
  end

  always_ff @(posedge clk_i) begin
    if (re_i) begin
      if (zero_i) rdata_q <= '0;
      else rdata_q <= mem_q[raddr_i];
    end
  end

  assign rdata_o = rdata_q;
`else
  weft_pe_ram_built #(.Words(Words), .Lanes(Lanes), .LaneWidth(LaneWidth)) i_built (
    .clk_i, .we_i, .waddr_i, .wdata_i, .re_i, .zero_i, .raddr_i, .rdata_o
  );
`endif

endmodule
