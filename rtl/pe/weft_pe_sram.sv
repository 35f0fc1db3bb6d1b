/// The tile's memory: one write port with lane enables, and two read ports, a and b, all synchronous.
///
/// Two halves, selected by the top bit of the address, have one read and one write each: a and b may read in one cycle
/// if they are in different halves (pe_main_seq ensures that). Otherwise the contract is pe_ram's: no read together
/// with a write of the same address, 0 with a zero_i, no address from `Words` on but with zero_i.
///
/// Two forms: halves of pe_ram_built, and a single array, which simulates faster (and whose halves may be smaller than
/// the built ones).
///
/// Latency: 1 cycle from a re_i to its rdata_o.
`include "weft_check.svh"

module weft_pe_sram #(
  parameter int unsigned Words    = 6144,
  parameter int unsigned Lanes    = 4,
  parameter int unsigned AddrBits = $clog2(Words)
) (
  input  logic                 clk_i,
  input  logic [Lanes-1:0]     we_i,
  input  logic [AddrBits-1:0]  waddr_i,
  input  logic [Lanes*16-1:0]  wdata_i,
  input  logic                 a_re_i,
  input  logic                 a_zero_i,
  input  logic [AddrBits-1:0]  a_addr_i,
  output logic [Lanes*16-1:0]  a_rdata_o,
  input  logic                 b_re_i,
  input  logic                 b_zero_i,
  input  logic [AddrBits-1:0]  b_addr_i,
  output logic [Lanes*16-1:0]  b_rdata_o
);

  typedef logic [Lanes*16-1:0] word_t;

`ifdef WEFT_FAST_FORM
  word_t mem_q [Words] /* verilator public_flat_rw */;
  word_t a_q, b_q;

  initial for (int unsigned i = 0; i < Words; i++) mem_q[i] = '0;

  always_ff @(posedge clk_i) begin : write
    word_t word;
    word = '0;
    if (we_i != '0) begin
      word = mem_q[waddr_i];
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (we_i[l]) word[l*16+:16] = wdata_i[l*16+:16];
      end
      mem_q[waddr_i] <= word;
    end
  end

  always_ff @(posedge clk_i) begin
    if (a_re_i) begin
      if (a_zero_i) a_q <= '0;
      else a_q <= mem_q[a_addr_i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (b_re_i) begin
      if (b_zero_i) b_q <= '0;
      else b_q <= mem_q[b_addr_i];
    end
  end

  assign a_rdata_o = a_q;
  assign b_rdata_o = b_q;
`else
  localparam int unsigned Top   = AddrBits - 1;
  localparam int unsigned First = 1 << Top;  // words of the lower half

  word_t [1:0] read;
  logic        a_upper_q, b_upper_q;

  for (genvar h = 0; h < 2; h++) begin : gen_half
    localparam int unsigned Size = (h == 0) ? First : Words - First;
    localparam int unsigned Bits = (Size > 1) ? $clog2(Size) : 1;
    logic a_here, b_here;

    assign a_here = a_re_i & (a_addr_i[Top] == 1'(h));
    assign b_here = b_re_i & (b_addr_i[Top] == 1'(h));

    weft_pe_ram_built #(.Words(Size), .Lanes(Lanes), .LaneWidth(16), .AddrBits(Bits)) i_half (
      .clk_i, .we_i(we_i & {Lanes{waddr_i[Top] == 1'(h)}}), .waddr_i(waddr_i[Bits-1:0]), .wdata_i,
      .re_i(a_here | b_here), .zero_i(a_here ? a_zero_i : b_zero_i), .raddr_i(a_here ? a_addr_i[Bits-1:0] : b_addr_i[Bits-1:0]),
      .rdata_o(read[h])
    );
  end

  always_ff @(posedge clk_i) begin
    if (a_re_i) a_upper_q <= a_addr_i[Top];
    if (b_re_i) b_upper_q <= b_addr_i[Top];
  end

  assign a_rdata_o = read[a_upper_q];
  assign b_rdata_o = read[b_upper_q];
`endif

endmodule
