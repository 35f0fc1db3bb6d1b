// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The board's half of the link to its host: frames on one side, the wafer's valve and outlets on the other.
///
/// ```
/// rx ─► frame_receiver ─► ring ─► expander ─► valve
///             │ session                          wafer
/// tx ◄─ frame_sender ◄─ slots ◄─ collector ◄─ outlets
/// ```
///
/// The link is independent of the frames' carrier: that passes bytes and ends, and may end a damaged frame as such. The
/// wafer's reset comes from here, for four cycles when a session begins.
`include "weft_check.svh"

module weft_link
  import weft_link_pkg::*;
#(
  /// 1 to 16.
  parameter int unsigned Rows         = 4,
  parameter int unsigned Cols         = 2,
  /// Entries of the index memory.
  parameter int unsigned Indices      = 2048,
  /// Times are counted in ticks of 2^TickBits cycles: 2^19 cycles until DATA is sent again, 2^27 of silence.
  parameter int unsigned TickBits     = 16,
  parameter int unsigned TimerTicks   = 8,
  parameter int unsigned SilenceTicks = 2048,
  /// 1: there is a debug chain (docs/reference/debug_chain.md).
  parameter int unsigned Debug        = 0,
  /// The payload of ABOUT, byte 0 in the lowest bits.
  parameter logic [8*AboutBytes-1:0] About = '0
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  // frames
  input  logic                         rx_valid_i,
  input  beat_t                        rx_beat_i,
  output logic                         rx_ready_o,
  output logic                         tx_valid_o,
  output beat_t                        tx_beat_o,
  input  logic                         tx_ready_i,
  // the wafer
  output logic                         wafer_rst_o,
  output logic                         valve_valid_o,
  output logic                         valve_ctrl_o,
  output logic [31:0]                  valve_data_o,
  input  logic                         valve_ready_i,
  input  logic [Rows-1:0]              outlet_valid_i,
  input  logic [Rows-1:0][31:0]        outlet_data_i,
  output logic [Rows-1:0]              outlet_ready_o,
  input  logic                         awake_i,
  input  logic [Rows-1:0][Cols:0][7:0] flags_i,   // flags of an edge, then of its tiles
  // the debug chain; the wafer needs its clock for it
  output weft_debug_pkg::chain_t       chain_o,
  input  weft_debug_pkg::chain_t       chain_i,
  output logic                         chain_busy_o,
  //
  output logic                         session_o, // a session runs
  output logic                         begun_o,   // for a cycle: the frame before has begun a session
  output logic                         fault_o,
  output logic                         silent_o,  // no frame of the session has arrived for long
  /// No state but the passing of time changes before the line or the wafer does something. While the session is silent,
  /// idle_o means only that nothing is being sent.
  output logic                         idle_o
);

  localparam int unsigned StatusBytes = 42 + Rows * (Cols + 1);

  `WEFT_PARAM(Rows >= 1 && Rows <= 16, "weft_link: make Rows 1 to 16, a record of words has 4 bits for its row")
  `WEFT_PARAM(Cols >= 1 && Cols <= 128, "weft_link: make Cols 1 to 128, ABOUT has 8 bits for them and hosts take no more")
  `WEFT_PARAM(StatusBytes <= PayloadBytes, "weft_link: make Rows * (Cols + 1) at most 470, a STATUS has to fit into a frame")

  frame_t      frame;
  logic        bad, foreign, unwanted, resent, tick, reset;
  logic [31:0] came_session, session;
  logic [31:0] expected, expected_q, oldest, debug_next;
  logic [7:0]  ack;
  logic        running, silent, begun, commit, confirm, ask_ack, ask_ack_q, unwanted_q, ask_about, ask_status;

  logic        ring_write, down_valid, down_ready;
  /* verilator lint_off UNUSEDSIGNAL */  // a place in the ring needs no lap
  logic [12:0] ring_at;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [12:0] ring_begin, ring_end, mark, room;
  logic [7:0]  ring_data, down;

  logic        busy, waits, fault, word;
  logic        up_valid, up_ready, collected;
  logic [7:0]  up;

  logic        send, start, carries, sending, confirmed, status_begin, status_next;
  logic [31:0] number;
  logic [7:0]  slot_byte, status_byte, stands;
  logic [9:0]  length;
  logic [2:0]  read_slot;
  logic [8:0]  read_at;

  logic        debug_write, debug, answer, debugs;
  logic [8:0]  debug_at;
  logic [9:0]  debug_length, answer_length;
  logic [31:0] answer_seq;
  logic [7:0]  answer_byte;
  logic        debug_go, debug_bad;

  weft_frame_receiver i_receiver (
    .clk_i, .rst_i, .valid_i(rx_valid_i), .beat_i(rx_beat_i), .ready_o(rx_ready_o),
    .write_o(ring_write), .at_o(ring_at), .data_o(ring_data), .end_i(ring_end), .begin_i(ring_begin), .mark_o(mark),
    .data_near_i(expected), .ack_near_i(oldest), .debug_near_i(debug_next),
    .session_i(session), .session_o(came_session), .frame_o(frame), .ack_o(ack), .bad_o(bad),
    .debug_o(debug_write), .debug_at_o(debug_at), .debug_length_o(debug_length)
  );

  weft_session #(.SilenceTicks(SilenceTicks), .Debug(Debug)) i_session (
    .clk_i, .rst_i, .tick_i(tick), .frame_i(frame), .session_i(came_session), .session_o(session), .running_o(running),
    .silent_o(silent), .reset_o(reset), .expected_o(expected), .begin_o(begun), .commit_o(commit), .confirm_o(confirm),
    .ask_ack_o(ask_ack), .ask_about_o(ask_about), .ask_status_o(ask_status), .debug_o(debug), .foreign_o(foreign),
    .unwanted_o(unwanted)
  );

  weft_ring i_ring (
    .clk_i, .clear_i(reset), .write_i(ring_write), .at_i(ring_at[11:0]), .data_i(ring_data), .commit_i(commit), .mark_i(mark),
    .begin_o(ring_begin), .end_o(ring_end), .room_o(room), .valid_o(down_valid), .data_o(down), .ready_i(down_ready)
  );

  weft_expander #(.Indices(Indices)) i_expander (
    .clk_i, .rst_i(reset), .valid_i(down_valid), .data_i(down), .ready_o(down_ready),
    .valid_o(valve_valid_o), .ctrl_o(valve_ctrl_o), .data_o(valve_data_o), .ready_i(valve_ready_i),
    .busy_o(busy), .waits_o(waits), .fault_o(fault)
  );

  weft_collector #(.Rows(Rows)) i_collector (
    .clk_i, .rst_i(reset), .valid_i(outlet_valid_i), .data_i(outlet_data_i), .ready_o(outlet_ready_o), .word_o(word),
    .valid_o(up_valid), .data_o(up), .ready_i(up_ready), .empty_o(collected)
  );

  weft_slots #(.TimerTicks(TimerTicks)) i_slots (
    .clk_i, .rst_i(reset), .tick_i(tick), .valid_i(up_valid), .data_i(up), .ready_o(up_ready),
    .ack_valid_i(confirm), .ack_i(ack), .silent_i(silent), .sending_i(carries), .send_o(send), .number_o(number), .oldest_o(oldest), .length_o(length),
    .resent_o(resent), .start_i(start), .read_slot_i(read_slot), .read_at_i(read_at), .read_o(slot_byte),
    .empty_o(confirmed)
  );

  // room_i is a cycle behind expected, so expected_q is delayed, too.
  always_ff @(posedge clk_i) begin
    expected_q <= expected;
    ask_ack_q  <= ask_ack;
    unwanted_q <= unwanted;
  end

  weft_frame_sender #(.About(About), .StatusBytes(StatusBytes)) i_sender (
    .clk_i, .rst_i, .tick_i(tick), .reset_i(reset), .running_i(running), .session_i(session), .expected_i(expected_q), .room_i(room),
    .ask_ack_i(ask_ack_q), .at_once_i(unwanted_q), .ask_about_i(ask_about), .ask_status_i(ask_status),
    .send_i(send), .number_i(number), .length_i(length), .start_o(start),
    .read_slot_o(read_slot), .read_at_o(read_at), .read_i(slot_byte),
    .status_begin_o(status_begin), .status_next_o(status_next), .status_i(status_byte),
    .ask_answer_i(answer), .drop_answer_i(debug_go), .answer_seq_i(answer_seq), .answer_length_i(answer_length), .answer_i(answer_byte),
    .valid_o(tx_valid_o), .beat_o(tx_beat_o), .ready_i(tx_ready_i), .carries_o(carries), .busy_o(sending)
  );

  weft_status #(.Rows(Rows), .Cols(Cols), .TickBits(TickBits)) i_status (
    .clk_i, .reset_i(reset), .message_i(valve_valid_o && valve_ready_i), .word_i(word), .bad_i(bad || debug_bad), .foreign_i(foreign),
    .unwanted_i(unwanted), .resent_i(start && resent), .stands_i(stands), .flags_i, .tick_o(tick),
    .begin_i(status_begin), .next_i(status_next), .byte_o(status_byte)
  );

  if (Debug != 0) begin : gen_debug
    weft_debugger #(.Nodes(Rows * (Cols + 1))) i_debugger (
      .clk_i, .rst_i(reset), .write_i(debug_write), .at_i(debug_at), .data_i(ring_data), .begin_i(debug), .seq_i(frame.seq),
      .length_i(debug_length), .bad_o(debug_bad), .go_o(debug_go), .next_o(debug_next), .chain_o, .chain_i, .busy_o(debugs),
      .ask_o(answer), .seq_o(answer_seq), .length_o(answer_length), .read_at_i(read_at), .read_o(answer_byte)
    );
  end else begin : gen_no_debug
    logic unused;
    assign unused        = ^{debug_write, debug_at, debug, debug_length, chain_i};
    assign chain_o       = '0;
    assign debugs        = 1'b0;
    assign answer        = 1'b0;
    assign answer_seq    = '0;
    assign debug_go      = 1'b0;
    assign debug_bad     = 1'b0;
    assign debug_next    = '0;
    assign answer_length = '0;
    assign answer_byte   = '0;
  end
  assign chain_busy_o = debugs;

  assign stands      = {3'd0, !(collected && confirmed), fault, busy || down_valid || ring_begin != ring_end,
                        valve_valid_o, awake_i};
  assign wafer_rst_o = reset;
  assign session_o   = running;
  assign begun_o     = begun;
  assign fault_o     = fault;
  assign silent_o    = silent;
  assign idle_o      = !sending && !debugs && !reset && (silent || (waits && collected && (confirmed || !running)));

endmodule
