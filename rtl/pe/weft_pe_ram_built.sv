// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The built form of pe_ram: pieces that are powers of two, so that no output has more than a gate behind block RAM.
///
/// For example, 4608 words are a piece of 4096 and one of 512. A piece that is not addressed reads 0, like a read with
/// zero_i (block RAM has a reset at its output register), and all pieces are or-ed. Addresses from `Words` on lie in no
/// piece.
///
/// Contract and latency: pe_ram.
module weft_pe_ram_built #(
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

  typedef logic [Lanes*LaneWidth-1:0] word_t;

  word_t read [AddrBits+1];

  for (genvar k = 0; k <= int'(AddrBits); k++) begin : gen_piece
    localparam int unsigned Size = 1 << k;

    if (((Words >> k) & 1) == 1) begin : gen_built
      localparam int unsigned First = (Words >> (k + 1)) << (k + 1);

      (* no_rw_check *) word_t mem_q [Size];
      word_t rdata_q;
      logic  write_here, read_here;

      assign write_here = (32'(waddr_i) >> k) == (First >> k);
      assign read_here  = (32'(raddr_i) >> k) == (First >> k);

      always_ff @(posedge clk_i) begin
        for (int unsigned l = 0; l < Lanes; l++) begin
          if (we_i[l] && write_here) mem_q[waddr_i[k-1:0]][l*LaneWidth+:LaneWidth] <= wdata_i[l*LaneWidth+:LaneWidth];
        end
      end
      always_ff @(posedge clk_i) begin
        if (re_i) begin
          if (zero_i || !read_here) rdata_q <= '0;
          else rdata_q <= mem_q[raddr_i[k-1:0]];
        end
      end
      assign read[k] = rdata_q;
    end else begin : gen_none
      assign read[k] = '0;
    end
  end

  always_comb begin
    rdata_o = '0;
    for (int unsigned k = 0; k <= AddrBits; k++) rdata_o = rdata_o | read[k];
  end

endmodule
