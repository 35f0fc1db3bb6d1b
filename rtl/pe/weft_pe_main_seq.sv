/// Main's sequencer: turns vf, vaxs, vcr, vdot (and ld) into beats.
///
/// ```
///   vf    Vf ─ last, and repetitions left ─► Vf
///   vaxs  VaxsWait ─ weight ─► Vaxs ─ last, or interleave ─► VaxsWait, or at once the next weight's Vaxs
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
  parameter int unsigned Lanes = 4
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
  output logic         mp_fill_o,
  output logic         mp_put_o,
  output mp_t          mp_entry_o,
  output logic         pm_take_o,
  // the candidate
  output logic         beat_valid_o,
  output beat_t        beat_o,
  output beat_addr_t   addr_o,
  output logic [15:0]  scalar_a_o,
  output logic [15:0]  scalar_b_o,
  output logic [15:0]  scalar_c_o,
  input  logic         issue_i,
  //
  output logic         idle_o,
  output logic         step_o,
  output main_mode_e   mode_o,
  output logic         bad_command_o,
  // why there is no candidate (pe_stall_reason)
  output logic         handoff_o,  // room in MP, an entry of PM
  output logic         weight_o,   // a message of W, or its way to the candidate
  output logic         lacks_w_o   // nothing can be done without another message of W (debug chain)
);

  main_state_e state_q, after;
  move_e       move;
  beat_t       beat_q, decoded;
  logic [15:0] rep_q, scalar_a_q, scalar_b_q, scalar_c_q;
  logic [4:0]  place_q;       // vdot: place in the group
  logic        held_q;        // b's word has been fetched
  logic        rotates_q;     // vaxs: the accumulators are a rotating buffer, for the next entry of MP
  logic        put_q;         // ... which is put at the end
  logic        interleave_q;  // ... and each weight goes to the next accumulator
  logic        first_q;       // vdot: the first words; vaxs: no weight yet

  logic        has_beat, vaxs, vcr, vdot;
  logic        accept, last, ends, alone, done, cr_waits, fresh;
  op_e         op;
  logic [31:0] word;
  logic [15:0] op_a, op_b, op_c, op_d, rep, idx;
  logic        is_one_hot, fetch;
  logic [15:0] sta, stb, st_d, lmask;
  logic [7:0]  main_vl, str;
  logic        mp_room, pm_valid;

  assign mp_room    = ~queues_i.mp_count[1];  // of two entries
  assign pm_valid   = queues_i.pm_count != '0;
  assign word       = request_i.word;
  assign op_a       = request_i.a;
  assign op_b       = request_i.b;
  assign op_c       = request_i.c;
  assign op_d       = request_i.d;
  assign op         = op_e'(opcode(word));
  assign rep        = controls_i.rep;
  assign idx        = controls_i.idx;
  assign is_one_hot = vmain_asel(word) == ASEL_OH;
  assign sta        = controls_i.sta;
  assign stb        = controls_i.stb;
  assign st_d       = controls_i.std;  // `std` is SystemVerilog's own package
  assign lmask      = controls_i.lmask;
  assign main_vl    = controls_i.main_vl;
  assign str        = controls_i.str;
  assign has_beat   = state_q >= MsVf;
  assign vaxs       = (state_q == MsVaxsWait) | (state_q == MsVaxs);
  assign vcr        = (state_q == MsVcr) | (state_q == MsVcrReset);
  assign vdot       = (state_q == MsVdot) | (state_q == MsVdotWait);

  // ------------------------------------------------------------------------------------------ the weights ahead
  logic        weight_valid, weight_cr, weight_take, one_hot, gathered;
  logic [15:0] weight_addr, weight_entry, weight_index, weight_value, row;
  logic        ahead_q, look_ahead;       // the indices are for the next vdot, which waits to be accepted

  assign one_hot    = beat_q.select.a == BeatAOneHot;
  always_comb begin
    look_ahead = 1'b0;
    `WEFT_IF_ANY(vdot & gathered) look_ahead = vdot & gathered & ~ahead_q & valid_i & (op == OP_VDOT);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || accept) ahead_q <= 1'b0;
    else if (look_ahead) ahead_q <= 1'b1;
  end

  weft_pe_weights i_weights (
    .clk_i, .rst_i,
    .start_i(accept | look_ahead), .sta_i(sta), .lmask_i(lmask), .one_hot_i(is_one_hot), .base_i(op_a),
    .stream_i(vaxs | (vdot & ~gathered)),
    .w_valid_i, .w_ctrl_i, .w_data_i, .w_pop_o,
    .valid_o(weight_valid), .cr_o(weight_cr), .addr_o(weight_addr), .entry_o(weight_entry), .index_o(weight_index),
    .value_o(weight_value), .take_i(weight_take), .bad_command_o
  );

  // -------------------------------------------------------------------------------------------- vdot's groups
  logic        group_valid, group_empty, group_last, group_take, group_step, last_place, group_put;
  mp_t         group_entry;
  logic [15:0] list_data;
  logic [7:0]  first_entry;

  weft_pe_main_groups i_groups (
    .clk_i, .rst_i, .clear_i(accept & ~ahead_q), .ahead_i(look_ahead), .full_i(op_c[3:0]), .enable_i(vdot),
    .weight_valid_i(weight_valid), .weight_cr_i(weight_cr), .weight_entry_i(weight_entry),
    .take_o(group_take), .gathered_o(gathered), .step_o(group_step),
    .state_i(state_q), .place_i(place_q), .alone_i(alone), .issue_i, .move_i(move),
    .last_issue_i(issue_i & last & ~fetch),
    .valid_o(group_valid), .empty_o(group_empty), .last_o(group_last), .last_place_o(last_place), .next_o(list_data),
    .mp_put_o(group_put), .mp_entry_o(group_entry), .pm_take_o
  );

  // ------------------------------------------------------------------------------------------------ the next step
  assign cr_waits = weight_cr & put_q & ~mp_room;
  assign fresh    = rotates_q & ~queues_i.mp_filled;

  weft_pe_main_fsm i_fsm (
    .state_i(state_q), .last_i(last), .fetch_i(fetch), .last_row_i(rep_q == 16'd1),
    .weight_i(weight_valid & ~cr_waits), .interleave_i(interleave_q), .first_i(first_q),
    .group_empty_i(group_empty), .group_last_i(group_last), .last_index_i(last_place),
    .after_o(after), .move_o(move), .ends_o(ends)
  );

  always_comb begin
    alone       = 1'b0;  // advances without a beat
    weight_take = 1'b0;
    done        = issue_i & ends;
    case (state_q)
      MsVaxsWait: begin
        alone       = weight_valid & ~cr_waits;
        weight_take = alone;
        done        = alone & weight_cr;
      end
      MsVaxs: begin
        weight_take = weight_valid & ~cr_waits & issue_i & (last | interleave_q);
        done        = weight_take & weight_cr;
      end
      MsVdotWait: begin
        alone       = group_valid & mp_room & pm_valid;
        weight_take = group_take;
        done        = alone & ends;
      end
      MsVdot: weight_take = group_take;
      default: ;
    endcase
  end

  assign mp_put_o  = group_put | (((state_q == MsVcrReset) | (vaxs & put_q)) & done);
  assign mp_fill_o = (state_q == MsVaxs) & rotates_q & issue_i & last;

  always_comb begin
    mp_entry_o       = group_entry;
    mp_entry_o.empty = vaxs & ~queues_i.mp_filled & ~((state_q == MsVaxs) & last);
  end

  assign ready_o    = (state_q == MsIdle) | done;
  assign accept     = valid_i & ready_o;

  weft_pe_main_decode i_decode (.valid_i(accept), .instr_i(word), .beat_o(decoded));

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
      case (op)
        OP_VF:   state_q <= (rep == '0) ? MsIdle : MsVf;
        OP_VAXS: state_q <= MsVaxsWait;
        OP_VCR:  state_q <= MsVcr;
        OP_VDOT: state_q <= MsVdotWait;
        default: state_q <= MsLd;
      endcase
      beat_q       <= decoded;
      held_q       <= 1'b0;
      rotates_q    <= vmain_rotate(word);
      put_q        <= vmain_put(word);
      interleave_q <= vmain_interleave(word);
      first_q      <= 1'b1;
      rep_q        <= rep;
      scalar_a_q   <= is_one_hot ? idx : op_a;
      scalar_b_q   <= op_b;
      scalar_c_q   <= op_c;
    end
    if (rst_i) state_q <= MsIdle;
  end

  // --------------------------------------------------------------------------------------------- the candidate
  logic [15:0] addr_m, addr_b, addr_d, list_base;
  logic [7:0]  addr_c, slot, buffer_start;
  logic        rotates, clash;

  always_comb begin
    list_base = '0;
    slot      = '0;
    `WEFT_IF_ANY(vdot) begin
      list_base = one_hot ? row : list_data;
      slot      = first_entry + {2'b0, queues_i.mp_put_buffer, 4'b0};
    end
  end

  function automatic logic [7:0] start_of(input buffer_t buffer);
    return op_d[7:0] + (buffer[1] ? {main_vl[6:0], 1'b0} : buffer[0] ? main_vl : 8'd0);
  endfunction

  // Start values of an instruction.
  logic [15:0] start_b, start_d, start_std;
  logic [7:0]  start_c0, vl_last;
  logic        has_scalar, two_in_memory, to_mem, b_mem, b_word;

  always_comb begin
    {rotates, has_scalar, two_in_memory, to_mem, b_mem, b_word} = '0;
    {buffer_start, start_b, start_d, start_std, start_c0, vl_last} = '0;
    `WEFT_IF_ANY(accept) begin
      rotates      = (op == OP_VCR) | ((op == OP_VAXS) & vmain_rotate(word));
      buffer_start = op_d[7:0];
      // If an entry of MP is put in this very cycle, the next buffer is the one. Without rotating buffers there is
      // none: no WEFT_IF_ANY.
      if (rotates) buffer_start = mp_put_o ? start_of(next_buffer(queues_i.mp_put_buffer)) : start_of(queues_i.mp_put_buffer);
      has_scalar    = vmain_bsel(word) == BSEL_MS;
      two_in_memory = vmain_asel(word) == ASEL_MM;
      to_mem        = vmain_dsel(word) == DSEL_M;
      b_mem         = (op == OP_VDOT) | has_scalar | two_in_memory;
      b_word        = (op == OP_VDOT) | two_in_memory;
      start_b       = (two_in_memory & ~has_scalar) ? op_c : op_b;
      start_c0      = (op == OP_VF) ? op_c[7:0] : (op == OP_VCR) ? op_d[7:0] : buffer_start;
      start_d       = (op == OP_VCR) ? {8'b0, buffer_start} : op_d;
      start_std     = to_mem ? st_d : {8'b0, str};
      vl_last       = main_vl - 8'd1;
    end
  end

  weft_pe_main_address #(.Lanes(Lanes)) i_address (
    .clk_i, .en_i(issue_i | alone), .move_i(move), .start_i(accept),
    .m_i(op_a), .b_i(start_b), .c_i(op_c[7:0]), .c0_i(start_c0), .d_i(start_d),
    .row_d_i(op_d), .sta_i(sta), .stb_i(stb), .std_i(start_std), .str_i(str), .vl_i(main_vl), .vl_last_i(vl_last),
    .b_mem_i(b_mem), .b_word_i(b_word), .to_mem_i((op == OP_VF) & to_mem),
    .weight_i(weight_addr), .list_i(list_base), .slot_i(slot), .half_i(queues_i.pm_take_par),
    .m_o(addr_m), .b_o(addr_b), .c_o(addr_c), .d_o(addr_d), .c0_o(first_entry), .row_o(row), .last_o(last)
  );

  // b's word is read once, and held until b moves on (step); if a is in the same half, one beat earlier.
  assign clash = ((addr_m & half_i) != '0) == ((addr_b & half_i) != '0);
  always_comb begin
    fetch = 1'b0;
    `WEFT_IF_ANY(beat_q.read.n_re) fetch = has_beat & beat_q.read.n_re & beat_q.read.m_re & ~held_q & clash;
  end

  always_comb begin
    beat_valid_o = has_beat;
    if (vcr && !mp_room) beat_valid_o = 1'b0;
  end

  weft_pe_main_beat i_beat (
    .state_i(state_q), .beat_i(beat_q), .m_i(addr_m), .b_i(addr_b), .c_i(addr_c), .d_i(addr_d), .same_i(vaxs | vdot),
    .first_i((vaxs & fresh) | (vdot & first_q)), .fetch_i(fetch), .held_i(held_q), .beat_o, .addr_o
  );

  assign scalar_a_o = scalar_a_q;
  assign scalar_b_o = scalar_b_q;
  assign scalar_c_o = scalar_c_q;

  always_comb begin
    case (state_q)
      MsVf:               mode_o = MainVf;
      MsVaxsWait, MsVaxs: mode_o = MainVaxs;
      MsVcr, MsVcrReset:  mode_o = MainVcr;
      MsVdotWait, MsVdot: mode_o = MainVdot;
      MsLd:               mode_o = MainLd;
      default:            mode_o = MainIdle;
    endcase
  end

  always_comb begin
    case (state_q)
      MsVdotWait:        handoff_o = ~(mp_room & pm_valid);
      MsVaxsWait:        handoff_o = weight_valid & cr_waits;
      MsVcr, MsVcrReset: handoff_o = ~mp_room;
      default:           handoff_o = 1'b0;
    endcase
  end
  assign weight_o  = (state_q == MsVaxsWait) | (state_q == MsVdotWait);

  assign lacks_w_o = weight_o & ~((state_q == MsVaxsWait) ? weight_valid : group_valid);

  assign idle_o = state_q == MsIdle;
  assign step_o = weight_take | w_pop_o | alone | group_step | look_ahead;

  `WEFT_ASSUME(IssuesOnlyCandidates, !issue_i || beat_valid_o)

endmodule
