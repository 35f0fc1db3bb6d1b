// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Classifies each packet: passes one for the link on, puts a request (ARP, ICMP echo) to packet_writer, and drops any
/// other.
///
/// The link gets the packets of the session's host, and a HELLO from any sender: `same_i` says byte by byte whether the
/// sender is the host. A payload waits until its kind of frame is known. If it is shorter than its lengths say, it ends
/// as damaged.
///
/// A byte a cycle; a frame of the link takes 5 cycles more, a request until it is answered. A session begins (begun_o
/// of the link) before the next packet's sender is written.
module weft_packet_reader
  import weft_link_pkg::beat_t;
  import weft_eth_pkg::*;
#(
  parameter address_t Self = '0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // packets
  input  logic        valid_i,
  input  beat_t       beat_i,
  output logic        ready_o,
  // to peers: the sender
  output logic        from_o,
  output logic [3:0]  from_at_o,
  input  logic        same_i,
  // to the link
  output logic        rx_valid_o,
  output beat_t       rx_beat_o,
  input  logic        rx_ready_i,
  // to packet_writer
  output logic        arp_o,          // a request, until it is answered
  output logic        echo_o,         // a request arrives: bytes to be sent back, until it is answered or dropped
  output logic        echo_write_o,   // beat_i goes to offset_o
  output logic        echo_whole_o,   // all bytes are written
  output logic [10:0] offset_o,
  output logic [10:0] length_o,       // length of the packet, up to the end that IP's length gives
  output logic [15:0] echo_sum_o,     // ICMP's checksum
  input  logic        echo_ready_i,
  input  logic        answered_i,
  output logic        busy_o
);

  typedef enum logic [1:0] {Take, Flush, Answer} state_e;

  localparam int unsigned Hold = 5;  // bytes of a frame up to its kind
  localparam logic [10:0] KindAt = 11'(HeaderBytes + Hold - 1);

  state_e              state_q;
  logic [10:0]         count_q, end_q;  // place in the packet; the end that IP's length gives
  logic                arp_q, echo_q, udp_q;    // it may be one
  logic                mine_q, all_q, host_q, pass_q, damaged_q;
  logic [Hold-1:0][7:0] hold_q;
  logic [2:0]          left_q;
  logic [15:0]         sum_q, echo_sum_q;
  logic [7:0]          before_q, data, own;
  field_t              place;
  logic                take, header, echoing, passing, asks, arp, ip, echo, udp;
  logic [15:0]         udp_length;

  assign data       = beat_i.data;
  assign header     = count_q < 11'(HeaderBytes);
  assign echoing    = echo_q && count_q >= 11'(EchoHeader) && count_q < end_q && !beat_i.last;
  assign passing    = udp_q && pass_q && count_q > KindAt && count_q < end_q && !beat_i.last;
  assign take       = valid_i && ready_o;
  assign place      = field(arp_q, count_q[5:0]);
  assign own        = part_of(Self, place.at);
  assign asks       = !header && (arp_q || (echo_q && count_q >= end_q));  // at the packet's end
  assign udp_length = 16'(end_q) - 16'd34;

  // The kinds of packet that are still possible if this byte has the required value.
  always_comb begin
    {arp, ip, echo, udp} = '1;
    unique case (count_q[5:0])
      6'd12: {arp, ip} = {2{data == 8'h08}};
      6'd13: {arp, ip} = {data == 8'h06, data == 8'h00};
      6'd14: {arp, ip} = {data == 8'h00, data == 8'h45};
      6'd15: arp = data == 8'h01;
      6'd16: {arp, ip} = {data == 8'h08, data[7:3] == '0};
      6'd17: arp = data == 8'h00;
      6'd18: arp = data == 8'h06;
      6'd19: arp = data == 8'h04;
      6'd20: {arp, ip} = {data == 8'h00, (data & 8'hbf) == 8'h00};
      6'd21: {arp, ip} = {data == 8'h01, data == 8'h00};
      6'd23: {echo, udp} = {data == 8'h01, data == 8'h11};
      6'd34: begin
        ip   = sum_q == '1;
        echo = data == 8'h08 && end_q >= 11'(HeaderBytes);
        udp  = end_q > KindAt;
      end
      6'd35: echo = data == 8'h00;
      6'd36, 6'd37: udp = data == own;
      6'd38: udp = data == udp_length[15:8];
      6'd39: udp = data == udp_length[7:0];
      default: ;
    endcase
    if (place.part == To && count_q[5:0] < 6'd6) {arp, ip} = {(mine_q && data == own) || (all_q && data == '1), mine_q && data == own};
    if (place.part == To && count_q[5:0] >= 6'd30) begin
      if (place.at[3:1] == 3'd3 || place.at[3:1] == 3'd4) {arp, ip} = {2{data == own}};
    end
    if (place.part == From && place.at == '0) {arp, ip} = {2{!data[0]}};  // a group address sends no requests
  end

  always_ff @(posedge clk_i) begin
    if (take && !beat_i.last) begin
      count_q  <= count_q + 1'b1;
      before_q <= data;
      if (header) begin
        arp_q  <= arp_q && arp;
        echo_q <= echo_q && ip && echo;
        udp_q  <= udp_q && ip && udp;
        mine_q <= mine_q && data == own;
        all_q  <= all_q && data == '1;
        if (from_o) host_q <= host_q && same_i;
        if (count_q >= 11'(IpBegin) && count_q < 11'd34 && count_q[0]) sum_q <= ones_sum(sum_q, {before_q, data});
        if (count_q == 11'd17) end_q <= {before_q[2:0], data} + 11'(IpBegin);
        if (count_q == 11'd37) echo_sum_q <= {before_q, data};
      end
      if (!header && count_q < end_q) hold_q <= {data, hold_q[Hold-1:1]};
      if (count_q == KindAt) pass_q <= host_q || data == weft_link_pkg::KindHello;
    end

    unique case (state_q)
      Take: begin
        left_q    <= 3'(Hold);
        damaged_q <= count_q < end_q;
        if (take && beat_i.last) begin
          if (udp_q && pass_q && count_q > KindAt) state_q <= Flush;
          else if (asks) state_q <= Answer;
        end
      end
      Flush: begin
        if (rx_ready_i) begin
          hold_q <= {8'd0, hold_q[Hold-1:1]};
          left_q <= left_q - 1'b1;
          if (left_q == '0) state_q <= Take;
        end
      end
      default: if (answered_i) state_q <= Take;
    endcase

    // The next packet may be anything.
    if (rst_i || (take && beat_i.last)) begin
      count_q <= '0;
      sum_q   <= '0;
      {mine_q, all_q, host_q, pass_q} <= 4'b1110;
    end
    if (rst_i || (take && beat_i.last && !asks) || answered_i) {arp_q, echo_q, udp_q} <= '1;
    if (rst_i) state_q <= Take;
  end

  assign ready_o      = state_q == Take && (!passing || rx_ready_i) && (!echoing || echo_ready_i);
  assign from_o       = take && header && !beat_i.last && place.part == From;
  assign from_at_o    = place.at;
  assign rx_valid_o   = state_q == Flush || (state_q == Take && valid_i && passing);
  assign rx_beat_o    = state_q == Flush && left_q == '0 ? '{last: 1'b1, data: {7'd0, damaged_q}} : '{last: 1'b0, data: hold_q[0]};
  assign arp_o        = state_q == Answer && arp_q;
  assign echo_o       = echo_q && (state_q == Answer || (state_q == Take && valid_i && count_q >= 11'(EchoHeader)));
  assign echo_write_o = echoing && take;
  assign echo_whole_o = state_q == Answer;
  assign offset_o     = count_q;
  assign length_o     = end_q;
  assign echo_sum_o   = echo_sum_q;
  assign busy_o       = valid_i || state_q != Take;

endmodule
