// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The two handoff queues between the threads: MP (main to psum) and PM (psum to main), two entries each.
///
/// An entry of MP means that main has filled a buffer, taking it that psum has emptied the buffer; PM is the reverse
/// and carries no data. PM has double buffers: the parity of puts names the one the writer fills, the parity of takes
/// the one the reader empties. MP has three rotating buffers: with two entries in MP, main fills the third, and when
/// main begins with a buffer, psum has taken that buffer's last entry. mp_filled is set once anything has gone into the
/// buffer that main fills.
///
/// Contract: put only with room, take only if an entry is valid. Latency: 1 cycle.
`include "weft_check.svh"

module weft_pe_handoff
  import weft_pe_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_i,
  /// Empties both queues and begins with the first buffers; not together with a put or a take.
  input  logic       clear_i,
  // MP, main's side
  input  logic       mp_fill_i,
  input  logic       mp_put_i,
  input  mp_t        mp_entry_i,
  // MP, psum's side
  output mp_t        mp_front_o,
  input  logic       mp_take_i,
  // PM: psum's side, main's side
  input  logic       pm_put_i,
  input  logic       pm_take_i,
  //
  output handoff_t   state_o,
  output mp_t        mp_second_o   // for hang reports
);

  handoff_t state_q, state_d;
  mp_t      mp_front_q, mp_second_q;
  logic     moves;

  assign moves = mp_put_i | mp_fill_i | mp_take_i | pm_put_i | pm_take_i;

  always_comb begin
    state_d = state_q;
    `WEFT_IF_ANY(moves) begin
      state_d.mp_count    = state_q.mp_count + {1'b0, mp_put_i} - {1'b0, mp_take_i};
      state_d.pm_count    = state_q.pm_count + {1'b0, pm_put_i} - {1'b0, pm_take_i};
      if (mp_put_i) state_d.mp_put_buffer = next_buffer(state_q.mp_put_buffer);
      if (mp_take_i) state_d.mp_take_buffer = next_buffer(state_q.mp_take_buffer);
      state_d.mp_filled   = (state_q.mp_filled | mp_fill_i) & ~mp_put_i;
      state_d.pm_put_par  = state_q.pm_put_par ^ pm_put_i;
      state_d.pm_take_par = state_q.pm_take_par ^ pm_take_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) state_q <= '0;
    else if (moves) state_q <= state_d;
    if (mp_take_i) mp_front_q <= mp_second_q;
    if (mp_put_i) begin
      mp_second_q <= mp_entry_i;
      if (state_q.mp_count == {1'b0, mp_take_i}) mp_front_q <= mp_entry_i;
    end
  end

  assign state_o     = state_q;
  assign mp_front_o  = mp_front_q;
  assign mp_second_o = mp_second_q;

  `WEFT_ASSUME(NothingMovesWhileCleared, !(clear_i && moves))
  `WEFT_ASSUME(HandoffNeverOverflows, !(mp_put_i && state_q.mp_count[1]) && !(pm_put_i && state_q.pm_count[1]))
  `WEFT_ASSUME(HandoffTakesWhatIsThere, !(mp_take_i && state_q.mp_count == '0) && !(pm_take_i && state_q.pm_count == '0))

endmodule
