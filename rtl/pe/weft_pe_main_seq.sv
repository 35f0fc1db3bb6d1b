// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Main's sequencer: turns vf, vaxs, vcr, vdot (and ld) into beats.
///
/// ```
///   vf    Vf ─ last, and repetitions left ─► Vf
///   vaxs  VaxsWait ─ weight ─► Vaxs ─ last of the weight ─► VaxsWait, or at once the next weight's Vaxs
///   vcr   Vcr ─► VcrReset ─► Vcr
///   vdot  VdotWait ─ group ─► Vdot ─ last index of the last words ─► VdotWait
/// ```
///
/// A candidate whose a and b are in the same half of memory issues twice: first only to fetch b's word, which is then
/// held as long as b stays the same (docs/explanation/memory.md).
///
/// The candidate is a register (pe_main_address has its addresses) and advances when it issues. A captured instruction
/// runs on while the core goes ahead; the next one is accepted in the cycle in which the last beat issues. pe_weights
/// works out the messages of W one ahead; pe_gather gathers vdot's lists of indices, also those of the next vdot once
/// the current lists are complete and the next vdot waits to be accepted.
///
/// Latency: first beat one cycle after the instruction (vf, vcr), two after the first weight (vaxs).
`include "weft_check.svh"

module weft_pe_main_seq
  import weft_isa_pkg::*;
  import weft_pe_pkg::*;
  import weft_pe_seq_pkg::*;
#(
  parameter int unsigned Lanes = 4,
  /// 1: vectors begin at any element of memory.
  parameter int unsigned AnyAddress = 0
) (
  input  logic         clk_i,
  input  logic         rst_i,
  /// The bit of an address that selects the half of memory.
  input  logic [15:0]  half_i,
  // an instruction from the core
  input  logic         valid_i,
  output logic         ready_o,
  input  request_t     request_i,
  /* verilator lint_off UNUSEDSIGNAL */  // psum's
  input  controls_t    controls_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // the front of W
  input  logic         w_valid_i,
  input  logic         w_ctrl_i,
  input  logic [31:0]  w_data_i,
  output logic         w_pop_o,
  // handoff
  /* verilator lint_off UNUSEDSIGNAL */  // psum's side
  input  handoff_t     queues_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output main_handoff_t handoff_o,
  // the candidate
  output candidate_t   candidate_o,
  output scalars_t     scalars_o,
  input  logic         issue_i,
  //
  output logic         idle_o,
  output logic         step_o,
  output logic         bad_command_o,
  // for counters, reports and the debug chain
  output main_mode_e   mode_o,
  output main_wait_t   wait_o
);

  main_state_e state_q, after;
  move_e       move;
  beat_t       beat_q, decoded;
  logic [15:0] rep_q, scalar_a_q, scalar_b_q, scalar_c_q;
  logic [4:0]  place_q;       // vdot: place in the group
  logic        held_q;        // b's word has been fetched
  logic        rotates_q;     // vaxs: the accumulators are a rotating buffer, for the next entry of MP
  logic        put_q;         // ... which is put at the end
  logic        interleave_q;  // ... and each weight goes to the next vector of accumulators
  logic        numbered_q;    // ... or to the one that its index names
  logic        first_q;       // vdot: the first words; vaxs: no weight yet

  logic        has_beat, vaxs, vcr, vdot;
  logic        accept, last, weight_ends, ends, alone, done, cr_waits, weight_goes, fresh;
  op_e         op;
  logic [31:0] word;
  logic        is_one_hot, fetch;
  logic        mp_room, pm_valid, mp_fill, mp_put, pm_take;
  mp_t         mp_entry;

  assign mp_room    = ~queues_i.mp_count[1];  // MP has two entries
  assign pm_valid   = queues_i.pm_count != '0;
  assign word       = request_i.word;
  assign op         = op_e'(opcode(word));
  assign is_one_hot = vmain_asel(word) == ASEL_OH;
  assign has_beat   = state_q >= MsVf;
  assign vaxs       = (state_q == MsVaxsWait) | (state_q == MsVaxs);
  assign vcr        = (state_q == MsVcr) | (state_q == MsVcrReset);
  assign vdot       = (state_q == MsVdot) | (state_q == MsVdotWait);

  // ------------------------------------------------------------------------------------------ the weights ahead
  logic        weight_valid, weight_cr, weight_take, gathered, look_ahead;
  logic [15:0] weight_addr, weight_entry, weight_index, weight_value;
  logic [6:0]  weight_offset;
  logic [2:0]  weight_beats;

  weft_pe_weights i_weights (
    .clk_i, .rst_i,
    .start_i(accept | look_ahead), .sta_i(controls_i.sta), .lmask_i(controls_i.lmask), .one_hot_i(is_one_hot),
    .base_i(request_i.a), .stream_i(vaxs | (vdot & ~gathered)), .numbered_i(numbered_q), .beats_i(weight_beats),
    .w_valid_i, .w_ctrl_i, .w_data_i, .w_pop_o,
    .valid_o(weight_valid), .cr_o(weight_cr), .addr_o(weight_addr), .entry_o(weight_entry), .index_o(weight_index),
    .value_o(weight_value), .offset_o(weight_offset), .take_i(weight_take), .bad_command_o
  );

  // -------------------------------------------------------------------------------------------- vdot's groups
  logic        group_valid, group_empty, group_last, group_take, group_step, last_place, group_put;
  mp_t         group_entry;
  logic [15:0] list_data;

  weft_pe_main_groups i_groups (
    .clk_i, .rst_i, .accept_i(accept), .next_i(valid_i & (op == OP_VDOT)), .ahead_o(look_ahead),
    .full_i(request_i.c[3:0]), .enable_i(vdot),
    .weight_valid_i(weight_valid), .weight_cr_i(weight_cr), .weight_entry_i(weight_entry),
    .take_o(group_take), .gathered_o(gathered), .step_o(group_step),
    .state_i(state_q), .place_i(place_q), .alone_i(alone), .issue_i, .move_i(move),
    .last_issue_i(issue_i & last & ~fetch),
    .valid_o(group_valid), .empty_o(group_empty), .last_o(group_last), .last_place_o(last_place), .next_o(list_data),
    .mp_put_o(group_put), .mp_entry_o(group_entry), .pm_take_o(pm_take)
  );

  // ------------------------------------------------------------------------------------------------ the next step
  assign cr_waits    = weight_cr & put_q & ~mp_room;
  assign weight_goes = weight_valid & ~cr_waits;

  weft_pe_main_fsm i_fsm (
    .state_i(state_q), .last_i(last), .weight_ends_i(weight_ends), .fetch_i(fetch), .last_row_i(rep_q == 16'd1),
    .weight_i(weight_goes), .first_i(first_q),
    .group_empty_i(group_empty), .group_last_i(group_last), .last_index_i(last_place),
    .after_o(after), .move_o(move), .ends_o(ends)
  );

  weft_pe_main_advance i_advance (
    .state_i(state_q), .issue_i, .weight_ends_i(weight_ends), .ends_i(ends),
    .weight_i(weight_goes), .weight_cr_i(weight_cr), .group_i(group_valid & mp_room & pm_valid),
    .group_take_i(group_take), .alone_o(alone), .weight_take_o(weight_take), .done_o(done)
  );

  assign mp_put  = group_put | (((state_q == MsVcrReset) | (vaxs & put_q)) & done);
  assign mp_fill = (state_q == MsVaxs) & rotates_q & issue_i & last;

  always_comb begin
    mp_entry       = group_entry;
    mp_entry.empty = vaxs & ~queues_i.mp_filled & ~((state_q == MsVaxs) & last);
  end

  assign handoff_o = '{mp_fill: mp_fill, mp_put: mp_put, mp_entry: mp_entry, pm_take: pm_take};

  assign ready_o = (state_q == MsIdle) | done;
  assign accept  = valid_i & ready_o;

  // ---------------------------------------------------------------------------------------- an instruction begins
  main_state_e first;
  main_start_t start;
  scalars_t    start_scalars;
  logic [15:0] rep, start_a, start_b, start_c;

  weft_pe_main_decode i_decode (.valid_i(accept), .instr_i(word), .beat_o(decoded));

  weft_pe_main_start i_start (
    .valid_i(accept), .request_i, .controls_i, .mp_buffer_i(queues_i.mp_put_buffer), .mp_put_i(mp_put),
    .first_o(first), .rep_o(rep), .scalars_o(start_scalars), .start_o(start)
  );

  assign start_a = start_scalars.a;
  assign start_b = start_scalars.b;
  assign start_c = start_scalars.c;

  // ---------------------------------------------------------------------------------------------------- registers
  // Reads come before writes, and reset last (rtl/README.md, Written to be simulated fast).
  always_ff @(posedge clk_i) begin : step
    logic       held;
    logic [4:0] place_next;
    held       = 1'b0;
    place_next = '0;
    if (issue_i || alone) begin
      `WEFT_IF_ANY(held_q | beat_q.read.n_re) begin
        held = (held_q | beat_q.read.n_re) & ((move == MoveIndex) | ((move == MoveNext) & (beat_q.select.b == BeatBElement)));
      end
      place_next = place_q + 5'd1;
      state_q    <= done ? MsIdle : after;
      held_q     <= fetch | held;
      case (move)
        MoveRow: rep_q <= rep_q - 16'd1;
        MoveWeight, MoveInterleave: begin
          scalar_a_q <= weight_index;
          scalar_b_q <= weight_value;
          first_q    <= 1'b0;
        end
        MoveGroup: begin
          scalar_a_q <= list_data;
          place_q    <= '0;
          first_q    <= 1'b1;
        end
        MoveIndex: begin
          scalar_a_q <= list_data;
          place_q    <= place_next;
        end
        MoveColumn: begin
          scalar_a_q <= list_data;
          place_q    <= '0;
          first_q    <= 1'b0;
        end
        default: ;
      endcase
    end
    if (accept) begin
      state_q    <= first;
      beat_q     <= decoded;
      held_q     <= 1'b0;
      rotates_q  <= vmain_rotate(word);
      put_q      <= vmain_put(word);
      interleave_q <= vmain_interleave(word);
      numbered_q <= vmain_interleave(word) & controls_i.str[3] & (op == OP_VAXS);
      first_q    <= 1'b1;
      rep_q      <= rep;
      scalar_a_q <= start_a;
      scalar_b_q <= start_b;
      scalar_c_q <= start_c;
    end
    if (rst_i) state_q <= MsIdle;
  end

  // --------------------------------------------------------------------------------------------- the candidate
  beat_t       beat;
  beat_addr_t  addr;
  logic [15:0] addr_m, addr_b, addr_d;
  logic [7:0]  addr_c;
  logic        beat_valid, clash;

  weft_pe_main_address #(.Lanes(Lanes)) i_address (
    .clk_i, .en_i(issue_i | alone), .move_i(move), .accept_i(accept), .start_i(start),
    .mp_buffer_i(queues_i.mp_put_buffer), .pm_second_i(queues_i.pm_take_par),
    .weight_i(weight_addr), .interleave_i(interleave_q), .numbered_i(numbered_q), .offset_i(weight_offset),
    .vdot_i(vdot), .one_hot_i(beat_q.select.a == BeatAOneHot), .list_i(list_data),
    .m_o(addr_m), .b_o(addr_b), .c_o(addr_c), .d_o(addr_d), .last_o(last), .ends_o(weight_ends), .beats_o(weight_beats)
  );

  // b's word is read once, and held until b moves on (step); if a is in the same half, one beat earlier.
  if (AnyAddress == 0) begin : gen_aligned
    assign clash = ((addr_m & half_i) != '0) == ((addr_b & half_i) != '0);
  end else begin : gen_any
    // A vector that begins within the last word of a half ends in the other one.
    localparam int unsigned LaneBits = $clog2(Lanes);

    logic [15:LaneBits] above;  // bits of an address from half_i's on
    assign above = ~(half_i[15:LaneBits] - 1'b1);

    function automatic logic crosses(input logic [15:0] address, input logic [15:LaneBits] upper);
      return address[LaneBits-1:0] != '0 && (address[15:LaneBits] | upper) == '1;
    endfunction

    assign clash = ((addr_m & half_i) != '0) == ((addr_b & half_i) != '0) || crosses(addr_m, above)
                   || (beat_q.select.b != BeatBElement && crosses(addr_b, above));
  end
  always_comb begin
    fetch = 1'b0;
    `WEFT_IF_ANY(beat_q.read.n_re) fetch = has_beat & beat_q.read.n_re & beat_q.read.m_re & ~held_q & clash;
  end

  always_comb begin
    beat_valid = has_beat;
    if (vcr && !mp_room) beat_valid = 1'b0;
  end

  assign fresh = rotates_q & ~queues_i.mp_filled;

  weft_pe_main_beat i_beat (
    .state_i(state_q), .beat_i(beat_q), .m_i(addr_m), .b_i(addr_b), .c_i(addr_c), .d_i(addr_d), .same_i(vaxs | vdot),
    .first_i((vaxs & fresh) | (vdot & first_q)), .fetch_i(fetch), .held_i(held_q), .beat_o(beat), .addr_o(addr)
  );

  assign candidate_o = '{valid: beat_valid, beat: beat, addr: addr};
  assign scalars_o   = '{a: scalar_a_q, b: scalar_b_q, c: scalar_c_q};

  weft_pe_main_status i_status (
    .state_i(state_q), .weight_i(weight_valid), .cr_waits_i(cr_waits), .group_i(group_valid), .mp_room_i(mp_room),
    .pm_valid_i(pm_valid), .mode_o, .wait_o
  );

  assign idle_o = state_q == MsIdle;
  assign step_o = weight_take | w_pop_o | alone | group_step | look_ahead;

`ifdef WEFT_CHECKED
  // The halves of memory that the first and the last element of a vector or element are in, a bit each.
  function automatic logic [1:0] halves(input logic [15:0] address, input logic vector);
    logic [15:0] here, there;
    here  = address & ~16'(Lanes - 1);
    there = (AnyAddress != 0 && vector) ? address + 16'(Lanes - 1) : here;
    return {(here & half_i) != '0 || (there & half_i) != '0, (here & half_i) == '0 || (there & half_i) == '0};
  endfunction
`endif
  `WEFT_ASSERT(EachHalfReadsOnce, !(issue_i && beat.read.m_re && beat.read.n_re) ||
      (halves(addr_m, 1'b1) & halves(addr_b, beat_q.select.b != BeatBElement)) == '0)
  `WEFT_ASSUME(IssuesOnlyCandidates, !issue_i || beat_valid)
  // An opcode without a case in pe_main_decode or pe_main_start is executed as an ld.
  `WEFT_ASSERT(EveryInstructionHasItsBeats, !accept || op == OP_LD || (!decoded.select.ld && first != MsLd))

endmodule
