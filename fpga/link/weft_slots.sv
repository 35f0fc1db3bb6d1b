// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The DATA that the board sends: bytes are cut into payloads, which are kept until the host has confirmed them.
///
/// A payload is closed when it is full, or when no byte arrived for 256 cycles.
///
/// Latency: 1 cycle from read_at_i to read_o. Takes a byte a cycle, except for one cycle when a payload is closed.
module weft_slots
  import weft_link_pkg::*;
#(
  parameter int unsigned TimerTicks = 8
) (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       tick_i,
  // bytes to be sent
  input  logic       valid_i,
  input  logic [7:0] data_i,
  output logic       ready_o,
  // confirmations
  input  logic       ack_valid_i,
  input  logic [7:0] ack_i,
  input  logic       silent_i,   // nothing is sent again
  // to the frame sender
  input  logic       sending_i,
  output logic       send_o,     // a DATA is to be sent
  output logic [31:0] number_o,
  output logic [31:0] oldest_o,  // the number of the oldest that is not confirmed
  output logic [9:0] length_o,
  output logic       resent_o,
  input  logic       start_i,
  input  logic [2:0] read_slot_i,
  input  logic [8:0] read_at_i,
  output logic [7:0] read_o,
  output logic       empty_o     // the host has confirmed everything
);

  (* no_rw_check *) logic [7:0] mem_q [Slots*PayloadBytes];
  logic [9:0] lengths_q [Slots];
  logic [9:0] length_q;  // length of the payload being filled
  logic [7:0] quiet_q;   // cycles without a byte
  logic       take, close, hold, room, confirmed;
  logic [2:0] slot;
  logic [7:0] read_q;

  weft_window #(.TimerTicks(TimerTicks)) i_window (
    .clk_i, .rst_i, .tick_i, .silent_i, .sending_i, .ack_valid_i, .ack_i, .fill_i(close), .start_i, .hold_o(hold), .room_o(room),
    .ready_o(send_o), .next_o(number_o), .oldest_o, .resent_o, .fill_slot_o(slot), .empty_o(confirmed)
  );

  assign ready_o = room && !hold && length_q != 10'(PayloadBytes);
  assign take    = valid_i && ready_o;
  assign close   = room && !hold && (length_q == 10'(PayloadBytes) || (length_q != '0 && quiet_q == '1 && !valid_i));

  always_ff @(posedge clk_i) begin
    if (take) mem_q[{slot, length_q[8:0]}] <= data_i;
  end
  always_ff @(posedge clk_i) read_q <= mem_q[{read_slot_i, read_at_i}];
  always_ff @(posedge clk_i) begin
    if (close) lengths_q[slot] <= length_q;
  end

  always_ff @(posedge clk_i) begin
    if (take) quiet_q <= '0;
    else if (quiet_q != '1) quiet_q <= quiet_q + 1'b1;
    if (rst_i || close) length_q <= '0;
    else if (take) length_q <= length_q + 1'b1;
  end

  assign read_o   = read_q;
  assign length_o = lengths_q[number_o[2:0]];
  assign empty_o  = confirmed && length_q == '0;

endmodule
