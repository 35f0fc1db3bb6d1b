// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Makes the board's packets in a packet_fifo: the link's frames in UDP to the session's host, and answers to requests.
///
/// The contents are written first, behind the header's place; then the length is known, and the header follows. A frame
/// that is cut short, because a session begins, is not sent.
///
/// Latency: some 50 cycles for the header, during which nothing is taken from the link.
module weft_packet_writer
  import weft_link_pkg::beat_t;
  import weft_eth_pkg::*;
#(
  parameter address_t Self = '0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // from the link
  input  logic        tx_valid_i,
  input  beat_t       tx_beat_i,
  output logic        tx_ready_o,
  input  logic        begun_i,
  // from packet_reader
  input  logic        arp_i,
  input  logic        echo_i,
  input  logic        echo_write_i,
  input  logic [7:0]  echo_data_i,
  input  logic        echo_whole_i,
  input  logic [10:0] echo_offset_i,
  input  logic [10:0] echo_length_i,
  input  logic [15:0] echo_sum_i,
  output logic        echo_ready_o,
  output logic        answered_o,
  // to peers
  output logic        host_o,
  output logic [3:0]  read_at_o,
  input  logic [7:0]  read_i,
  // to packet_fifo
  output logic        write_o,
  output logic [10:0] offset_o,
  output beat_t       beat_o,
  output logic        commit_o,
  output logic [10:0] length_o,
  input  logic        full_i,
  output logic        busy_o
);

  typedef enum logic [2:0] {Idle, Frame, Echoes, Header, SumHigh, SumLow, End} state_e;

  localparam int unsigned SumAt = IpBegin + 10;
  /// Bytes of the shortest frame of the link.
  localparam logic [10:0] Least = 11'(HeaderBytes + weft_link_pkg::HeaderBytes + weft_link_pkg::CrcBytes);

  state_e      state_q;
  protocol_e   kind_q;
  logic [10:0] at_q, end_q;  // positions in the packet and of its end
  logic        stale_q, commit_q, last;
  logic [15:0] sum_q, total, udp_length, echo_sum;
  logic [7:0]  header, before_q;
  field_t      place;

  assign place      = field(kind_q == Arp, at_q[5:0]);
  assign total      = 16'(end_q) - 16'(IpBegin);
  assign udp_length = 16'(end_q) - 16'd34;
  assign echo_sum   = ones_sum(echo_sum_i, 16'h0800);  // checksum of a reply in place of a request
  assign last       = at_q == (kind_q == Echo ? 11'(EchoHeader - 1) : 11'(HeaderBytes - 1));

  always_comb begin
    unique case (at_q[5:0])
      6'd12:   header = 8'h08;
      6'd13:   header = kind_q == Arp ? 8'h06 : 8'h00;
      6'd14:   header = kind_q == Arp ? 8'h00 : 8'h45;
      6'd15:   header = kind_q == Arp ? 8'h01 : 8'h00;
      6'd16:   header = kind_q == Arp ? 8'h08 : total[15:8];
      6'd17:   header = kind_q == Arp ? 8'h00 : total[7:0];
      6'd18:   header = kind_q == Arp ? 8'h06 : 8'h00;
      6'd19:   header = kind_q == Arp ? 8'h04 : 8'h00;
      6'd20:   header = kind_q == Arp ? 8'h00 : 8'h40;  // do not fragment
      6'd21:   header = kind_q == Arp ? 8'h02 : 8'h00;
      6'd22:   header = 8'd64;                          // time to live, in routers
      6'd23:   header = kind_q == Udp ? 8'h11 : 8'h01;
      6'd36:   header = echo_sum[15:8];
      6'd37:   header = echo_sum[7:0];
      6'd38:   header = udp_length[15:8];
      6'd39:   header = udp_length[7:0];
      default: header = 8'h00;
    endcase
    if (!(kind_q == Echo && at_q >= 11'd34)) begin
      if (place.part == From) header = part_of(Self, place.at);
      if (place.part == To) header = read_i;
    end
  end

  always_ff @(posedge clk_i) begin
    commit_q <= 1'b0;
    stale_q  <= stale_q || begun_i;
    unique case (state_q)
      Idle: begin
        at_q  <= '0;
        sum_q <= '0;
        if (arp_i) begin
          state_q <= Header;
          kind_q  <= Arp;
          end_q   <= 11'(HeaderBytes);
          stale_q <= 1'b0;
        end else if (echo_i) begin
          state_q <= Echoes;
          kind_q  <= Echo;
          stale_q <= 1'b0;
        end else if (tx_valid_i) begin
          state_q <= Frame;
          kind_q  <= Udp;
          at_q    <= 11'(HeaderBytes);
          stale_q <= begun_i;
        end
        if (commit_q) state_q <= Idle;  // peers still has the address of the answer's receiver
      end
      Frame: begin
        if (tx_valid_i && tx_ready_o) begin
          at_q  <= at_q + 1'b1;
          end_q <= at_q;
          if (tx_beat_i.last) begin
            at_q    <= '0;
            state_q <= at_q < Least ? Idle : Header;
          end
        end
      end
      Echoes: begin
        end_q <= echo_length_i;
        if (!echo_i) state_q <= Idle;
        else if (echo_whole_i) state_q <= Header;
      end
      Header: begin
        if (!full_i) begin
          at_q     <= at_q + 1'b1;
          before_q <= header;
          if (at_q >= 11'(IpBegin) && at_q < 11'd34 && at_q[0]) sum_q <= ones_sum(sum_q, {before_q, header});
          if (last) state_q <= kind_q == Arp ? End : SumHigh;
        end
      end
      SumHigh: state_q <= SumLow;
      SumLow:  state_q <= End;
      default: begin
        state_q  <= Idle;
        commit_q <= kind_q != Udp || !(stale_q || begun_i);
      end
    endcase
    if (rst_i) begin
      state_q  <= Idle;
      commit_q <= 1'b0;
      stale_q  <= 1'b0;
    end
  end

  always_comb begin
    write_o  = !full_i;
    offset_o = at_q;
    beat_o   = '{last: 1'b0, data: header};
    unique case (state_q)
      Frame: begin
        write_o     = tx_valid_i && tx_ready_o && !tx_beat_i.last;
        beat_o.data = tx_beat_i.data;
      end
      Echoes: begin
        write_o     = echo_write_i;
        offset_o    = echo_offset_i;
        beat_o.data = echo_data_i;
      end
      Header: ;
      SumHigh: begin
        write_o     = 1'b1;
        offset_o    = 11'(SumAt);
        beat_o.data = ~sum_q[15:8];
      end
      SumLow: begin
        write_o     = 1'b1;
        offset_o    = 11'(SumAt + 1);
        beat_o.data = ~sum_q[7:0];
      end
      End: begin
        write_o  = 1'b1;
        offset_o = end_q;
        beat_o   = '{last: 1'b1, data: '0};
      end
      default: write_o = 1'b0;
    endcase
  end

  assign tx_ready_o   = state_q == Frame && !full_i;
  assign echo_ready_o = state_q == Echoes && !full_i;
  assign answered_o   = commit_q && kind_q != Udp;
  assign host_o       = kind_q == Udp;
  assign read_at_o    = place.at;
  assign commit_o     = commit_q;
  assign length_o     = end_q + 1'b1;
  assign busy_o       = state_q != Idle || commit_q;

endmodule
