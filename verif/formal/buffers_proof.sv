/// link_buffers alone: every queue is a FIFO.
///
/// The senders respect QueueNeverOverflows and the readers PopOnlyWhatIsThere; all other inputs are free. One queue is
/// followed: any color of link `Link`.
`include "proof.svh"

module buffers_proof
  import weft_pkg::*;
#(
  parameter int unsigned Links  = 1,
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  /// Link of the followed queue.
  parameter int unsigned Link   = 0,
  /// Colors that have a queue, the same for each link; a message of another color returns its credit immediately.
  parameter logic [Colors-1:0] Built = '1,
  /// Prove the sleep contract, not the order (asleep.v).
  parameter bit          Sleep  = 1'b0
) (
  input logic                         clk_i,
  input logic                         rst_i,
  input logic [Links-1:0]             valid_i,
  input msg_t                         msg_i [Links],
  input logic [Links-1:0][Colors-1:0] select_i,
  input logic [Links-1:0][Colors-1:0] pop_i,
  // the followed color, sampled in a reset, and the followed message
  input color_t                       color_i,
  input logic                         mark_i
);

  localparam int unsigned PtrBits   = $clog2(Depth);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned ColorIdx  = $clog2(Colors);

  `PROOF

  logic [Links-1:0][Colors-1:0] credit, nonempty;
  msg_t                         front [Links];
  logic                         bad_color, unbuilt;

  logic dut_clk;
  assign dut_clk = Sleep ? rst_i || valid_i != '0 || (credit | pop_i) != '0 : clk_i;

  weft_link_buffers #(.Links(Links), .Colors(Colors), .Depth(Depth), .Built({Links{Built}})) i_dut (
    .clk_i(dut_clk), .rst_i, .valid_i, .msg_i, .credit_o(credit), .nonempty_o(nonempty), .select_i, .front_o(front), .pop_i,
    .bad_color_o(bad_color), .unbuilt_o(unbuilt)
  );

  color_t              color_q;
  logic [ColorIdx-1:0] c;
  logic                comes;
  always_ff @(posedge clk_i) if (rst_i) color_q <= color_i;
  assign c     = color_q[ColorIdx-1:0];
  assign comes = valid_i[Link] && msg_i[Link].color == color_q;
  `GIVEN(ColorIsBuilt, 32'(color_i) < Colors)
  `PROVE(ColorStaysBuilt, 32'(color_q) < Colors)

  // ------------------------------------------------------------------------------------------------- the followed queue
  logic [PtrBits-1:0]   wptr, rptr;
  logic [CountBits-1:0] stored, ahead;
  msg_t                 oldest, at;

  always_comb begin : places
    logic [PtrBits-1:0] slot;
    for (int unsigned b = 0; b < PtrBits; b++) begin
      wptr[b] = i_dut.wptr_q[b][Link*Colors+32'(c)];
      rptr[b] = i_dut.rptr_q[b][Link*Colors+32'(c)];
    end
    slot   = rptr + PtrBits'(ahead);
    oldest = {i_dut.gen_link[Link].ram_q[{c, rptr}][32], color_q, i_dut.gen_link[Link].ram_q[{c, rptr}][31:0]};
    at     = {i_dut.gen_link[Link].ram_q[{c, slot}][32], color_q, i_dut.gen_link[Link].ram_q[{c, slot}][31:0]};
  end

  queue_view #(.Depth(Depth)) i_view (
    .clk_i, .rst_i, .nonempty_i(nonempty[Link][c]), .wptr_i(wptr), .rptr_i(rptr), .stored_o(stored)
  );

  if (!Sleep) begin : gen_order
    in_order #(.Most(Depth)) i_order (
      .clk_i, .rst_i, .push_i(comes && Built[c]), .push_msg_i(msg_i[Link]),
      .pop_i(pop_i[Link][c]), .pop_msg_i(oldest), .mark_i, .ahead_o(ahead), .inside_i(stored), .at_i(at)
    );
  end else begin : gen_no_order
    assign ahead = '0;
  end

  // ---------------------------------------------------------------------------------------------------------- the ports
  logic popped_q, came_bad_q, came_unbuilt_q;
  always_ff @(posedge clk_i) begin
    popped_q <= !rst_i && (pop_i[Link][c] || (comes && !Built[c]));
    if (rst_i) {came_bad_q, came_unbuilt_q} <= '0;
    else begin
      for (int unsigned l = 0; l < Links; l++) begin
        if (valid_i[l] && 32'(msg_i[l].color) >= Colors) came_bad_q <= 1'b1;
        if (valid_i[l] && 32'(msg_i[l].color) < Colors && !Built[msg_i[l].color[ColorIdx-1:0]]) came_unbuilt_q <= 1'b1;
      end
    end
  end

  `PROVE(FrontIsTheNextToLeave, !(nonempty[Link][c] && select_i[Link] == Colors'(1) << c) || front[Link] == oldest)
  `PROVE(OneCreditForEachThatLeaves, credit[Link][c] == popped_q)
  `PROVE(BadColorIsRemembered, bad_color == came_bad_q && unbuilt == came_unbuilt_q)
  if (Built != '1) begin : gen_left_out
    `PROVE(NothingIsStoredWhereNoQueueIs, Built[c] || !nonempty[Link][c])
    `COVER(AMessageFindsNoQueue, comes && !Built[c])
  end
  `COVER(QueueIsFull, 32'(stored) == Depth)

endmodule
