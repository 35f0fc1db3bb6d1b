// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// State of the threads for a simulator's hang reports and traces, while the PE is asleep.
`include "weft_check.svh"

module weft_pe_report
  import weft_pe_pkg::*;
  import weft_pe_scalar_pkg::*;
#(
  parameter int unsigned PcBits = 10
) (
  input  logic             clk_i,
  input  logic             awake_i,
  // threads; their sequencers take an instruction
  /* verilator lint_off UNUSEDSIGNAL */  // the debug chain's operands
  input  thread_t          main_thread_i,
  input  thread_t          psum_thread_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic             main_taken_i,
  input  logic             psum_taken_i,
  // sequencers
  input  main_mode_e       main_mode_i,
  input  psum_mode_e       psum_mode_i,
  input  logic             main_beat_i,   // there is a candidate
  input  logic             psum_beat_i,
  /* verilator lint_off UNUSEDSIGNAL */  // which buffers
  input  handoff_t         queues_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // messages
  input  logic             w_valid_i,
  input  logic [1:0]       psum_need_i,
  input  weft_pkg::color_t psum_color_i,
  input  logic             psum_valid_i,
  input  logic             out_room_i,
  output dbg_t             dbg_o
);

  typedef logic [PcBits-1:0] pc_t;

  state_e main_state, psum_state;
  pc_t    main_here, main_next, psum_here, psum_next;
  pc_t    main_seq_pc_q, psum_seq_pc_q;  // the instruction each sequencer works on: its thread may be ahead

  assign main_state = main_thread_i.state;
  assign main_here  = pc_t'(main_thread_i.here);
  assign main_next  = pc_t'(main_thread_i.next);
  assign psum_state = psum_thread_i.state;
  assign psum_here  = pc_t'(psum_thread_i.here);
  assign psum_next  = pc_t'(psum_thread_i.next);

  always_ff @(posedge clk_i) begin
    if (main_taken_i) main_seq_pc_q <= main_here;
    if (psum_taken_i) psum_seq_pc_q <= psum_here;
  end

  function automatic pc_t pc_of(input state_e state, input pc_t next, input pc_t here);
    return (state inside {StHalted, StFetch, StDecode}) ? next : here;
  endfunction

  always_comb begin
    dbg_o = '0;
    `WEFT_IF_ANY(~awake_i) begin
      dbg_o = '{
        main_active: main_state != StHalted, main_pc: 10'(pc_of(main_state, main_next, main_here)), main_mode: main_mode_i,
        main_seq_pc: 10'(main_seq_pc_q), main_beat: main_beat_i, w_nonempty: w_valid_i,
        psum_active: psum_state != StHalted, psum_pc: 10'(pc_of(psum_state, psum_next, psum_here)), psum_mode: psum_mode_i,
        psum_seq_pc: 10'(psum_seq_pc_q), psum_beat: psum_beat_i, psum_need: psum_need_i, psum_color: psum_color_i,
        psum_front: psum_valid_i, mp_count: queues_i.mp_count, pm_count: queues_i.pm_count, out_full: ~out_room_i
      };
    end
  end

endmodule
