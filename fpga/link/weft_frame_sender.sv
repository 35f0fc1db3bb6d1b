// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Makes the board's frames: selects the next one, and adds header and checksum to its payload.
///
/// Answers go before DATA, and each DATA carries what an ACK would. An ACK is sent for two DATA, for one after a tick
/// has passed, or for one that was not taken at once. A frame that is being sent when a session begins is cut short, so
/// that no host takes it for whole.
///
/// Latency: 2 cycles from a request to a frame's first byte. A byte a cycle.
module weft_frame_sender
  import weft_link_pkg::*;
#(
  parameter logic [8*AboutBytes-1:0] About       = '0,  // byte 0 in the lowest bits
  parameter int unsigned             StatusBytes = 42
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        tick_i,
  input  logic        reset_i,      // a session begins
  input  logic        running_i,
  input  logic [31:0] session_i,
  input  logic [31:0] expected_i,   // these two belong to each other
  input  logic [12:0] room_i,
  // pulses
  input  logic        ask_ack_i,    // in the first cycle with the new expected_i
  input  logic        at_once_i,    // with it: answer at once, not with the next DATA or the next tick
  input  logic        ask_about_i,
  input  logic        ask_status_i,
  // DATA
  input  logic        send_i,
  input  logic [31:0] number_i,
  input  logic [9:0]  length_i,
  output logic        start_o,
  output logic [2:0]  read_slot_o,
  output logic [8:0]  read_at_o,
  input  logic [7:0]  read_i,
  // STATUS
  output logic        status_begin_o,
  output logic        status_next_o,
  input  logic [7:0]  status_i,
  // ANSWER
  input  logic        ask_answer_i,  // pulse
  input  logic        drop_answer_i, // pulse: the requested answer is being overwritten
  input  logic [31:0] answer_seq_i,
  input  logic [9:0]  answer_length_i,
  input  logic [7:0]  answer_i,      // a byte, read like those of DATA
  // to the line
  output logic        valid_o,
  output beat_t       beat_o,
  input  logic        ready_i,
  output logic        carries_o,    // DATA is being sent
  output logic        busy_o        // a frame is being sent, or requested
);

  typedef enum logic [2:0] {Idle, Header, Payload, Checksum, End} phase_e;

  phase_e      phase_q;
  kind_t       kind_q;
  logic [31:0] number_q;
  logic [23:0] above_q, others;  // upper bits of the ack in the frame; bits that the checksum also covers
  logic [7:0]  header, payload, build;
  logic [9:0]  length_q, at_q, at_d;  // length of the payload; byte of the phase
  logic [31:0] crc_q;
  logic [12:0] announced_q;
  /* verilator lint_off UNUSEDSIGNAL */  // a quarter of the ring counts
  logic [12:0] grown;
  /* verilator lint_on UNUSEDSIGNAL */
  logic        owed_q;                              // a DATA was not answered
  logic        ack_q, about_q, status_q, answer_q;  // requests
  logic        grown_q, valid_q, load, last, announces;
  beat_t       beat_q;

  // ABOUT without the build number, which build_number provides without moving a cell.
  localparam logic [8*AboutBytes-1:0] Rest = About & ~((8*AboutBytes)'(64'hffff_ffff_ffff_ffff) << (8 * AboutBuildAt));

  weft_build_number #(.Build(About[8*AboutBuildAt+:64])) i_build (.at_i(at_q[2:0]), .byte_o(build));

  assign load      = !valid_q || ready_i;
  assign grown     = room_i - announced_q;
  assign announces = load && !reset_i && phase_q == Header && at_q == 10'd6;

  always_comb begin
    others = '0;
    if (at_q == 10'd5 && numbered(kind_q)) others = number_q[31:8];
    if (at_q == 10'd8 && numbered(kind_q)) others = above_q;
    unique case (at_q[3:0])
      4'd0:    header = session_i[7:0];
      4'd1:    header = session_i[15:8];
      4'd2:    header = session_i[23:16];
      4'd3:    header = session_i[31:24];
      4'd4:    header = kind_q;
      4'd5:    header = number_q[7:0];
      4'd6:    header = expected_i[7:0];
      4'd7:    header = announced_q[7:0];
      default: header = {3'd0, announced_q[12:8]};
    endcase
    unique case (kind_q)
      KindData:  payload = read_i;
      KindAbout: payload = Rest[8*at_q[5:0]+:8] | (at_q[5:3] == 3'(AboutBuildAt / 8) ? build : 8'd0);
      KindAnswer: payload = answer_i;
      default:   payload = status_i;
    endcase
    unique case (phase_q)
      Header:   last = at_q == 10'(HeaderBytes - 1);
      Payload:  last = at_q == length_q - 1'b1;
      Checksum: last = at_q == 10'(CrcBytes - 1);
      default:  last = 1'b1;
    endcase
    at_d = at_q;
    if (load) at_d = last ? '0 : at_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    at_q    <= at_d;
    grown_q <= running_i && !grown[12] && grown[11:10] != '0;
    if (load) begin
      valid_q     <= phase_q != Idle && !reset_i;
      beat_q.last <= phase_q == End;
      unique case (phase_q)
        Header:   beat_q.data <= header;
        Payload:  beat_q.data <= payload;
        Checksum: beat_q.data <= ~crc_q[7:0];
        default:  beat_q.data <= '0;
      endcase
      unique case (phase_q)
        Idle: begin
          crc_q    <= '1;
          number_q <= '0;
          length_q <= '0;
          if (running_i && !reset_i) begin
            phase_q <= Header;
            if (about_q) begin
              kind_q   <= KindAbout;
              length_q <= 10'(AboutBytes);
              about_q  <= 1'b0;
            end else if (status_q) begin
              kind_q   <= KindStatus;
              length_q <= 10'(StatusBytes);
              status_q <= 1'b0;
            end else if (answer_q) begin
              kind_q   <= KindAnswer;
              length_q <= answer_length_i;
              number_q <= answer_seq_i;
              answer_q <= 1'b0;
            end else if (send_i) begin
              kind_q   <= KindData;
              length_q <= length_i;
              number_q <= number_i;
            end else if (ack_q || grown_q) begin
              kind_q <= KindAck;
            end else begin
              phase_q <= Idle;
            end
          end
        end
        Header: begin
          crc_q <= crc32c(crc_q, header) ^ 32'(others);
          if (announces) begin
            announced_q <= room_i;
            above_q <= expected_i[31:8];
          end
          if (last) phase_q <= kind_q == KindAck ? Checksum : Payload;
        end
        Payload: begin
          crc_q <= crc32c(crc_q, payload);
          if (last) phase_q <= Checksum;
        end
        Checksum: begin
          crc_q <= 32'(crc_q[31:8]);
          if (last) phase_q <= End;
        end
        default: phase_q <= Idle;
      endcase
    end
    if (announces && (kind_q == KindData || kind_q == KindAck)) begin
      ack_q  <= 1'b0;
      owed_q <= 1'b0;
    end
    if (ask_ack_i) owed_q <= 1'b1;
    if ((ask_ack_i && at_once_i) || (owed_q && (ask_ack_i || tick_i))) ack_q <= 1'b1;
    if (ask_status_i) status_q <= 1'b1;
    if (drop_answer_i) answer_q <= 1'b0;
    if (ask_answer_i) answer_q <= 1'b1;
    if (reset_i) begin
      phase_q     <= phase_q == Idle ? Idle : End;
      announced_q <= 13'(RingRoom);
      ack_q       <= 1'b0;
      owed_q      <= 1'b0;
      status_q    <= 1'b0;
      answer_q    <= 1'b0;
      grown_q     <= 1'b0;
    end
    if (ask_about_i) about_q <= 1'b1;
    if (rst_i) begin
      phase_q <= Idle;
      valid_q <= 1'b0;
      about_q <= 1'b0;
    end
  end

  assign start_o        = load && phase_q == Idle && running_i && !reset_i && !about_q && !status_q && !answer_q && send_i;
  assign read_slot_o    = number_q[2:0];
  assign read_at_o      = at_d[8:0];
  assign status_begin_o = load && phase_q == Header && last;
  assign status_next_o  = load && phase_q == Payload;
  assign valid_o        = valid_q;
  assign beat_o         = beat_q;
  assign carries_o      = kind_q == KindData && (phase_q != Idle || valid_q);
  // Requests of a session that has ended are not sent.
  assign busy_o         = phase_q != Idle || valid_q
                          || (running_i && (ack_q || owed_q || about_q || status_q || answer_q || grown_q));

endmodule
