/// outlet: messages that a tile sends west reach the host, each color in order; colors take turns; an offer stays until
/// taken.
`include "proof.svh"

module outlet_proof
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  /// Prove the sleep contract, too (asleep.v).
  parameter bit          Sleep  = 1'b0
) (
  input logic   clk_i,
  input logic   rst_i,
  input logic   want_i,
  input msg_t   msg_i,
  input logic   host_ready_i,
  // the followed color, sampled in a reset, and the followed message
  input color_t color_i,
  input logic   mark_i
);

  localparam int unsigned PtrBits   = $clog2(Depth);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned ColorIdx  = $clog2(Colors);

  `PROOF

  logic [Colors-1:0]                credit;
  logic [Colors-1:0][CountBits-1:0] owed, stored;
  logic                             valid, host_valid, awake, bad_color;
  msg_t                             host_msg;

  upstream #(.Colors(Colors), .Depth(Depth), .Wild(1'b1)) i_tile (
    .clk_i, .rst_i, .want_i, .msg_i, .valid_o(valid), .credit_i(credit), .owed_o(owed)
  );

  logic dut_clk;
  assign dut_clk = Sleep ? rst_i || awake || valid : clk_i;

  weft_outlet #(.Colors(Colors), .Depth(Depth)) i_dut (
    .clk_i(dut_clk), .rst_i, .valid_i(valid), .msg_i, .credit_o(credit), .host_valid_o(host_valid), .host_msg_o(host_msg),
    .host_ready_i, .awake_o(awake), .bad_color_o(bad_color)
  );

  color_t              color_q;
  logic [ColorIdx-1:0] c;
  always_ff @(posedge clk_i) if (rst_i) color_q <= color_i;
  assign c = color_q[ColorIdx-1:0];
  `GIVEN(ColorIsBuilt, 32'(color_i) < Colors)
  `PROVE(ColorStaysBuilt, 32'(color_q) < Colors)

  logic [Colors-1:0][PtrBits-1:0] wptr, rptr;
  for (genvar q = 0; q < int'(Colors); q++) begin : gen_color
    always_comb begin
      for (int unsigned b = 0; b < PtrBits; b++) begin
        wptr[q][b] = i_dut.i_buffer.i_buffers.wptr_q[b][q];
        rptr[q][b] = i_dut.i_buffer.i_buffers.rptr_q[b][q];
      end
    end
    queue_view #(.Depth(Depth)) i_view (
      .clk_i, .rst_i, .nonempty_i(i_dut.nonempty[q]), .wptr_i(wptr[q]), .rptr_i(rptr[q]), .stored_o(stored[q])
    );
    `PROVE(CreditsAreConserved, 32'(owed[q]) == 32'(stored[q]) + 32'(credit[q]))
  end

  // Messages of the color: the offered one, then those in the buffer.
  logic                         offered;
  logic [$clog2(Depth+2)-1:0]   ahead;
  msg_t                         at;
  always_comb begin : places
    logic [PtrBits-1:0] slot;
    offered = host_valid && host_msg.color == color_q;
    slot    = rptr[c] + PtrBits'(ahead) - PtrBits'(offered);
    at      = {i_dut.i_buffer.i_buffers.gen_link[0].ram_q[{c, slot}][32], color_q,
               i_dut.i_buffer.i_buffers.gen_link[0].ram_q[{c, slot}][31:0]};
    if (offered && ahead == '0) at = host_msg;
  end

  if (!Sleep) begin : gen_order
    in_order #(.Most(Depth + 1)) i_order (
      .clk_i, .rst_i, .push_i(valid && msg_i.color == color_q), .push_msg_i(msg_i),
      .pop_i(offered && host_ready_i), .pop_msg_i(host_msg), .mark_i, .ahead_o(ahead),
      .inside_i($bits(ahead)'(stored[c]) + $bits(ahead)'(offered)), .at_i(at)
    );
  end else begin : gen_no_order
    assign ahead = '0;
  end

  logic [$clog2(Colors+1)-1:0] distance;
  bounded_wait #(.Requests(Colors)) i_bounded_wait (
    .clk_i, .rst_i, .of_i(c), .request_i(i_dut.nonempty[c]), .chosen_i(i_dut.pop != '0), .mine_i(i_dut.pop[c]),
    .above_i(i_dut.i_arbiter.from_q), .distance_o(distance)
  );

  logic refused_q, came_bad_q;
  msg_t refused_msg_q;
  always_ff @(posedge clk_i) begin
    refused_q     <= !rst_i && host_valid && !host_ready_i;
    refused_msg_q <= host_msg;
    came_bad_q    <= !rst_i && (came_bad_q || (valid && 32'(msg_i.color) >= Colors));
  end
  `PROVE(NextInLineIsOffered, !(i_dut.nonempty[c] && distance == '0 && i_dut.load) || i_dut.pop[c])
  `PROVE(OfferStays, !refused_q || (host_valid && host_msg == refused_msg_q))
  `PROVE(AFreeHostIsOfferedWhatIsThere, i_dut.nonempty == '0 || !(!host_valid || host_ready_i) || i_dut.pop != '0)
  `PROVE(BadColorIsRemembered, bad_color == came_bad_q)
  `PROVE(OfferedColorIsBuilt, !host_valid || 32'(host_msg.color) < Colors)
  `COVER(FullBehindARefusedOffer, refused_q && offered && 32'(stored[c]) == Depth)

  `COVER(Sleeps, !awake && !valid && host_ready_i)

endmodule
