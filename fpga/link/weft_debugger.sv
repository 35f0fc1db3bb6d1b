// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The link's end of the debug chain: shifts the payload of a DEBUG through the chain, and keeps the bits that come out
/// as the answer.
///
/// The payload is one or more transactions of 5 bytes a node, node 0 (row 0's cell) first. A transaction is a cycle of
/// `shift`, then the bits, each byte from bit 0 on; then, while the chain rests for `Nodes + 32` cycles, the nodes
/// execute their commands (rtl/debug).
///
/// A frame is executed on begin_i: before that its payload is only stored. Numbers count from 0 in a session. A frame
/// with the number of the last one is a repetition: it is answered again, with the same bytes. One with any other
/// number is late. A payload that is not a whole number of transactions is dropped, and counts as damaged (bad_o).
///
/// Latency: some (Nodes * 41 + 32) cycles a transaction, then ask_o for one.
`include "weft_check.svh"

module weft_debugger
  import weft_link_pkg::*;
  import weft_debug_pkg::*;
#(
  /// Tiles and cells, at most 102.
  parameter int unsigned Nodes = 12
) (
  input  logic       clk_i,
  input  logic       rst_i,     // a session begins
  // the payload of a DEBUG, as it arrives
  input  logic       write_i,
  input  logic [8:0] at_i,
  input  logic [7:0] data_i,
  // the frame was whole, and is of the session
  input  logic       begin_i,
  input  logic [7:0] seq_i,       // low byte of the frame's number, which is near next_o
  input  logic [9:0] length_i,
  output logic       bad_o,     // its length is wrong
  output logic       go_o,      // pulse: the frame is executed, and the last answer is dropped
  output logic [31:0] next_o,   // the number of the next frame
  // the chain
  output chain_t     chain_o,
  input  chain_t     chain_i,
  output logic       busy_o,    // the wafer needs its clock
  // the answer
  output logic       ask_o,     // pulse: the answer is complete
  output logic [31:0] seq_o,
  output logic [9:0] length_o,
  input  logic [8:0] read_at_i,
  output logic [7:0] read_o     // a cycle later
);

  localparam int unsigned Bytes = Nodes * NodeBits / 8;
  localparam int unsigned Gap   = Nodes + 32;

  `WEFT_PARAM(Bytes <= PayloadBytes, "weft_debugger: make Nodes at most 102, a transaction has to fit into a frame")

  function automatic logic is_whole(input logic [9:0] length);
    is_whole = 1'b0;
    for (int unsigned at = Bytes; at <= PayloadBytes; at += Bytes) is_whole = is_whole | (length == 10'(at));
  endfunction

  typedef enum logic [1:0] {Idle, Take, Shift, Rest} state_e;

  (* no_rw_check *) logic [7:0] down_q [512];
  (* no_rw_check *) logic [7:0] up_q [512];
  state_e     state_q;
  logic [9:0] length_q, at_q, left_q;   // bytes: of the frame, sent, and left of the transaction
  logic [31:0] seq_q;
  logic [7:0] rest_q, next_q, byte_q, came, read_q;
  logic [6:0] came_q;  // bits of a byte so far
  logic [2:0] bit_q, came_bit_q;
  logic [8:0] came_at_q;
  logic       known_q, ask_q, in_q, whole, go, repeated;  // known: seq_q was executed

  assign whole = is_whole(length_i);
  assign bad_o = begin_i && !whole;
  assign go       = begin_i && whole && state_q == Idle && seq_i == next_o[7:0];
  assign repeated = begin_i && whole && state_q == Idle && known_q && seq_i == seq_q[7:0];

  always_ff @(posedge clk_i) begin
    if (write_i && state_q == Idle) down_q[at_i] <= data_i;
    next_q <= down_q[state_q == Idle ? 9'd0 : at_q[8:0]];
  end

  // Down: into the chain.
  always_ff @(posedge clk_i) begin
    ask_q <= repeated;
    unique case (state_q)
      Idle: begin
        at_q     <= 10'd1;
        rest_q   <= 8'd2;  // until the first byte is read
        if (go) begin
          state_q  <= Rest;
          length_q <= length_i;
          seq_q    <= next_o;
          known_q  <= 1'b1;
          byte_q   <= next_q;
        end
      end
      Take: begin
        state_q <= Shift;
        left_q  <= 10'(Bytes - 1);
        bit_q   <= '0;
      end
      Shift: begin
        bit_q  <= bit_q + 1'b1;
        byte_q <= {1'b0, byte_q[7:1]};
        if (bit_q == '1) begin
          byte_q <= next_q;
          at_q   <= at_q + 1'b1;
          left_q <= left_q - 1'b1;
          rest_q <= 8'(Gap);
          if (left_q == '0) state_q <= Rest;
        end
      end
      default: begin
        rest_q <= rest_q - 1'b1;
        if (rest_q == '0) begin
          // One byte is read in advance.
          state_q <= at_q > length_q ? Idle : Take;
          ask_q   <= at_q > length_q;
        end
      end
    endcase
    if (rst_i) begin
      state_q <= Idle;
      seq_q   <= '1;
      known_q <= 1'b0;
      ask_q   <= 1'b0;
    end
  end

  assign chain_o = '{shift: state_q == Take || state_q == Shift, data: byte_q[0]};

  // Up: out of the chain.
  assign came = {chain_i.data, came_q};
  always_ff @(posedge clk_i) begin
    in_q <= chain_i.shift;
    if (state_q == Idle) came_at_q <= '0;
    if (chain_i.shift) begin
      came_bit_q <= in_q ? came_bit_q + 1'b1 : '0;
      came_q     <= came[7:1];
      if (in_q && came_bit_q == '1) came_at_q <= came_at_q + 1'b1;
    end
    if (rst_i) in_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (chain_i.shift && in_q && came_bit_q == '1) up_q[came_at_q] <= came;
    read_q <= up_q[read_at_i];
  end

  assign next_o   = seq_q + 1'b1;
  assign go_o     = go;
  assign busy_o   = state_q != Idle;
  assign ask_o    = ask_q;
  assign seq_o    = seq_q;
  assign length_o = length_q;
  assign read_o   = read_q;

endmodule
