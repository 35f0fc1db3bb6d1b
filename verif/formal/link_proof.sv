/// Both ends of a link: link_credits, the register at the sender's edge, and link_buffers. Credits are conserved.
///
/// The only assumptions are about the users of the ends: one message per cycle, of a color that has a credit; pops only
/// of nonempty queues. Nothing is assumed about the two modules, so the assumptions that each of them makes are proved
/// here: a sender with credits never overflows a queue, and never receives a credit too many.
`include "proof.svh"

module link_proof
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth
) (
  input logic              clk_i,
  input logic              rst_i,
  input logic              send_i,
  input msg_t              msg_i,
  input logic [Colors-1:0] want_pop_i
);

  localparam int unsigned PtrBits   = $clog2(Depth);
  localparam int unsigned CountBits = $clog2(Depth + 1);

  `PROOF

  logic [Colors-1:0] credit, nonempty, take, avail;
  logic              valid_q;
  msg_t              msg_q;

  always_comb begin
    take = '0;
    for (int unsigned c = 0; c < Colors; c++) take[c] = send_i && msg_i.color == color_t'(c) && avail[c];
  end

  weft_link_credits #(.Pairs(Colors), .Depth(Depth)) i_credits (
    .clk_i, .rst_i, .credit_i(credit), .take_i(take), .avail_o(avail)
  );

  always_ff @(posedge clk_i) begin
    valid_q <= !rst_i && take != '0;
    msg_q   <= msg_i;
  end

  msg_t front [1];
  logic bad_color;
  weft_link_buffer #(.Colors(Colors), .Depth(Depth)) i_buffer (
    .clk_i, .rst_i, .valid_i(valid_q), .msg_i(msg_q), .credit_o(credit),
    .nonempty_o(nonempty), .select_i('0), .front_o(front), .pop_i(want_pop_i & nonempty), .bad_color_o(bad_color)
  );

  for (genvar c = 0; c < int'(Colors); c++) begin : gen_color
    logic [CountBits-1:0] credits, stored;
    logic [PtrBits-1:0]   wptr, rptr;
    logic                 in_flight;

    always_comb begin
      for (int unsigned b = 0; b < CountBits; b++) credits[b] = i_credits.count_q[b][c];
      for (int unsigned b = 0; b < PtrBits; b++) begin
        wptr[b] = i_buffer.i_buffers.wptr_q[b][c];
        rptr[b] = i_buffer.i_buffers.rptr_q[b][c];
      end
      in_flight = valid_q && msg_q.color == color_t'(c);
    end

    queue_view #(.Depth(Depth)) i_view (
      .clk_i, .rst_i, .nonempty_i(nonempty[c]), .wptr_i(wptr), .rptr_i(rptr), .stored_o(stored)
    );

    `PROVE(CreditsAreConserved, 32'(credits) + 32'(in_flight) + 32'(stored) + 32'(credit[c]) == Depth)
    `PROVE(AvailMeansACredit, avail[c] == (credits != '0))
    `COVER(AllCreditsAreOut, credits == '0 && 32'(stored) == Depth)
    `COVER(AllFourPlacesAtOnce, Depth < 4 || (credits != '0 && in_flight && stored != '0 && credit[c]))
  end

  `PROVE(OnlyBuiltColors, !bad_color && (!valid_q || 32'(msg_q.color) < Colors))

  logic unused;
  assign unused = ^front[0];

endmodule
