// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The PE's way out in a general tile: a queue of stream words for each color, and the sending end of the link into the
/// router's RAMP port.
///
/// An entry holds the words of a beat. Its room in the queue of its color is reserved when the beat issues and freed
/// when the entry's last word leaves, so a result never meets a full queue (OutboxNeverOverflows). Words of one color
/// leave in order. In each cycle one word leaves, of a color that has one and a credit; such colors take turns, so a
/// word waits for each other color at most once, and for no color without a credit.
///
/// Contract otherwise, and latency: pe_outbox.
`include "weft_check.svh"

module weft_pe_outboxes
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  /// The router's buffer depth.
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  /// Entries of a color, a power of two; one stays free.
  parameter int unsigned Size   = 16,
  /// Most words of an entry, at least 2.
  parameter int unsigned Words  = 2,
  parameter int unsigned LastBits = $clog2(Words),
  localparam int unsigned Bits = $clog2(Size)
) (
  input  logic               clk_i,
  input  logic               rst_i,
  /// There is room for one more entry of each of these colors.
  output logic [Colors-1:0]  room_o,
  input  logic               reserve_i,
  input  color_t             reserve_color_i,
  input  logic               push_i,
  input  logic [LastBits-1:0] last_i,      // number of the last word
  input  color_t             color_i,
  input  logic [Words*32-1:0] words_i,
  // the link
  output logic               valid_o,
  output msg_t               msg_o,
  input  logic [Colors-1:0]  credit_i,
  output logic               busy_o,      // a word leaves at the next clock edge
  output logic [$clog2(Depth+1)-1:0][Colors-1:0] credits_o
);

  localparam int unsigned Entries = Colors * Size;
  localparam int unsigned AddrBits = $clog2(Entries);

  typedef logic [Colors-1:0]   set_t;
  typedef logic [AddrBits-1:0] addr_t;

  (* no_rw_check *) logic [Words*32-1:0] words_q [Entries];  // [color * Size + place]
  (* no_rw_check *) logic [LastBits-1:0] last_q [Entries];

  logic [Colors-1:0][Bits-1:0]     wptr_q, rptr_q;
  logic [Colors-1:0][Bits:0]       free_q;
  logic [Colors-1:0][LastBits-1:0] word_q;  // index of the next word in the front entry
  logic                valid_q, send, pop, again;
  msg_t                msg_q;
  set_t                nonempty, avail, pick, reserved, popped;
  color_t              color;
  logic [LastBits-1:0] word, last;
  addr_t               front;
  logic [31:0]         data;

  always_comb begin
    for (int unsigned c = 0; c < Colors; c++) nonempty[c] = wptr_q[c] != rptr_q[c];
  end

  weft_rr_arbiter #(.Colors(Colors)) i_arbiter (
    .clk_i, .rst_i, .request_i(nonempty & avail), .pick_o(pick), .again_o(again), .lock_i(1'b0)
  );

  always_comb begin
    color = '0;
    front = '0;
    word  = '0;
    last  = '0;
    data  = '0;
    send  = pick != '0;
    pop   = 1'b0;
    `WEFT_IF_ANY(pick) begin
      for (int unsigned c = 0; c < Colors; c++) begin
        if (pick[c]) begin
          color = color | color_t'(c);
          front = front | addr_t'(c * Size) | addr_t'(rptr_q[c]);
          word  = word | word_q[c];
        end
      end
      last = last_q[front];
      data = words_q[front][word*32+:32];
      pop  = send & (word == last);
    end
  end

  assign reserved = reserve_i ? set_t'(1) << reserve_color_i : '0;
  assign popped   = pop ? pick : '0;

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Colors; c++) begin
      if (push_i && color_i == color_t'(c)) begin
        words_q[addr_t'(c*Size)|addr_t'(wptr_q[c])] <= words_i;
        last_q[addr_t'(c*Size)|addr_t'(wptr_q[c])]  <= last_i;
        wptr_q[c] <= wptr_q[c] + Bits'(1);
      end
      if (pick[c]) word_q[c] <= pop ? '0 : word_q[c] + LastBits'(1);
      if (popped[c]) rptr_q[c] <= rptr_q[c] + Bits'(1);
      if (reserved[c] != popped[c]) free_q[c] <= popped[c] ? free_q[c] + (Bits + 1)'(1) : free_q[c] - (Bits + 1)'(1);
    end
    if (send) msg_q <= {1'b0, color, data};
    valid_q <= send;
    if (rst_i) begin
      wptr_q  <= '0;
      rptr_q  <= '0;
      word_q  <= '0;
      valid_q <= 1'b0;
      for (int unsigned c = 0; c < Colors; c++) free_q[c] <= (Bits + 1)'(Size - 1);
    end
  end

  weft_link_credits #(.Pairs(Colors), .Depth(Depth)) i_credits (
    .clk_i, .rst_i, .credit_i, .take_i(pick), .avail_o(avail), .count_o(credits_o)
  );

  always_comb begin
    for (int unsigned c = 0; c < Colors; c++) room_o[c] = free_q[c] != '0;
  end

  assign valid_o = valid_q;
  assign msg_o   = msg_q;
  assign busy_o  = send;

  logic unused;
  assign unused = again;

`ifdef WEFT_CHECKED
  logic [Colors-1:0] full, taken;  // the entry that is pushed would overflow; the one that is reserved has no room
  always_comb begin
    for (int unsigned c = 0; c < Colors; c++) begin
      full[c]  = push_i && color_i == color_t'(c) && wptr_q[c] + Bits'(1) == rptr_q[c];
      taken[c] = reserve_i && reserve_color_i == color_t'(c) && free_q[c] == '0;
    end
  end
`endif
  `WEFT_ASSUME(OutboxNeverOverflows, full == '0)
  `WEFT_ASSUME(RoomIsReservedOnce, taken == '0)
  `WEFT_ASSUME(OnlyBuiltColors, !(push_i && 32'(color_i) >= Colors) && !(reserve_i && 32'(reserve_color_i) >= Colors))

endmodule
