/// The two handoff queues between the threads: MP (main to psum) and PM (psum to main), two entries each.
///
/// An entry of MP says that main has filled a buffer, taking it says that psum has emptied it; PM is the reverse and
/// carries nothing. Two entries mean double buffering: the parity of puts names the buffer the writer fills, the parity
/// of takes the one the reader empties.
///
/// Contract: put only with room, take only what is there. Latency: 1 cycle.
`include "weft_check.svh"

module pe_handoff
  import pe_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_i,
  /// Empties both queues and makes all parities even; nothing is put or taken then.
  input  logic       clear_i,
  // MP, main's side
  output logic       mp_room_o,
  output logic       mp_put_par_o,
  input  logic       mp_put_i,
  input  mp_t        mp_entry_i,
  // MP, psum's side
  output logic       mp_valid_o,
  output logic       mp_take_par_o,
  output mp_t        mp_front_o,
  input  logic       mp_take_i,
  // PM, psum's side
  output logic       pm_room_o,
  output logic       pm_put_par_o,
  input  logic       pm_put_i,
  // PM, main's side
  output logic       pm_valid_o,
  output logic       pm_take_par_o,
  input  logic       pm_take_i,
  // for hang reports
  output logic [1:0] mp_count_o,
  output logic [1:0] pm_count_o,
  output mp_t        mp_even_o,
  output mp_t        mp_odd_o
);

  typedef struct packed {
    logic [1:0] mp_count;
    logic [1:0] pm_count;
    logic       mp_put_par;
    logic       mp_take_par;
    logic       pm_put_par;
    logic       pm_take_par;
  } state_t;

  state_t     state_q, state_d;
  mp_t        mp_even_q, mp_odd_q;
  logic [1:0] mp_count_q, pm_count_q;
  logic       mp_put_par_q, mp_take_par_q, pm_put_par_q, pm_take_par_q, moves;

  assign {mp_count_q, pm_count_q, mp_put_par_q, mp_take_par_q, pm_put_par_q, pm_take_par_q} = state_q;
  assign moves = mp_put_i | mp_take_i | pm_put_i | pm_take_i;

  always_comb begin
    state_d = '0;
    `WEFT_IF_ANY(moves) begin
      state_d.mp_count    = mp_count_q + {1'b0, mp_put_i} - {1'b0, mp_take_i};
      state_d.pm_count    = pm_count_q + {1'b0, pm_put_i} - {1'b0, pm_take_i};
      state_d.mp_put_par  = mp_put_par_q ^ mp_put_i;
      state_d.mp_take_par = mp_take_par_q ^ mp_take_i;
      state_d.pm_put_par  = pm_put_par_q ^ pm_put_i;
      state_d.pm_take_par = pm_take_par_q ^ pm_take_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) state_q <= '0;
    else if (moves) state_q <= state_d;
    if (mp_put_i && mp_put_par_q) mp_odd_q <= mp_entry_i;
    if (mp_put_i && !mp_put_par_q) mp_even_q <= mp_entry_i;
  end

  assign mp_room_o     = ~mp_count_q[1];
  assign mp_valid_o    = mp_count_q != '0;
  assign mp_front_o    = mp_take_par_q ? mp_odd_q : mp_even_q;
  assign mp_put_par_o  = mp_put_par_q;
  assign mp_take_par_o = mp_take_par_q;
  assign pm_room_o     = ~pm_count_q[1];
  assign pm_valid_o    = pm_count_q != '0;
  assign pm_put_par_o  = pm_put_par_q;
  assign pm_take_par_o = pm_take_par_q;
  assign mp_count_o    = mp_count_q;
  assign pm_count_o    = pm_count_q;
  assign mp_even_o     = mp_even_q;
  assign mp_odd_o      = mp_odd_q;

  `WEFT_ASSUME(NothingMovesWhileCleared, !(clear_i && moves))
  `WEFT_ASSUME(HandoffNeverOverflows, !(mp_put_i && mp_count_q[1]) && !(pm_put_i && pm_count_q[1]))
  `WEFT_ASSUME(HandoffTakesWhatIsThere, !(mp_take_i && mp_count_q == '0) && !(pm_take_i && pm_count_q == '0))

endmodule
