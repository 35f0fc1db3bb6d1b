// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The PE's way out: a queue of stream words and the sending end of the link into the router's RAMP port.
///
/// An entry holds the words of a beat, all of one color. Its room is reserved when a beat issues and freed when the
/// entry's last word leaves, so a result never meets a full queue (OutboxNeverOverflows). Words leave in order, one per
/// cycle, if their color has a credit.
///
/// Latency: 2 cycles from push_i to valid_o.
`include "weft_check.svh"

module weft_pe_outbox
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  /// The router's buffer depth.
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  parameter int unsigned Size   = 16,
  /// Most words of an entry, at least 2.
  parameter int unsigned Words  = 2,
  parameter int unsigned LastBits = $clog2(Words),
  localparam int unsigned Bits = $clog2(Size)
) (
  input  logic               clk_i,
  input  logic               rst_i,
  /// There is room for one more entry.
  output logic               room_o,
  input  logic               reserve_i,
  input  logic               push_i,
  input  logic [LastBits-1:0] last_i,      // number of the last word
  input  color_t             color_i,
  input  logic [Words*32-1:0] words_i,
  // the link
  output logic               valid_o,
  output msg_t               msg_o,
  input  logic [Colors-1:0]  credit_i,
  output logic               busy_o,      // a word leaves at the next clock edge
  // for the debug chain: read pointer (0) and write pointer (1), the color in front, credits by bit
  output logic [1:0][Bits-1:0] pointers_o,
  output color_t             front_o,
  output logic [$clog2(Depth+1)-1:0][Colors-1:0] credits_o
);

  (* no_rw_check *) logic [Words*32-1:0] words_q [Size];
  (* no_rw_check *) logic [LastBits+4:0] what_q [Size];  // {last, color}

  logic [Bits-1:0]   wptr_q, rptr_q;
  logic [Bits:0]     free_q;
  logic              valid_q, send, pop;
  logic [LastBits-1:0] word_q;  // index of the next word in the front entry
  msg_t              msg_q;
  logic [Colors-1:0] avail, color;

  logic nonempty;
  logic [LastBits-1:0] last;
  color_t front_color;
  assign nonempty = wptr_q != rptr_q;

  always_comb begin
    send        = 1'b0;
    pop         = 1'b0;
    color       = '0;
    last        = '0;
    front_color = '0;
    `WEFT_IF_ANY(nonempty) begin
      {last, front_color} = what_q[rptr_q];
      color               = Colors'(1) << front_color;
      send                = nonempty & ((avail & color) != '0);
      pop                 = send & (word_q == last);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) begin
      words_q[wptr_q] <= words_i;
      what_q[wptr_q]  <= {last_i, color_i};
      wptr_q          <= wptr_q + Bits'(1);
    end
    if (send) begin
      msg_q  <= {1'b0, front_color, words_q[rptr_q][word_q*32+:32]};
      word_q <= pop ? '0 : word_q + LastBits'(1);
    end
    if (pop) rptr_q <= rptr_q + Bits'(1);
    if (reserve_i != pop) free_q <= pop ? free_q + (Bits + 1)'(1) : free_q - (Bits + 1)'(1);
    valid_q <= send;
    if (rst_i) begin
      wptr_q   <= '0;
      rptr_q   <= '0;
      free_q   <= (Bits + 1)'(Size - 1);
      word_q   <= '0;
      valid_q  <= 1'b0;
    end
  end

  weft_link_credits #(.Pairs(Colors), .Depth(Depth)) i_credits (
    .clk_i, .rst_i, .credit_i, .take_i(send ? color : '0), .avail_o(avail),
    .count_o(credits_o)
  );

  assign room_o  = free_q != '0;
  assign valid_o = valid_q;
  assign msg_o   = msg_q;
  assign busy_o  = send;
  assign pointers_o = {wptr_q, rptr_q};
  assign front_o    = front_color;

  `WEFT_ASSUME(OutboxNeverOverflows, !(push_i && wptr_q + Bits'(1) == rptr_q))
  `WEFT_ASSUME(RoomIsReservedOnce, !(reserve_i && free_q == '0))

endmodule
