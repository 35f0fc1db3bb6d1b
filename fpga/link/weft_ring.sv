// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The receive ring: bytes are written as they arrive, count once their frame is found whole (commit), and are read in
/// order.
///
/// Pointers count modulo twice the size. `room_o` leaves room for a checksum, which is written like the payload before
/// it. `clear_i` drops all bytes.
///
/// Latency: 2 cycles from a commit to valid_o. Sustains a byte a cycle. room_o is a cycle late.
module weft_ring
  import weft_link_pkg::*;
(
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        write_i,
  input  logic [11:0] at_i,
  input  logic [7:0]  data_i,
  input  logic        commit_i,
  input  logic [12:0] mark_i,   // the new end
  output logic [12:0] begin_o,
  output logic [12:0] end_o,
  output logic [12:0] room_o,
  // to be read
  output logic        valid_o,
  output logic [7:0]  data_o,
  input  logic        ready_i
);

  (* no_rw_check *) logic [7:0] mem_q [RingBytes];
  logic [7:0]  read_q;
  logic [12:0] begin_q, end_q, room_q;
  logic        valid_q, load;

  assign load = !valid_q || ready_i;

  always_ff @(posedge clk_i) begin
    if (write_i) mem_q[at_i] <= data_i;
  end
  always_ff @(posedge clk_i) begin
    if (load) read_q <= mem_q[begin_q[11:0]];
  end

  always_ff @(posedge clk_i) begin
    room_q <= 13'(RingRoom) - (end_q - begin_q);
    if (commit_i) end_q <= mark_i;
    if (load) begin
      valid_q <= begin_q != end_q;
      if (begin_q != end_q) begin_q <= begin_q + 1'b1;
    end
    if (clear_i) begin
      begin_q <= '0;
      end_q   <= '0;
      valid_q <= 1'b0;
    end
  end

  assign begin_o = begin_q;
  assign end_o   = end_q;
  assign room_o  = room_q;
  assign valid_o = valid_q;
  assign data_o  = read_q;

endmodule
