/// pe_sram as built, in a general tile: a vector that begins in any lane reads what was last written, element by
/// element.
///
/// The element is arbitrary, and so is all that is read and written around it. The piece of memory that has the element
/// is found here by its address, which is the invariant that the induction needs.
`include "proof.svh"

module sram_proof #(
  parameter int unsigned Words    = 6,
  parameter int unsigned Lanes    = 4,
  localparam int unsigned AddrBits = $clog2(Words),
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input logic                clk_i,
  input logic                rst_i,
  input logic [AddrBits-1:0] word_i,   // the element
  input logic [LaneBits-1:0] lane_i,
  input logic [Lanes-1:0]    we_i,
  input logic [AddrBits-1:0] waddr_i,
  input logic [LaneBits-1:0] w_lane_i,
  input logic [Lanes*16-1:0] wdata_i,
  input logic                a_re_i,
  input logic                a_zero_i,
  input logic                a_next_zero_i,
  input logic [AddrBits-1:0] a_addr_i,
  input logic [LaneBits-1:0] a_lane_i,
  input logic                b_re_i,
  input logic                b_zero_i,
  input logic                b_next_zero_i,
  input logic [AddrBits-1:0] b_addr_i,
  input logic [LaneBits-1:0] b_lane_i
);

  localparam int unsigned Top = AddrBits - 1;

  `PROOF

  typedef logic [AddrBits-1:0] addr_t;
  typedef logic [LaneBits-1:0] lane_t;

  logic [Lanes*16-1:0] a_rdata, b_rdata;

  weft_pe_sram #(.Words(Words), .Lanes(Lanes), .AnyAddress(1)) i_dut (
    .clk_i, .we_i, .waddr_i, .w_lane_i, .wdata_i,
    .a_re_i, .a_zero_i, .a_next_zero_i, .a_addr_i, .a_lane_i, .a_rdata_o(a_rdata),
    .b_re_i, .b_zero_i, .b_next_zero_i, .b_addr_i, .b_lane_i, .b_rdata_o(b_rdata)
  );

  // ---------------------------------------------------------------------------------- the element, and its last value
  addr_t       word_q;
  lane_t       lane_q;
  logic        known_q;
  logic [15:0] value_q;

  /// Place of the element in a vector from a word and a lane on; the vector has it if the place is below Lanes.
  function automatic logic [AddrBits+LaneBits-1:0] place(input addr_t word, input lane_t lane);
    return {word_q, lane_q} - {word, lane};
  endfunction

  logic [AddrBits+LaneBits-1:0] w_place, a_place, b_place;
  logic write, a_reads, b_reads, a_zero, b_zero;

  always_comb begin
    w_place = place(waddr_i, w_lane_i);
    a_place = place(a_addr_i, a_lane_i);
    b_place = place(b_addr_i, b_lane_i);
    write   = 32'(w_place) < Lanes && we_i[w_place[LaneBits-1:0]];
    a_reads = a_re_i && 32'(a_place) < Lanes;
    b_reads = b_re_i && 32'(b_place) < Lanes;
    a_zero  = (word_q == a_addr_i) ? a_zero_i : a_next_zero_i;
    b_zero  = (word_q == b_addr_i) ? b_zero_i : b_next_zero_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      word_q  <= word_i;
      lane_q  <= lane_i;
      known_q <= 1'b0;
    end else if (write) begin
      known_q <= 1'b1;
      value_q <= wdata_i[16*w_place[LaneBits-1:0]+:16];
    end
  end

  `GIVEN(ElementExists, !rst_i || 32'(word_i) < Words)
  `PROVE(ElementStays, 32'(word_q) < Words)

  // ------------------------------------------------------------------------------------------------ what users exclude
  function automatic logic [1:0] halves(input addr_t word, input lane_t lane);
    addr_t last;
    last = word + addr_t'(lane != '0);
    return {word[Top] | last[Top], ~(word[Top] & last[Top])};
  endfunction
  function automatic logic there(input addr_t word);
    return 32'(word) < Words;
  endfunction

  logic [Lanes-1:0] outside;
  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) outside[l] = !there((32'(w_lane_i) + l < Lanes) ? waddr_i : waddr_i + addr_t'(1));
  end

  `GIVEN(WritesAreInside, (we_i & outside) == '0)
  `GIVEN(ReadsOutsideAreZero, (there(a_addr_i) || a_zero_i) && (there(a_addr_i + addr_t'(1)) || a_next_zero_i)
                              && (there(b_addr_i) || b_zero_i) && (there(b_addr_i + addr_t'(1)) || b_next_zero_i))
  `GIVEN(EachHalfReadsOnce, !(a_re_i && b_re_i) || (halves(a_addr_i, a_lane_i) & halves(b_addr_i, b_lane_i)) == '0)
  `GIVEN(NoReadOfWhatIsWritten, !(write && (a_reads || b_reads)))
  `GIVEN(NothingInAReset, !rst_i || we_i == '0)

  // ------------------------------------------------------------------------------------------------------ what is read
  logic  a_check_q, b_check_q, a_next_q;  // a_next_q: the element is in the second word
  lane_t a_at_q, b_at_q;
  logic [15:0] a_value_q, b_value_q;
  logic [15:0] a_read, b_read;

  always_ff @(posedge clk_i) begin
    a_check_q <= !rst_i && a_reads && (known_q || a_zero);
    b_check_q <= !rst_i && b_reads && (known_q || b_zero);
    a_next_q  <= word_q != a_addr_i;
    a_at_q    <= a_place[LaneBits-1:0];
    b_at_q    <= b_place[LaneBits-1:0];
    a_value_q <= a_zero ? '0 : value_q;
    b_value_q <= b_zero ? '0 : value_q;
  end

  assign a_read = a_rdata[16*a_at_q+:16];
  assign b_read = b_rdata[16*b_at_q+:16];

  `PROVE(ReadsTheLastWrite, (!a_check_q || a_read == a_value_q) && (!b_check_q || b_read == b_value_q))
  `COVER(ReadsAcrossWords, a_check_q && a_next_q && a_value_q != '0)

  // ------------------------------------------------------------------------------------------------------ its invariant
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    for (genvar h = 0; h < 2; h++) begin : gen_half
      localparam int unsigned Size  = (h == 0) ? 1 << Top : Words - (1 << Top);
      localparam int unsigned Bits  = (Size > 1) ? $clog2(Size) : 1;
      localparam int unsigned Begin = h << Top;
      for (genvar k = 1; k <= int'(Bits); k++) begin : gen_piece
        if (((Size >> k) & 1) == 1) begin : gen_built
          localparam int unsigned First = Begin + ((Size >> (k + 1)) << (k + 1));
          logic here;
          assign here = 32'(lane_q) == l && 32'(word_q) >= First && 32'(word_q) < First + (1 << k);
          `PROVE(MemoryHasTheElement, !known_q || !here
              || i_dut.gen_vectors.gen_lane[l].gen_half[h].i_half.gen_piece[k].gen_built.mem_q[word_q[k-1:0]] == value_q)
        end
      end
    end
  end

endmodule
