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
  output logic [1:0] pm_count_o
);

  logic [1:0] mp_count_q, pm_count_q;
  logic       mp_put_par_q, mp_take_par_q, pm_put_par_q, pm_take_par_q;
  mp_t        mp_even_q, mp_odd_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      mp_count_q    <= '0;
      pm_count_q    <= '0;
      mp_put_par_q  <= 1'b0;
      mp_take_par_q <= 1'b0;
      pm_put_par_q  <= 1'b0;
      pm_take_par_q <= 1'b0;
    end else begin
      if (mp_put_i) begin
        mp_put_par_q <= ~mp_put_par_q;
        if (mp_put_par_q) mp_odd_q <= mp_entry_i;
        else mp_even_q <= mp_entry_i;
      end
      if (mp_take_i) mp_take_par_q <= ~mp_take_par_q;
      if (mp_put_i != mp_take_i) mp_count_q <= mp_put_i ? mp_count_q + 2'd1 : mp_count_q - 2'd1;
      if (pm_put_i) pm_put_par_q <= ~pm_put_par_q;
      if (pm_take_i) pm_take_par_q <= ~pm_take_par_q;
      if (pm_put_i != pm_take_i) pm_count_q <= pm_put_i ? pm_count_q + 2'd1 : pm_count_q - 2'd1;
    end
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

  `WEFT_ASSERT(HandoffNeverOverflows, !(mp_put_i && mp_count_q[1]) && !(pm_put_i && pm_count_q[1]))
  `WEFT_ASSERT(HandoffTakesWhatIsThere, !(mp_take_i && mp_count_q == '0) && !(pm_take_i && pm_count_q == '0))

endmodule
