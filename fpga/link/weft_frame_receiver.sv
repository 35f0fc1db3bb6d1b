// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Checks frames, and puts the payload of DATA into the receive ring.
///
/// The payload, and the checksum behind it, is written as it arrives; `mark_o` is the place behind the payload, to
/// which the ring's end is moved if the frame is accepted (commit). A frame that is not accepted is overwritten by the
/// next.
///
/// Latency: frame_o or bad_o 2 cycles after a frame's end, for one cycle; no beat is taken until then.
`include "weft_check.svh"

module weft_frame_receiver
  import weft_link_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  // from the line
  input  logic        valid_i,
  input  beat_t       beat_i,
  output logic        ready_o,
  // to the ring; pointers count modulo twice its size
  output logic        write_o,
  output logic [12:0] at_o,
  output logic [7:0]  data_o,
  input  logic [12:0] end_i,    // end of the accepted bytes
  input  logic [12:0] begin_i,  // begin of the bytes not read yet
  output logic [12:0] mark_o,
  // references to complete short numbers: the next DATA, the oldest that is not confirmed, the next DEBUG
  input  logic [31:0] data_near_i,
  input  logic [31:0] ack_near_i,
  input  logic [31:0] debug_near_i,
  // the session that runs, or ran last
  input  logic [31:0] session_i,
  output logic [31:0] session_o,
  // the frame received
  output frame_t      frame_o,
  output logic [7:0]  ack_o,
  output logic        bad_o,    // a frame with a wrong checksum or length
  // the payload of a DEBUG as it arrives; with frame_o its length
  output logic        debug_o,
  output logic [8:0]  debug_at_o,
  output logic [9:0]  debug_length_o
);

  typedef enum logic [1:0] {Take, Look, Tell} state_e;

  localparam logic [9:0] Shortest = 10'(HeaderBytes + CrcBytes);
  localparam logic [9:0] Longest  = 10'(HeaderBytes + PayloadBytes + CrcBytes);

  state_e      state_q;
  logic [9:0]  count_q;  // bytes of the frame, at most Longest + 1
  logic [31:0] crc_q, session_q, follows_q;
  logic [7:0]  kind_q, seq_q, ack_q;
  logic        damaged_q, over_q, good_q;
  logic [12:0] at_q, mark_q;
  frame_t      frame_q;
  logic        take, payload, full, length_good;
  logic [31:0] seq_near;
  logic [23:0] others;  // bits that the checksum also covers

  assign ready_o = state_q == Take;
  assign take    = valid_i && ready_o && !beat_i.last;
  assign payload = count_q >= 10'(HeaderBytes);
  assign full    = at_q == (begin_i ^ 13'(RingBytes));

  assign write_o = take && payload && !full && !over_q;
  assign at_o    = at_q;
  assign data_o  = beat_i.data;
  assign mark_o  = mark_q;

  assign seq_near = kind_q == KindDebug ? debug_near_i : data_near_i;
  always_comb begin
    others = '0;
    if (count_q == 10'd5 && (kind_q == KindData || kind_q == KindDebug)) others = 24'(nearest(beat_i.data, seq_near) >> 8);
    if (count_q == 10'd8 && numbered(kind_q)) others = 24'(nearest(ack_q, ack_near_i) >> 8);
  end

  always_comb begin
    unique case (kind_q)
      KindData, KindDebug:        length_good = count_q > Shortest && count_q <= Longest;
      KindHello:                  length_good = count_q == Shortest + 10'd4;
      KindAck, KindPoll, KindBye: length_good = count_q == Shortest;
      default:                    length_good = count_q >= Shortest && count_q <= Longest;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      crc_q <= crc32c(crc_q, beat_i.data) ^ 32'(others);
      if (count_q != Longest + 1'b1) count_q <= count_q + 1'b1;
      if (count_q < 10'd4) session_q <= {beat_i.data, session_q[31:8]};
      if (count_q == 10'd4) kind_q <= beat_i.data;
      if (count_q == 10'd5) seq_q <= beat_i.data;
      if (count_q == 10'd6) ack_q <= beat_i.data;
      if (count_q >= 10'd9 && count_q < 10'd13) follows_q <= {beat_i.data, follows_q[31:8]};
      if (payload && full) over_q <= 1'b1;
      if (write_o) at_q <= at_q + 1'b1;
    end

    good_q          <= length_good && !damaged_q && crc_q == CrcResidue;
    mark_q          <= at_q - 13'(CrcBytes);
    frame_q.valid   <= 1'b0;
    frame_q.same    <= session_q == session_i;
    frame_q.zero    <= session_q == '0;
    frame_q.follows <= follows_q == session_i;
    frame_q.fits    <= !over_q;
    frame_q.kind    <= kind_q;
    frame_q.seq     <= seq_q;

    unique case (state_q)
      Take: begin
        damaged_q <= beat_i.data[0];
        if (valid_i && beat_i.last && count_q != '0) state_q <= Look;
      end
      Look: state_q <= Tell;
      default: begin
        state_q <= Take;
        count_q <= '0;
        crc_q   <= '1;
        over_q  <= 1'b0;
      end
    endcase
    if (rst_i) begin
      state_q <= Take;
      count_q <= '0;
      crc_q   <= '1;
      over_q  <= 1'b0;
    end
    // A frame is written from the end of the accepted bytes on, also if the frame before is just being accepted.
    if (count_q < 10'(HeaderBytes)) at_q <= end_i;
  end

  always_comb begin
    frame_o       = frame_q;
    frame_o.valid = state_q == Tell && good_q;
  end
  assign debug_o        = take && payload && kind_q == KindDebug && count_q < 10'(HeaderBytes + PayloadBytes);
  assign debug_at_o     = 9'(count_q - 10'(HeaderBytes));
  assign debug_length_o = count_q - 10'(HeaderBytes + CrcBytes);

  assign bad_o     = state_q == Tell && !good_q;
  assign session_o = session_q;
  assign ack_o     = ack_q;

endmodule
