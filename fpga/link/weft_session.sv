// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The session's state: interprets each frame of the host, and decides which frames are accepted and answered.
///
/// All effects of a frame appear in the cycle of frame_i; pulses are marked as such.
///
/// `reset_o`, the reset of the wafer and all queues, lasts for four cycles after a session has begun. Frames come no
/// faster.
module weft_session
  import weft_link_pkg::*;
#(
  /// Ticks without a frame of the session after which it is silent: another host may then begin one.
  parameter int unsigned SilenceTicks = 2048,
  /// 1: there is a debug chain.
  parameter int unsigned Debug        = 0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        tick_i,
  input  frame_t      frame_i,
  input  logic [31:0] session_i,   // session of the frame
  output logic [31:0] session_o,   // that runs, or ran last
  output logic        running_o,
  output logic        silent_o,    // no frame of the session has arrived for long
  output logic        reset_o,
  output logic [31:0] expected_o,  // number of the next DATA
  // pulses
  output logic        begin_o,
  output logic        commit_o,    // the frame's payload counts
  output logic        confirm_o,   // the frame's ack is about DATA that were sent
  output logic        ask_ack_o,
  output logic        ask_about_o,
  output logic        ask_status_o,
  output logic        debug_o,     // the frame is for the debug chain
  output logic        foreign_o,   // frame of another session, or a kind that is not for a board
  output logic        unwanted_o   // DATA twice or out of order
);

  localparam int unsigned Bits = $clog2(SilenceTicks + 1);

  logic [31:0]     session_q;
  logic            running_q;
  logic [31:0]     expected_q;
  logic [3:0]      reset_q;
  /// An emulator that was stopped adds the ticks it missed.
  logic [Bits-1:0] silence_q /* verilator public_flat_rw */;
  logic            mine, hello, repeated, silent, known, in_order;

  assign silent   = silence_q == Bits'(SilenceTicks);
  assign mine     = frame_i.valid && running_q && frame_i.same;
  assign hello    = frame_i.valid && frame_i.kind == KindHello;
  assign repeated = hello && mine;

  always_comb begin
    unique case (frame_i.kind)
      KindData, KindAck, KindPoll, KindBye, KindHello: known = 1'b1;
      KindDebug:                                       known = Debug != 0;
      default:                                         known = 1'b0;
    endcase
  end

  assign in_order     = frame_i.seq == expected_q[7:0] && frame_i.fits;
  assign begin_o      = hello && !repeated && !frame_i.zero && (!running_q || silent || frame_i.follows);
  assign commit_o     = mine && frame_i.kind == KindData && in_order;
  assign unwanted_o   = mine && frame_i.kind == KindData && !in_order;
  assign confirm_o    = mine && (frame_i.kind == KindData || frame_i.kind == KindAck);
  assign ask_ack_o    = mine && frame_i.kind == KindData;
  assign ask_about_o  = begin_o || repeated;
  assign ask_status_o = mine && frame_i.kind == KindPoll;
  assign debug_o      = mine && known && frame_i.kind == KindDebug;
  assign foreign_o    = frame_i.valid && !begin_o && !(mine && known);

  always_ff @(posedge clk_i) begin
    reset_q <= {reset_q[2:0], 1'b0};
    if (begin_o) begin
      session_q  <= session_i;
      running_q  <= 1'b1;
      expected_q <= '0;
      reset_q    <= '1;
    end
    if (commit_o) expected_q <= expected_q + 1'b1;
    if (mine && frame_i.kind == KindBye) running_q <= 1'b0;
    if (begin_o || (mine && known)) silence_q <= '0;
    else if (tick_i && !silent) silence_q <= silence_q + 1'b1;
    if (rst_i) begin
      session_q <= '0;
      running_q <= 1'b0;
      reset_q   <= '1;
    end
  end

  assign session_o  = session_q;
  assign running_o  = running_q;
  assign silent_o   = silent;
  assign expected_o = expected_q;
  assign reset_o    = reset_q[3];

endmodule
