// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The tile's memory: one write port with lane enables, and two read ports, a and b, all synchronous.
///
/// Two halves, selected by the top bit of the address, have one read and one write each: a and b may read in one cycle
/// if they are in different halves (pe_main_seq ensures that). Otherwise the contract is pe_ram's: no read together
/// with a write of the same address, 0 with a zero_i, no address from `Words` on but with zero_i.
///
/// With AnyAddress a vector may begin in any lane of a word (a_lane_i, b_lane_i, w_lane_i) and then ends in the next
/// word (the first one behind the last): each lane has a memory with an address of its own, and the lanes are rotated.
/// The two words have a zero_i each, and we_i counts the vector's lanes. Without AnyAddress these inputs are ignored. In
/// both cases the data ports have the vector's lanes in order.
///
/// Two forms: halves of pe_ram_built, and a single array, which simulates faster (and whose halves may be smaller than
/// the built ones).
///
/// Latency: 1 cycle from a re_i to its rdata_o.
`include "weft_check.svh"

module weft_pe_sram #(
  parameter int unsigned Words    = 6144,
  parameter int unsigned Lanes    = 4,
  /// 1: vectors begin in any lane.
  parameter int unsigned AnyAddress = 0,
  parameter int unsigned AddrBits = $clog2(Words),
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic                 clk_i,
  input  logic [Lanes-1:0]     we_i,
  input  logic [AddrBits-1:0]  waddr_i,
  input  logic [LaneBits-1:0]  w_lane_i,
  input  logic [Lanes*16-1:0]  wdata_i,
  input  logic                 a_re_i,
  input  logic                 a_zero_i,
  input  logic                 a_next_zero_i,
  input  logic [AddrBits-1:0]  a_addr_i,
  input  logic [LaneBits-1:0]  a_lane_i,
  output logic [Lanes*16-1:0]  a_rdata_o,
  input  logic                 b_re_i,
  input  logic                 b_zero_i,
  input  logic                 b_next_zero_i,
  input  logic [AddrBits-1:0]  b_addr_i,
  input  logic [LaneBits-1:0]  b_lane_i,
  output logic [Lanes*16-1:0]  b_rdata_o
);

  typedef logic [Lanes*16-1:0] word_t;

  if (AnyAddress == 0) begin : gen_aligned
    logic unused;
    assign unused = ^{w_lane_i, a_lane_i, b_lane_i, a_next_zero_i, b_next_zero_i};
  end

`ifdef WEFT_FAST_FORM
  word_t mem_q [Words] /* verilator public_flat_rw */;
  word_t a_q, b_q;

  initial for (int unsigned i = 0; i < Words; i++) mem_q[i] = '0;

  if (AnyAddress == 0) begin : gen_words
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
  end else begin : gen_vectors
    logic [AddrBits-1:0] w_next, a_next, b_next;
    assign w_next = waddr_i + AddrBits'(1);
    assign a_next = a_addr_i + AddrBits'(1);
    assign b_next = b_addr_i + AddrBits'(1);

    always_ff @(posedge clk_i) begin : write
      logic [2*Lanes-1:0]    we;
      logic [2*Lanes*16-1:0] words;
      {we, words} = '0;
      if (we_i != '0) begin
        we    = (2 * Lanes)'(we_i) << w_lane_i;
        words = (2 * Lanes * 16)'(wdata_i) << {w_lane_i, 4'b0};
        for (int unsigned l = 0; l < 2 * Lanes; l++) begin
          if (!we[l]) words[l*16+:16] = (l < Lanes) ? mem_q[waddr_i][l%Lanes*16+:16] : mem_q[w_next][l%Lanes*16+:16];
        end
        if (we[Lanes-1:0] != '0) mem_q[waddr_i] <= words[Lanes*16-1:0];
        if (we[2*Lanes-1:Lanes] != '0) mem_q[w_next] <= words[2*Lanes*16-1:Lanes*16];
      end
    end

    always_ff @(posedge clk_i) begin : read_a
      word_t first, next;
      {first, next} = '0;
      if (a_re_i) begin
        if (!a_zero_i) first = mem_q[a_addr_i];
        if (!a_next_zero_i) next = mem_q[a_next];
        a_q <= word_t'({next, first} >> {a_lane_i, 4'b0});
      end
    end

    always_ff @(posedge clk_i) begin : read_b
      word_t first, next;
      {first, next} = '0;
      if (b_re_i) begin
        if (!b_zero_i) first = mem_q[b_addr_i];
        if (!b_next_zero_i) next = mem_q[b_next];
        b_q <= word_t'({next, first} >> {b_lane_i, 4'b0});
      end
    end
  end

  assign a_rdata_o = a_q;
  assign b_rdata_o = b_q;
