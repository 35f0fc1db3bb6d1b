// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// State of the PE as the debug chain reads it (docs/reference/debug_chain.md).
module weft_pe_debug
  import weft_pkg::*;
  import weft_debug_pkg::*;
  import weft_pe_pkg::*;
  import weft_pe_scalar_pkg::thread_t;
#(
  parameter int unsigned PcBits = 10,
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  localparam int unsigned Bits       = pe_bits(Colors, Depth),
  localparam int unsigned PtrBits    = $clog2(Depth),
  localparam int unsigned CreditBits = credit_bits(Depth),
  localparam int unsigned FrontBits  = color_bits(Colors)
) (
  input  logic              clk_i,
  // threads; their sequencers take an instruction
  /* verilator lint_off UNUSEDSIGNAL */  // the addresses in execute
  input  thread_t           main_thread_i,
  input  thread_t           psum_thread_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic              main_taken_i,
  input  logic              psum_taken_i,
  // sequencers
  input  logic              main_idle_i,
  input  logic              psum_idle_i,
  input  logic              main_lacks_w_i,
  input  logic              psum_lacks_words_i,
  input  logic              psum_lacks_room_i,
  input  handoff_t          queues_i,
  input  mp_t               mp_front_i,
  input  mp_t               mp_second_i,
  // the inbox
  input  logic [Colors-1:0] in_nonempty_i,
  input  logic [1:0][PtrBits-1:0][Colors-1:0] in_pointers_i,
  // the outbox
  input  logic [1:0][3:0]   out_pointers_i,
  /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are colors
  input  color_t            out_front_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [CreditBits-1:0][Colors-1:0] out_credits_i,
  output logic [Bits-1:0]   debug_o
);

  // The address behind the instruction each sequencer works on: its thread may be ahead.
  logic [PcBits-1:0] main_seq_q, psum_seq_q;

  always_ff @(posedge clk_i) begin
    if (main_taken_i) main_seq_q <= main_thread_i.next[PcBits-1:0];
    if (psum_taken_i) psum_seq_q <= psum_thread_i.next[PcBits-1:0];
  end

  pe_fixed_t                                 fixed;
  logic [Colors-1:0][queue_bits(Depth)-1:0]  in_queues;
  logic [Colors-1:0][CreditBits-1:0]         out_credits;

  assign fixed = '{
    mp_second: mp_second_i, mp_front: mp_front_i, mp_filled: queues_i.mp_filled, mp_put_buffer: queues_i.mp_put_buffer,
    mp_take_buffer: queues_i.mp_take_buffer, pm_put_par: queues_i.pm_put_par, pm_take_par: queues_i.pm_take_par,
    pm_count: queues_i.pm_count, mp_count: queues_i.mp_count,
    psum_lacks_room: psum_lacks_room_i, psum_lacks_words: psum_lacks_words_i,
    psum_busy: ~psum_idle_i, main_lacks_w: main_lacks_w_i, main_busy: ~main_idle_i,
    psum_seq_pc: 10'(psum_seq_q), main_seq_pc: 10'(main_seq_q), psum_state: psum_thread_i.state, psum_pc: psum_thread_i.next,
    main_state: main_thread_i.state, main_pc: main_thread_i.next, psum_b: psum_thread_i.b, main_b: main_thread_i.b
  };

  for (genvar c = 0; c < int'(Colors); c++) begin : gen_color
    assign in_queues[c][0] = in_nonempty_i[c];
    for (genvar b = 0; b < int'(PtrBits); b++) begin : gen_pointer
      assign in_queues[c][1+b]         = in_pointers_i[0][b][c];
      assign in_queues[c][1+PtrBits+b] = in_pointers_i[1][b][c];
    end
    for (genvar b = 0; b < int'(CreditBits); b++) begin : gen_credit
      assign out_credits[c][b] = out_credits_i[b][c];
    end
  end

  assign debug_o = {out_credits, in_queues, FrontBits'(out_front_i), out_pointers_i, fixed};

endmodule
