// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Sends packets of a packet_fifo as Ethernet frames, a byte a cycle: preamble, padding to 60 bytes, checksum, and 12
/// bytes of silence.
///
/// A packet arrives without a pause, once its first beat is available.
module weft_gmii_transmit
  import weft_link_pkg::beat_t;
  import weft_eth_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_i,
  // from packet_fifo
  input  logic       valid_i,
  input  beat_t      beat_i,
  output logic       ready_o,
  // to the PHY
  output logic       valid_o,
  output logic [7:0] data_o,
  output logic       busy_o
);

  typedef enum logic [2:0] {Idle, Preamble, Data, Pad, Checksum, Silence} state_e;

  localparam logic [3:0] PreambleBytes = 4'd8, GapBytes = 4'd12;

  state_e      state_q;
  logic [3:0]  step_q;   // position in Preamble, Checksum, Silence
  logic [5:0]  count_q;  // bytes of the frame, at most Shortest
  logic        enough_q, body, over, valid_q;
  logic [31:0] crc_q;
  logic [7:0]  byte_d, data_q;
  beat_t       beat_q;   // comes next

  // Padding and checksum follow the packet's end without a gap.
  assign over   = state_q == Pad || (state_q == Data && beat_q.last);
  assign body   = (state_q == Data && !beat_q.last) || (over && !enough_q);
  assign byte_d = over ? '0 : beat_q.data;

  always_ff @(posedge clk_i) begin
    valid_q <= state_q == Preamble || body || over || state_q == Checksum;
    data_q  <= body ? byte_d : ~crc_q[7:0];
    beat_q  <= beat_i;
    step_q  <= step_q + 4'd1;
    if (body) begin
      crc_q <= crc32(crc_q, byte_d);
      if (!enough_q) count_q <= count_q + 6'd1;
      enough_q <= enough_q || count_q == 6'(Shortest - 1);
    end else begin
      crc_q <= {8'hff, crc_q[31:8]};
    end
    unique case (state_q)
      Idle: begin
        step_q   <= '0;
        count_q  <= '0;
        enough_q <= 1'b0;
        if (valid_i) state_q <= Preamble;
      end
      Preamble: begin
        data_q <= step_q == PreambleBytes - 1'b1 ? 8'hd5 : 8'h55;
        crc_q  <= '1;
        if (step_q == PreambleBytes - 1'b1) state_q <= Data;
      end
      Data, Pad: begin
        step_q <= 4'd1;
        if (over) state_q <= enough_q ? Checksum : Pad;
      end
      Checksum: begin
        if (step_q == 4'(FcsBytes - 1)) begin
          state_q <= Silence;
          step_q  <= '0;
        end
      end
      default: if (step_q == GapBytes - 4'd2) state_q <= Idle;  // and a cycle there
    endcase
    if (rst_i) begin
      state_q <= Idle;
      valid_q <= 1'b0;
    end
  end

  assign ready_o = (state_q == Preamble && step_q == PreambleBytes - 1'b1) || (state_q == Data && !beat_q.last);
  assign valid_o = valid_q;
  assign data_o  = data_q;
  assign busy_o  = state_q != Idle || valid_q || valid_i;

endmodule