`else
  localparam int unsigned Top   = AddrBits - 1;
  localparam int unsigned First = 1 << Top;  // words of the lower half

  word_t [1:0] read;

  if (AnyAddress == 0) begin : gen_words
    logic a_upper_q, b_upper_q;

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
  end else begin : gen_vectors
    // A vector's lane l is in lane (l + lane_i) mod Lanes of memory.
    logic [Lanes-1:0]    we;
    word_t               wdata, a_read, b_read;
    logic [LaneBits-1:0] a_lane_q, b_lane_q;

    assign we    = Lanes'({we_i, we_i} >> ((LaneBits + 1)'(Lanes) - (LaneBits + 1)'(w_lane_i)));
    assign wdata = word_t'({wdata_i, wdata_i} >> {(LaneBits + 1)'(Lanes) - (LaneBits + 1)'(w_lane_i), 4'b0});

    always_ff @(posedge clk_i) begin
      if (a_re_i) a_lane_q <= a_lane_i;
      if (b_re_i) b_lane_q <= b_lane_i;
    end

    for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
      logic                a_next, b_next, a_upper_q, b_upper_q;
      logic [AddrBits-1:0] w_addr, a_addr, b_addr;

      assign a_next = 32'(a_lane_i) > 32'(l);
      assign b_next = 32'(b_lane_i) > 32'(l);
      assign w_addr = waddr_i + AddrBits'(32'(w_lane_i) > 32'(l));
      assign a_addr = a_addr_i + AddrBits'(a_next);
      assign b_addr = b_addr_i + AddrBits'(b_next);

      for (genvar h = 0; h < 2; h++) begin : gen_half
        localparam int unsigned Size = (h == 0) ? First : Words - First;
        localparam int unsigned Bits = (Size > 1) ? $clog2(Size) : 1;
        logic a_here, b_here, a_zero, b_zero;

        assign a_here = a_re_i & (a_addr[Top] == 1'(h));
        assign b_here = b_re_i & (b_addr[Top] == 1'(h));
        assign a_zero = a_next ? a_next_zero_i : a_zero_i;
        assign b_zero = b_next ? b_next_zero_i : b_zero_i;

        weft_pe_ram_built #(.Words(Size), .Lanes(1), .LaneWidth(16), .AddrBits(Bits)) i_half (
          .clk_i, .we_i(we[l] & (w_addr[Top] == 1'(h))), .waddr_i(w_addr[Bits-1:0]), .wdata_i(wdata[l*16+:16]),
          .re_i(a_here | b_here), .zero_i(a_here ? a_zero : b_zero), .raddr_i(a_here ? a_addr[Bits-1:0] : b_addr[Bits-1:0]),
          .rdata_o(read[h][l*16+:16])
        );
      end

      always_ff @(posedge clk_i) begin
        if (a_re_i) a_upper_q <= a_addr[Top];
        if (b_re_i) b_upper_q <= b_addr[Top];
      end

      assign a_read[l*16+:16] = read[a_upper_q][l*16+:16];
      assign b_read[l*16+:16] = read[b_upper_q][l*16+:16];
    end

    assign a_rdata_o = word_t'({a_read, a_read} >> {a_lane_q, 4'b0});
    assign b_rdata_o = word_t'({b_read, b_read} >> {b_lane_q, 4'b0});
  end
`endif

endmodule
