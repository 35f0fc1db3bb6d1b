// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The sending end of a link: counts the messages that may still be sent, for many (link, color) pairs at once.
///
/// Each of the `Pairs` bits is one pair. It starts with `Depth` credits, `take_i` uses one (only if `avail_o`), `credit_i`
/// gives one back. Counters are bit-sliced: bit i of every vector belongs to pair i.
///
/// Latency: a returned credit is counted at the end of its cycle. avail_o comes from registers.
`include "weft_check.svh"

module weft_link_credits #(
  /// Pairs of link and color.
  parameter int unsigned Pairs = 4,
  /// The receiver's slots for each pair.
  parameter int unsigned Depth = weft_isa_pkg::DefaultDepth,
  localparam int unsigned Bits = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [Pairs-1:0] credit_i,
  input  logic [Pairs-1:0] take_i,
  output logic [Pairs-1:0] avail_o,
  output logic [Bits-1:0][Pairs-1:0] count_o  // for the debug chain
);

  `WEFT_PARAM(Depth >= 1, "weft_link_credits: make Depth 1 or more, the receiver's Depth")

  typedef logic [Bits-1:0][Pairs-1:0] counts_t;  // [bit][pair]

  counts_t          count_q;
  logic [Pairs-1:0] avail;

  // All that depends on the inputs is computed at the clock edge, so that a simulator computes it once.
  always_ff @(posedge clk_i) begin : count
    logic [Pairs-1:0] carry, borrow;
    counts_t          next;
    {carry, borrow, next} = '0;
    `WEFT_IF_ANY(credit_i ^ take_i) begin
      carry  = credit_i & ~take_i;
      borrow = take_i & ~credit_i;
      for (int unsigned b = 0; b < Bits; b++) begin
        next[b] = count_q[b] ^ carry ^ borrow;
        carry   = carry & count_q[b];
        borrow  = borrow & ~count_q[b];
      end
      count_q <= next;
    end
    if (rst_i) begin
      for (int unsigned b = 0; b < Bits; b++) count_q[b] <= Depth[b] ? '1 : '0;
    end
  end

  always_comb begin
    avail = '0;
    for (int unsigned b = 0; b < Bits; b++) avail = avail | count_q[b];
  end

  assign avail_o = avail;
  assign count_o = count_q;

`ifdef WEFT_CHECKED
  logic [Pairs-1:0] full;
  always_comb begin
    full = '1;
    for (int unsigned b = 0; b < Bits; b++) full = full & ~(count_q[b] ^ {Pairs{Depth[b]}});
  end
`endif
  `WEFT_ASSUME(CreditNeverNegative, (take_i & ~avail) == '0)
  `WEFT_ASSUME(CreditNeverAboveDepth, (credit_i & ~take_i & full) == '0)

endmodule
