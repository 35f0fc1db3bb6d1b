/// pe_outboxes: the words of each color leave in order, none lost or doubled, and no color waits for one that lacks a
/// credit.
///
/// One color, chosen in a reset, is followed, and of its entries one word: word `sel_q`. An entry without that word
/// counts as 0. Beats reserve room when they issue and push their words later, in any order that the room permits.
`include "proof.svh"

module outboxes_proof
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  parameter int unsigned Size   = 4,
  localparam int unsigned Words = 2,
  localparam int unsigned Bits  = $clog2(Size)
) (
  input logic                clk_i,
  input logic                rst_i,
  input logic                want_reserve_i,
  input color_t              reserve_color_i,
  input logic                want_push_i,
  input color_t              push_color_i,
  input logic                last_i,
  input logic [Words*32-1:0] words_i,
  input logic [Colors-1:0]   give_i,
  // the followed color and word, sampled in a reset, and the followed entry
  input color_t              color_i,
  input logic                sel_i,
  input logic                mark_i
);

  localparam int unsigned ColorIdx = $clog2(Colors);
  localparam int unsigned CreditBits = $clog2(Depth + 1);

  typedef logic [$clog2(Size+1)-1:0] count_t;

  `PROOF

  logic [Colors-1:0] room, credit;
  logic [Colors-1:0][CreditBits-1:0] kept;
  logic [CreditBits-1:0][Colors-1:0] credits;
  logic   reserve, push, valid, busy;
  msg_t   msg;

  logic [Colors-1:0][Bits:0] reserved_q;  // beats in flight

  always_comb begin
    reserve = 1'b0;
    push    = 1'b0;
    for (int unsigned c = 0; c < Colors; c++) begin
      if (reserve_color_i == color_t'(c)) reserve = want_reserve_i && room[c];
      if (push_color_i == color_t'(c)) push = want_push_i && reserved_q[c] != '0;
    end
  end

  weft_pe_outboxes #(.Colors(Colors), .Depth(Depth), .Size(Size), .Words(Words)) i_dut (
    .clk_i, .rst_i, .room_o(room), .reserve_i(reserve), .reserve_color_i, .push_i(push), .last_i, .color_i(push_color_i),
    .words_i, .valid_o(valid), .msg_o(msg), .credit_i(credit), .busy_o(busy), .credits_o(credits)
  );

  downstream #(.Colors(Colors), .Depth(Depth)) i_router (
    .clk_i, .rst_i, .valid_i(valid), .color_i(msg.color), .give_i, .credit_o(credit), .kept_o(kept)
  );

  // ---------------------------------------------------------------------------------------------- room and credits
  logic [Colors-1:0][Bits-1:0] stored;

  for (genvar q = 0; q < int'(Colors); q++) begin : gen_color
    logic [CreditBits-1:0] held;
    always_comb begin
      for (int unsigned b = 0; b < CreditBits; b++) held[b] = credits[b][q];
    end
    assign stored[q] = i_dut.wptr_q[q] - i_dut.rptr_q[q];

    always_ff @(posedge clk_i) begin
      if (rst_i) reserved_q[q] <= '0;
      else reserved_q[q] <= reserved_q[q] + (Bits + 1)'(reserve && reserve_color_i == color_t'(q))
                            - (Bits + 1)'(push && push_color_i == color_t'(q));
    end

    `PROVE(RoomIsConserved, 32'(i_dut.free_q[q]) + 32'(stored[q]) + 32'(reserved_q[q]) == Size - 1)
    `PROVE(CreditsAreConserved, 32'(held) + 32'(valid && msg.color == color_t'(q)) + 32'(kept[q]) == Depth)
    `PROVE(WordIsOfTheEntry, stored[q] == '0 ? i_dut.word_q[q] == '0
                             : i_dut.word_q[q] <= i_dut.last_q[q*int'(Size)+int'(i_dut.rptr_q[q])])
  end

  // ------------------------------------------------------------------------------------------------ the followed color
  color_t              color_q;
  logic                sel_q;
  logic [ColorIdx-1:0] c;
  always_ff @(posedge clk_i) if (rst_i) {color_q, sel_q} <= {color_i, sel_i};
  assign c = color_q[ColorIdx-1:0];
  `GIVEN(ColorIsBuilt, 32'(color_i) < Colors)
  `PROVE(ColorStaysBuilt, 32'(color_q) < Colors)

  /// An entry, by its followed word.
  function automatic msg_t followed(input logic last, input logic [Words*32-1:0] words);
    return {last, color_q, (sel_q > last) ? 32'd0 : words[32*sel_q+:32]};
  endfunction

  logic        mine;
  logic [31:0] sent_q, word;  // the followed word of the front entry that has left in part
  always_comb begin
    mine = i_dut.pick[c];
    word = (sel_q > i_dut.last) ? 32'd0 : (i_dut.word == sel_q) ? i_dut.data : sent_q;
  end
  always_ff @(posedge clk_i) if (mine && i_dut.word == sel_q) sent_q <= i_dut.data;

  count_t ahead;
  msg_t   at;
  always_comb begin : places
    logic [Bits-1:0] place;
    place = i_dut.rptr_q[c] + Bits'(ahead);
    at    = followed(i_dut.last_q[32'(c)*Size+32'(place)], i_dut.words_q[32'(c)*Size+32'(place)]);
  end

  in_order #(.Most(Size)) i_order (
    .clk_i, .rst_i, .push_i(push && push_color_i == color_q), .push_msg_i(followed(last_i, words_i)),
    .pop_i(i_dut.pop && mine), .pop_msg_i({i_dut.last, color_q, word}), .mark_i, .ahead_o(ahead),
    .inside_i(count_t'(stored[c])), .at_i(at)
  );

  `PROVE(SentIsOfTheEntry, i_dut.word_q[c] <= sel_q
                           || sent_q == i_dut.words_q[32'(c)*Size+32'(i_dut.rptr_q[c])][32*sel_q+:32])

  // A word that was picked is on the link a cycle later.
  logic        was_mine_q, picked_q;
  logic [31:0] data_q;
  always_ff @(posedge clk_i) begin
    was_mine_q <= !rst_i && mine;
    picked_q   <= !rst_i && i_dut.send;
    data_q     <= i_dut.data;
  end
  `PROVE(LinkHasWhatWasPicked, valid == picked_q && (valid && msg.color == color_q) == was_mine_q
                               && (!was_mine_q || (msg.data == data_q && !msg.ctrl)))

  // A word waits for each other color at most once, and for none without a credit.
  logic [$clog2(Colors+1)-1:0] distance;
  bounded_wait #(.Requests(Colors)) i_bounded_wait (
    .clk_i, .rst_i, .of_i(c), .request_i(i_dut.nonempty[c] && i_dut.avail[c]), .chosen_i(i_dut.send), .mine_i(mine),
    .above_i(i_dut.i_arbiter.from_q), .distance_o(distance)
  );

  logic any;  // the followed color has a word and a credit
  assign any = i_dut.nonempty[c] && i_dut.avail[c];
  `PROVE(SomeWordLeaves, !any || i_dut.send)
  `PROVE(NextInLineLeaves, !(any && distance == '0) || mine)
  `PROVE(OthersTakeNoRoom, room[c] == (32'(stored[c]) + 32'(reserved_q[c]) != Size - 1))

  logic blocked;  // all other colors are full and without a credit
  always_comb begin
    blocked = 1'b1;
    for (int unsigned q = 0; q < Colors; q++)
      if (color_t'(q) != color_q) blocked = blocked && 32'(stored[q]) == Size - 1 && !i_dut.avail[q];
  end
  `COVER(LeavesWhileAllOthersAreFull, blocked && mine)

  logic unused;
  assign unused = ^{busy, distance};

endmodule
