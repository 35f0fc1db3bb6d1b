/// intake: every message goes to its tile, to the next cell, or to both, to each of them once and in order.
///
/// The two branches are followed separately, from input port to output port: `wanted` selects the incoming messages for
/// the branch, after docs/reference/message.md (Edges), independently of the module.
`include "proof.svh"

module intake_proof
  import weft_pkg::*;
#(
  parameter int unsigned Depth = weft_isa_pkg::DefaultDepth,
  /// Prove the sleep contract, not the order (asleep.v).
  parameter bit          Sleep = 1'b0
) (
  input logic       clk_i,
  input logic       rst_i,
  input logic       want_i,
  input msg_t       msg_i,
  input logic [1:0] give_i,
  // position, sampled in a reset
  input coordinate_t row_i,
  input logic [4:0] row_shift_i,
  input logic       last_i,
  input logic       mark_i
);

  localparam int unsigned PtrBits   = $clog2(Depth);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned Slots     = Depth + 1;

  `PROOF

  coordinate_t row_q;
  logic [4:0] row_shift_q;
  logic       last_q;
  always_ff @(posedge clk_i) if (rst_i) {row_q, row_shift_q, last_q} <= {row_i, row_shift_i, last_i};

  logic       valid, credit, awake, no_row, bad_color;
  logic [1:0] out_valid, out_credit;  // by branch, as in the intake: 0 the tile, 1 the next cell
  msg_t       out_msg [2];
  logic [CountBits-1:0] owed, stored;

  upstream #(.Colors(1), .Depth(Depth)) i_north (
    .clk_i, .rst_i, .want_i, .msg_i, .valid_o(valid), .credit_i(credit), .owed_o(owed)
  );

  logic dut_clk;
  assign dut_clk = Sleep ? rst_i || awake || valid || out_credit != '0 : clk_i;

  weft_intake #(.Depth(Depth)) i_dut (
    .clk_i(dut_clk), .rst_i, .row_i(row_q), .row_shift_i(row_shift_q), .last_i(last_q), .valid_i(valid), .msg_i,
    .credit_o(credit),
    .next_valid_o(out_valid[1]), .next_msg_o(out_msg[1]), .next_credit_i(out_credit[1]),
    .tile_valid_o(out_valid[0]), .tile_msg_o(out_msg[0]), .tile_credit_i(out_credit[0]),
    .awake_o(awake), .no_row_o(no_row), .bad_color_o(bad_color)
  );

  function automatic logic wants(input int unsigned branch, input msg_t msg);
    weight_t weight;
    logic    mine;
    weight = msg.data;
    mine   = (weight.index >> row_shift_q) == 16'(row_q);
    wants  = (branch == 0) ? msg.ctrl || mine : (msg.ctrl || !mine) && !last_q;
  endfunction

  // --------------------------------------------------------------------------------------------------------- the buffer
  logic [PtrBits-1:0] wptr, rptr;
  msg_t               waiting [Depth];  // oldest first
  always_comb begin : places
    logic [PtrBits-1:0] slot;
    for (int unsigned b = 0; b < PtrBits; b++) begin
      wptr[b] = i_dut.i_buffer.i_buffers.wptr_q[b][0];
      rptr[b] = i_dut.i_buffer.i_buffers.rptr_q[b][0];
    end
    for (int unsigned s = 0; s < Depth; s++) begin
      slot       = rptr + PtrBits'(s);
      waiting[s] = {i_dut.i_buffer.i_buffers.gen_link[0].ram_q[slot][32], weft_isa_pkg::COLOR_W,
                    i_dut.i_buffer.i_buffers.gen_link[0].ram_q[slot][31:0]};
    end
  end

  queue_view #(.Depth(Depth)) i_view (
    .clk_i, .rst_i, .nonempty_i(i_dut.nonempty), .wptr_i(wptr), .rptr_i(rptr), .stored_o(stored)
  );
  `PROVE(CreditsAreConserved, 32'(owed) == 32'(stored) + 32'(credit))

  // ------------------------------------------------------------------------------------------------------- the branches
  for (genvar b = 0; b < 2; b++) begin : gen_branch
    logic [CountBits-1:0]         kept, credits;
    logic [Slots-1:0]             slot_valid;
    msg_t                         slot_msg [Slots];
    logic [$clog2(Slots+1)-1:0]   ahead, present;
    msg_t                         at;

    downstream #(.Colors(1), .Depth(Depth)) i_south (
      .clk_i, .rst_i, .valid_i(out_valid[b]), .color_i(out_msg[b].color), .give_i(give_i[b]),
      .credit_o(out_credit[b]), .kept_o(kept)
    );

    always_comb begin
      for (int unsigned i = 0; i < CountBits; i++) credits[i] = i_dut.i_credits.count_q[i][b];
      slot_valid[0] = out_valid[b];
      slot_msg[0]   = out_msg[b];
      for (int unsigned s = 0; s < Depth; s++) begin
        slot_valid[s+1] = s < 32'(stored) && wants(b, waiting[s]) && !(s == 0 && i_dut.served_q[b]);
        slot_msg[s+1]   = waiting[s];
      end
    end

    line_up #(.Slots(Slots)) i_line (
      .valid_i(slot_valid), .msg_i(slot_msg), .ahead_i(ahead), .inside_o(present), .at_o(at)
    );

    if (!Sleep) begin : gen_order
      in_order #(.Most(Slots)) i_order (
        .clk_i, .rst_i, .push_i(valid && wants(b, msg_i)), .push_msg_i(msg_i), .pop_i(out_valid[b]), .pop_msg_i(out_msg[b]),
        .mark_i, .ahead_o(ahead), .inside_i(present), .at_i(at)
      );
    end else begin : gen_no_order
      assign ahead = '0;
    end

    `PROVE(CreditsAreConserved, 32'(credits) + 32'(out_valid[b]) + 32'(kept) == Depth)
    // Bound of the wait: the front message leaves in this cycle if there is a credit, regardless of the other branch.
    `PROVE(FrontWaitsForNothingButACredit, !(slot_valid[1] && credits != '0) || i_dut.send[b])
  end

  logic unwanted_q;  // a message for neither branch has reached the front
  always_ff @(posedge clk_i) begin
    unwanted_q <= !rst_i && (unwanted_q || (stored != '0 && !wants(0, waiting[0]) && !wants(1, waiting[0])));
  end
  `PROVE(NoRowIsRemembered, no_row == unwanted_q)
  `PROVE(OnlyColorW, !bad_color)
  `COVER(OneBranchWaits, i_dut.served_q == 2'b01 && 32'(stored) == Depth)
  `COVER(TheOtherWaits, i_dut.served_q == 2'b10 && 32'(stored) == Depth)

  `COVER(SleepsWhileOneWaits, !awake && !valid && out_credit == '0 && stored != '0)

endmodule
