// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The processing element: two threads, main and psum, before one vector unit (docs/reference/pe.md).
///
/// ```
///   ramp in ─► pe_inbox ─── W ─► pe_command ─► pe_scalar ─┬─► pe_main_seq ──┐ candidates
///                  │                                       │   pe_handoff    ├► pe_issue ─► pe_vector
///                  └─ psum's color ────────────────────────┴─► pe_psum_seq ──┘                  │
///   ramp out ◄──────────────────────────────────────────────── pe_outbox ◄──────────────────────┘
/// ```
///
/// Both sides of the ramp are links with credits, like those between tiles. While `awake_o` is 0 and nothing arrives, a
/// clock edge changes no state; while only `busy_o` is 0, it does no more than take valid_o and credit_o back.
`include "weft_check.svh"

module weft_pe
  import weft_pkg::*;
  import weft_pe_pkg::*;
#(
  parameter int unsigned Lanes   = 4,
  parameter int unsigned SramKib = 48,
  parameter int unsigned RDepth  = weft_isa_pkg::DefaultRDepth,
  parameter int unsigned IDepth  = weft_isa_pkg::DefaultIDepth,
  parameter int unsigned Colors  = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth   = weft_isa_pkg::DefaultDepth,
  /// Width of the cycle counters (pe_perf), 23 or 31 bits; 0: they are not built.
  parameter int unsigned Tally   = 0,
  /// 1: vectors begin at any element of memory, not only at multiples of Lanes.
  parameter int unsigned AnyAddress = 0,
  /// 1: a queue for each color at the way out, not one for all.
  parameter int unsigned ColorOutbox = 0,
  /// 1: the debug chain can halt the PE and read its state.
  parameter int unsigned Debug   = 0,
  localparam int unsigned DebugBits = weft_debug_pkg::pe_bits(Colors, Depth)
) (
  input  logic               clk_i,
  input  logic               rst_i,
  // position of the tile; sampled during reset
  input  coordinate_t        row_i,
  input  coordinate_t        rows_i,
  input  coordinate_t        col_i,
  input  coordinate_t        east_i,       // columns to the east
  input  logic [7:0]         sram_kib_i,   // size of the SRAM; more than SramKib counts as SramKib
  // the ramp
  input  logic               valid_i,
  input  msg_t               msg_i,
  output logic [Colors-1:0]  credit_o,
  output logic               valid_o,
  output msg_t               msg_o,
  input  logic [Colors-1:0]  credit_i,
  // the router's routes
  output logic               route_we_o,
  output route_t             route_o,
  // the router's sticky flags come in, all flags go out
  input  logic               no_route_i,
  input  logic               bad_color_i,
  input  logic               bad_route_i,
  output logic [7:0]         flags_o,
  output logic               awake_o,
  output logic               busy_o,
  // cycle counters: the record of the last MARK
  input  logic [31:0]        tally_cycles_i,  // cycles that this edge stands for: 1 (pe_perf)
  input  tally_read_t        tally_read_i,
  output tally_t             tally_o,
  // counters and state, for simulation
  output logic [47:0]        fma_lanes_o,
  output logic [47:0]        beats_o,
  output logic               main_issue_o,
  output logic               psum_issue_o,
  output dbg_t               dbg_o,        // while asleep
  // the debug chain
  input  weft_debug_pkg::control_t debug_i,
  output logic [DebugBits-1:0] debug_o
);

  `WEFT_PARAM(ColorOutbox == 0 || Debug == 0, "weft_pe: make ColorOutbox or Debug 0, the debug chain reads one queue")
  `WEFT_PARAM(IDepth >= 2 && IDepth <= 1024 && (IDepth & (IDepth - 1)) == 0, "weft_pe: make IDepth a power of two, 2 to 1024")

  localparam int unsigned PcBits   = $clog2(IDepth);
  // Stream words a beat can take or send: two fp32, or a bf16 for each lane.
  localparam int unsigned Words    = (Lanes > 4) ? Lanes / 2 : 2;

  place_t      place;
  logic [7:0]  kib;
  logic [15:0] half;

  weft_pe_place #(.SramKib(SramKib)) i_place (
    .clk_i, .rst_i, .row_i, .rows_i, .col_i, .east_i, .sram_kib_i, .place_o(place), .kib_o(kib), .half_o(half)
  );

  // -------------------------------------------------------------------------------------------------- ramp in
  logic              w_valid, cmd_pop, seq_w_pop, buffer_bad_color;
  logic              psum_active, psum_idle, seq_front_valid, seq_psum_pop, rcv_valid, rcv, psum_front_valid;
  /* verilator lint_off UNUSEDSIGNAL */  // its color is W
  msg_t              w_front;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0]       psum_front;
  logic [15:0]       rcv_data;
  color_t            seq_color, rcv_color, psum_color;
  logic [Colors-1:0] credit, in_nonempty;
  logic [1:0][$clog2(Depth)-1:0][Colors-1:0] in_pointers;

  weft_pe_inbox #(.Colors(Colors), .Depth(Depth)) i_inbox (
    .clk_i, .rst_i, .valid_i, .msg_i, .credit_o(credit), .bad_color_o(buffer_bad_color),
    .w_valid_o(w_valid), .w_front_o(w_front), .w_pop_i(cmd_pop | seq_w_pop),
    .psum_active_i(psum_active), .psum_idle_i(psum_idle),
    .seq_color_i(seq_color), .seq_valid_o(seq_front_valid), .seq_pop_i(seq_psum_pop),
    .rcv_color_i(rcv_color), .last_column_i(place.east == '0), .rcv_valid_o(rcv_valid), .rcv_data_o(rcv_data),
    .rcv_pop_i(rcv),
    .psum_color_o(psum_color), .psum_valid_o(psum_front_valid), .psum_front_o(psum_front),
    .nonempty_o(in_nonempty), .pointers_o(in_pointers)
  );

  assign credit_o = credit;

  // -------------------------------------------------------------------------------------------------- commands
  logic              rest, in_flight, mark, set_reg, call, route, i_we, m_we, bad_command_rest;
  logic [PcBits-1:0] i_waddr;
  logic [3:0]        cmd_arg;
  logic [15:0]       cmd_value, i_low, m_waddr;

  weft_pe_command #(.IDepth(IDepth)) i_command (
    .clk_i, .rst_i, .row_i(place.row), .col_i(place.col), .rest_i(rest),
    .valid_i(w_valid), .ctrl_i(w_front.ctrl), .data_i(w_front.data), .pop_o(cmd_pop),
    .arg_o(cmd_arg), .value_o(cmd_value), .set_reg_o(set_reg), .call_o(call), .route_o(route),
    .i_we_o(i_we), .i_addr_o(i_waddr), .i_low_o(i_low),
    .m_we_o(m_we), .m_addr_o(m_waddr), .mark_o(mark), .bad_command_o(bad_command_rest)
  );

  assign route_we_o = route;
  assign route_o    = route_t'(cmd_value);

  // ----------------------------------------------------------------------------------------- instruction memory
  logic              i_re;
  logic [PcBits-1:0] i_raddr;
  logic [31:0]       i_rdata;

  weft_pe_ram #(.Words(IDepth), .Lanes(1), .LaneWidth(32)) i_imem (
    .clk_i, .we_i(i_we), .waddr_i(i_waddr), .wdata_i({cmd_value, i_low}),
    .re_i(i_re), .zero_i('0), .raddr_i(i_raddr), .rdata_o(i_rdata)
  );

  // ------------------------------------------------------------------------------------------------- scalar core
  logic [7:0]             flags;
  logic                   main_active, main_vec, main_ready, main_idle, main_ld;
  logic                   psum_vec, psum_ready, psum_in_flight, psum_ld;
  logic                   core_step, core_bad_instr, core_bad_color, main_taken, psum_taken;
  request_t               main_request;
  psum_request_t          psum_request;
  controls_t              controls;
  logic [15:0]            ld_data;
  weft_pe_scalar_pkg::thread_t main_thread, psum_thread;
  logic                   halt, give_up;  // by the debug chain

  weft_pe_scalar #(.PcBits(PcBits), .Built(Colors), .Debug(Debug)) i_scalar (
    .clk_i, .rst_i, .place_i(place), .flags_i(flags),
    .start_i(call), .start_pc_i(cmd_value[PcBits-1:0]),
    .set_reg_i(set_reg), .set_reg_addr_i(cmd_arg), .set_reg_data_i(cmd_value),
    .i_re_o(i_re), .i_addr_o(i_raddr), .i_data_i(i_rdata),
    .main_ask_o(main_vec), .psum_ask_o(psum_vec), .main_request_o(main_request), .psum_request_o(psum_request),
    .main_taken_i(main_taken), .psum_taken_i(psum_taken), .controls_o(controls),
    .main_ld_valid_i(main_ld), .psum_ld_valid_i(psum_ld), .ld_data_i(ld_data),
    .main_idle_i(main_idle), .psum_idle_i(psum_idle), .psum_in_flight_i(psum_in_flight),
    .rcv_color_o(rcv_color), .rcv_valid_i(rcv_valid), .rcv_data_i(rcv_data), .rcv_o(rcv),
    .main_active_o(main_active), .psum_active_o(psum_active), .main_thread_o(main_thread), .psum_thread_o(psum_thread),
    .debug_i, .step_o(core_step), .bad_instr_o(core_bad_instr), .bad_color_o(core_bad_color)
  );

  always_comb begin
    main_taken = main_vec & main_ready;
    psum_taken = psum_vec & psum_ready;
  end

  // ------------------------------------------------------------------------------------------------ sequencers
  handoff_t            queues;
  main_handoff_t       main_handoff;
  logic                mp_take, pm_put;
  mp_t                 mp_front, mp_second;
  candidate_t          main_candidate, psum_candidate;
  scalars_t            scalars;
  logic [Words*32-1:0] words;
  logic [1:0]          need;
  logic                main_issue, psum_issue, main_seq_step, psum_seq_step, bad_command_run, psum_wait;
  main_wait_t          main_wait;
  main_mode_e          main_mode;
  psum_mode_e          psum_mode;

  weft_pe_handoff i_handoff (
    .clk_i, .rst_i, .clear_i(call), .mp_fill_i(main_handoff.mp_fill), .mp_put_i(main_handoff.mp_put),
    .mp_entry_i(main_handoff.mp_entry), .mp_front_o(mp_front), .mp_take_i(mp_take), .pm_put_i(pm_put),
    .pm_take_i(main_handoff.pm_take), .state_o(queues), .mp_second_o(mp_second)
  );

  weft_pe_main_seq #(.Lanes(Lanes), .AnyAddress(AnyAddress)) i_main_seq (
    .clk_i, .rst_i(rst_i | give_up), .half_i(half), .valid_i(main_vec), .ready_o(main_ready),
    .request_i(main_request), .controls_i(controls),
    .w_valid_i(w_valid), .w_ctrl_i(w_front.ctrl), .w_data_i(w_front.data), .w_pop_o(seq_w_pop),
    .queues_i(queues), .handoff_o(main_handoff), .candidate_o(main_candidate), .scalars_o(scalars), .issue_i(main_issue),
    .idle_o(main_idle), .step_o(main_seq_step), .bad_command_o(bad_command_run), .mode_o(main_mode), .wait_o(main_wait)
  );

  weft_pe_psum_seq #(.Lanes(Lanes), .Words(Words)) i_psum_seq (
    .clk_i, .rst_i(rst_i | give_up), .east_i(place.east), .valid_i(psum_vec), .ready_o(psum_ready),
    .request_i(psum_request), .vl_i(controls.psum_vl),
    .color_o(seq_color), .front_valid_i(seq_front_valid), .front_i(psum_front), .pop_o(seq_psum_pop),
    .queues_i(queues), .mp_front_i(mp_front), .mp_take_o(mp_take), .pm_put_o(pm_put),
    .candidate_o(psum_candidate), .words_o(words), .issue_i(psum_issue),
    .idle_o(psum_idle), .step_o(psum_seq_step), .mode_o(psum_mode), .need_o(need), .wait_o(psum_wait)
  );

  // ---------------------------------------------------------------------------------------------- vector unit
  logic        main_hold, main_table, psum_credit, psum_table;
  beat_t       beat;
  beat_addr_t  addr;
  logic        issue, r_busy, beat_end, out_room, out_reserve, push, out_busy, misaligned, bad_address;
  color_t      push_color;
  logic [Words*32-1:0] push_words;
  logic [$clog2(Words)-1:0] push_last;
  logic [1:0][3:0] out_pointers;
  color_t      out_front;
  logic [$clog2(Depth+1)-1:0][Colors-1:0] out_credits;

  weft_pe_issue #(.Lanes(Lanes), .AnyAddress(AnyAddress)) i_issue (
    .clk_i, .rst_i,
    .main_valid_i(main_candidate.valid), .main_beat_i(main_candidate.beat), .main_addr_i(main_candidate.addr),
    .main_issue_o(main_issue),
    .psum_valid_i(psum_candidate.valid), .psum_beat_i(psum_candidate.beat), .psum_addr_i(psum_candidate.addr),
    .psum_issue_o(psum_issue),
    .out_room_i(out_room), .r_busy_i(r_busy), .out_reserve_o(out_reserve),
    .issue_o(issue), .beat_o(beat), .addr_o(addr),
    .in_flight_o(in_flight), .psum_in_flight_o(psum_in_flight), .end_o(beat_end),
    .main_hold_o(main_hold), .main_table_o(main_table), .psum_credit_o(psum_credit), .psum_table_o(psum_table)
  );

  // A command never meets a running program.
  always_comb begin
    rest = 1'b0;  // not used without a message
    `WEFT_IF_ANY(w_valid & ~main_active & ~halt) rest = ~(halt | main_active | psum_active | in_flight) & main_idle & psum_idle;
  end

  weft_pe_vector #(.Lanes(Lanes), .SramKib(SramKib), .RDepth(RDepth), .Words(Words), .AnyAddress(AnyAddress)) i_vector (
    .clk_i, .rst_i, .kib_i(kib), .issue_i(issue), .issue_psum_i(psum_issue), .beat_i(beat), .addr_i(addr),
    .sa_i(scalars.a), .sb_i(psum_issue ? weft_num_pkg::OneBf16 : scalars.b), .sc_i(scalars.c), .words_i(words),
    .end_i(beat_end), .in_flight_i(in_flight), .r_busy_o(r_busy),
    .m_we_i(m_we), .m_addr_i(m_waddr), .m_data_i(cmd_value),
    .main_ld_valid_o(main_ld), .psum_ld_valid_o(psum_ld), .ld_data_o(ld_data),
    .push_o(push), .push_last_o(push_last), .push_color_o(push_color), .push_words_o(push_words),
    .misaligned_o(misaligned), .bad_address_o(bad_address)
  );

  if (ColorOutbox == 0) begin : gen_outbox
    weft_pe_outbox #(.Colors(Colors), .Depth(Depth), .Words(Words)) i_outbox (
      .clk_i, .rst_i, .room_o(out_room), .reserve_i(out_reserve),
      .push_i(push), .last_i(push_last), .color_i(push_color), .words_i(push_words),
      .valid_o, .msg_o, .credit_i, .busy_o(out_busy),
      .pointers_o(out_pointers), .front_o(out_front), .credits_o(out_credits)
    );
  end else begin : gen_outboxes
    logic [Colors-1:0] room;

    weft_pe_outboxes #(.Colors(Colors), .Depth(Depth), .Words(Words)) i_outboxes (
      .clk_i, .rst_i, .room_o(room), .reserve_i(out_reserve), .reserve_color_i(psum_candidate.beat.finish.cout),
      .push_i(push), .last_i(push_last), .color_i(push_color), .words_i(push_words),
      .valid_o, .msg_o, .credit_i, .busy_o(out_busy), .credits_o(out_credits)
    );

    // A beat waits for the queue of its own color alone.
    assign out_room     = psum_candidate.beat.finish.sends == '0
                          || (room >> psum_candidate.beat.finish.cout & Colors'(1)) != '0;
    assign out_pointers = '0;
    assign out_front    = '0;
  end

  // ------------------------------------------------------------------------------------------ flags and counters
  logic flags_step;

  weft_pe_flags #(.Lanes(Lanes)) i_flags (
    .clk_i, .rst_i, .bad_address_i(bad_address), .misaligned_i(misaligned), .bad_instr_i(core_bad_instr),
    .bad_command_i(bad_command_rest | bad_command_run), .bad_color_i(core_bad_color),
    .no_route_i, .other_color_i(bad_color_i | buffer_bad_color), .bad_route_i,
    .issue_i(issue & ~beat.select.fetch), .fma_i(beat.read.fma), .flags_o(flags), .step_o(flags_step), .fma_lanes_o, .beats_o
  );

  assign flags_o      = flags;
  assign main_issue_o = main_issue;
  assign psum_issue_o = psum_issue;

  // -------------------------------------------------------------------------------------------- cycle counters
  logic tally_busy;

  if (Tally != 0) begin : gen_tally
    weft_isa_pkg::stall_e main_stall, psum_stall;

    weft_pe_stall_reason i_stall_reason (
      .clk_i, .rst_i,
      .main_state_i(main_thread.state), .main_idle_i(main_idle), .main_beat_i(main_candidate.valid), .main_issue_i(main_issue),
      .main_hold_i(main_hold), .main_table_i(main_table), .main_handoff_i(main_wait.handoff), .main_weight_i(main_wait.weight),
      .psum_state_i(psum_thread.state), .psum_idle_i(psum_idle), .psum_beat_i(psum_candidate.valid), .psum_issue_i(psum_issue),
      .psum_credit_i(psum_credit), .psum_table_i(psum_table), .psum_handoff_i(psum_wait),
      .in_flight_i(in_flight), .psum_in_flight_i(psum_in_flight), .main_o(main_stall), .psum_o(psum_stall)
    );

    weft_pe_perf #(.Bits(Tally)) i_perf (
      .clk_i, .rst_i, .cycles_i(tally_cycles_i), .main_i(main_stall), .psum_i(psum_stall), .mark_i(mark), .tag_i(cmd_value),
      .read_i(tally_read_i), .tally_o, .busy_o(tally_busy)
    );
  end else begin : gen_no_tally
    logic unused;
    assign unused = ^{main_hold, main_table, psum_credit, psum_table, main_wait, psum_wait, mark, tally_cycles_i, tally_read_i};
    assign tally_o    = '0;
    assign tally_busy = 1'b0;
  end

  logic busy, awake;
  always_comb begin
    busy = issue | in_flight;
    if (!busy) busy = cmd_pop | core_step | main_seq_step | psum_seq_step | out_busy | flags_step | tally_busy;
  end
  assign awake   = busy | valid_o | (credit != '0);
  assign busy_o  = busy;
  assign awake_o = awake;

  // ---------------------------------------------------------------------------------------------- state, for others
  if (Debug != 0) begin : gen_debug
    assign halt    = debug_i.halt;
    assign give_up = debug_i.give_up;

    weft_pe_debug #(.PcBits(PcBits), .Colors(Colors), .Depth(Depth)) i_debug (
      .clk_i, .main_thread_i(main_thread), .psum_thread_i(psum_thread),
      .main_taken_i(main_taken), .psum_taken_i(psum_taken), .main_idle_i(main_idle), .psum_idle_i(psum_idle), .main_lacks_w_i(main_wait.lacks_w),
      .psum_lacks_words_i(~psum_idle & (need != '0) & ~seq_front_valid),
      .psum_lacks_room_i(psum_candidate.valid & ~out_room), .queues_i(queues), .mp_front_i(mp_front), .mp_second_i(mp_second),
      .in_nonempty_i(in_nonempty), .in_pointers_i(in_pointers),
      .out_pointers_i(out_pointers), .out_front_i(out_front), .out_credits_i(out_credits), .debug_o
    );
  end else begin : gen_no_debug
    logic unused;
    assign unused  = ^{main_wait, mp_second, in_nonempty, in_pointers, out_pointers, out_front, out_credits};
    assign halt    = 1'b0;
    assign give_up = 1'b0;
    assign debug_o = '0;
  end

  weft_pe_report #(.PcBits(PcBits)) i_report (
    .clk_i, .awake_i(awake), .main_thread_i(main_thread), .psum_thread_i(psum_thread),
    .main_taken_i(main_taken), .psum_taken_i(psum_taken), .main_mode_i(main_mode), .psum_mode_i(psum_mode),
    .main_beat_i(main_candidate.valid), .psum_beat_i(psum_candidate.valid), .queues_i(queues), .w_valid_i(w_valid),
    .psum_need_i(need), .psum_color_i(psum_color), .psum_valid_i(psum_front_valid), .out_room_i(out_room), .dbg_o
  );

endmodule
