// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The DATA that were sent and are not confirmed: go-back-N over the slots.
///
/// Slots fill in order (`fill_i`), are sent in order (`start_i`), and are free again when they are confirmed. All
/// counts are relative to the oldest DATA that is not confirmed. A confirmation of a DATA that was never sent is
/// ignored. When nothing is left to send, no DATA is being sent and no confirmation has arrived for `TimerTicks` ticks
/// (one less, in part), all are sent again. Other frames do not delay that: a host that misses a DATA keeps asking for
/// STATUS. Nothing is sent again to a silent host, until a frame of its arrives.
///
/// Latency: a confirmation counts 2 cycles after ack_valid_i; in the cycle before, hold_o forbids fill_i and start_i.
`include "weft_check.svh"

module weft_window
  import weft_link_pkg::*;
#(
  parameter int unsigned TimerTicks = 8
) (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       tick_i,
  input  logic       silent_i,     // no frame of the host has arrived for long
  input  logic       sending_i,    // a DATA is being sent
  input  logic       ack_valid_i,
  input  logic [7:0] ack_i,
  input  logic       fill_i,       // a slot is full
  input  logic       start_i,      // the next DATA is being sent
  output logic       hold_o,
  output logic       room_o,       // a slot is free
  output logic       ready_o,      // a DATA is ready to be sent
  output logic [31:0] next_o,      // its number
  output logic [31:0] oldest_o,    // the number of the oldest that is not confirmed
  output logic       resent_o,     // the next DATA was sent before
  output logic [2:0] fill_slot_o,
  output logic       empty_o       // all is confirmed
);

  typedef logic [3:0] count_t;
  localparam int unsigned Bits = $clog2(TimerTicks + 1);

  logic [31:0]     base_q;
  logic [7:0]      newly;
  count_t          filled_q, next_q, most_q, newly_q;  // most: sent at least once
  logic            apply_q;
  logic [Bits-1:0] ticks_q;

  assign newly = ack_i - base_q[7:0];

  always_ff @(posedge clk_i) begin
    apply_q <= ack_valid_i && newly != '0 && newly <= 8'(most_q);
    newly_q <= newly[3:0];
    if (apply_q) begin
      base_q   <= base_q + 32'(newly_q);
      filled_q <= filled_q - newly_q;
      most_q   <= most_q - newly_q;
      next_q   <= next_q > newly_q ? next_q - newly_q : '0;
    end
    if (fill_i) filled_q <= filled_q + 1'b1;
    if (start_i) begin
      next_q <= next_q + 1'b1;
      if (!resent_o) most_q <= most_q + 1'b1;
    end
    if (apply_q || sending_i || next_q == '0) begin
      ticks_q <= '0;
    end else if (ticks_q == Bits'(TimerTicks)) begin
      if (!hold_o && !silent_i) begin
        next_q  <= '0;
        ticks_q <= '0;
      end
    end else if (tick_i) begin
      ticks_q <= ticks_q + 1'b1;
    end
    if (rst_i) begin
      base_q   <= '0;
      filled_q <= '0;
      next_q   <= '0;
      most_q   <= '0;
      apply_q  <= 1'b0;
    end
  end

  assign hold_o      = apply_q;
  assign room_o      = filled_q != count_t'(Slots);
  assign ready_o     = next_q != filled_q && !apply_q;
  assign next_o      = base_q + 32'(next_q);
  assign oldest_o    = base_q;
  assign resent_o    = next_q != most_q;
  assign fill_slot_o = base_q[2:0] + filled_q[2:0];
  assign empty_o     = filled_q == '0;

  `WEFT_ASSUME(FillsWhatIsFree, !fill_i || (room_o && !hold_o))
  `WEFT_ASSUME(SendsWhatIsReady, !start_i || ready_o)
  `WEFT_ASSERT(SentIsFilled, next_q <= most_q && most_q <= filled_q && filled_q <= count_t'(Slots))

endmodule
