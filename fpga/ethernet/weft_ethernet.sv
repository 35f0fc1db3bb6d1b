// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A carrier of the link's frames: between a gigabit PHY's bytes (GMII) and the beats of `link`, as
/// docs/reference/ethernet.md says.
///
/// ```
///         line_clk_i                                clk_i
/// rx ─► gmii_receive ─► packet_fifo ─► packet_reader ─► link
///                                        │ peers │ questions
/// tx ◄─ gmii_transmit ◄─ packet_fifo ◄─ packet_writer ◄─ link
/// ```
///
/// While the line is not reliable (line_watch), both sides of the crossing are in reset: what the link sends is
/// dropped, and a packet that is being read ends there.
module weft_ethernet
  import weft_link_pkg::beat_t;
  import weft_eth_pkg::*;
#(
  parameter logic [47:0] Mac  = 48'h0257_4546_5401,
  parameter logic [31:0] Ip   = 32'hc0a8_0132,
  parameter logic [15:0] Port = 16'd4177,
  /// line_watch's.
  parameter int unsigned SettleBits = 16
) (
  input  logic       clk_i,
  input  logic       rst_i,
  // the link
  output logic       rx_valid_o,
  output beat_t      rx_beat_o,
  input  logic       rx_ready_i,
  input  logic       tx_valid_i,
  input  beat_t      tx_beat_i,
  output logic       tx_ready_o,
  input  logic       begun_i,
  // the PHY
  input  logic       line_clk_i,
  input  logic       gmii_valid_i,
  input  logic       gmii_error_i,
  input  logic [7:0] gmii_data_i,
  output logic       gmii_valid_o,
  output logic [7:0] gmii_data_o,
  input  logic       linked_i,   // clocked by line_clk_i
  /// There is a link.
  output logic       up_o,
  /// A packet is being examined.
  output logic       active_o,
  /// A packet is in flight; not reliable if the clocks differ.
  output logic       busy_o
);

  localparam address_t Self = '{mac: Mac, ip: Ip, port: Port};
  localparam int unsigned RxBits = 12;  // two block RAMs: bytes a host may send at once, before they are examined

  logic        in_write, in_commit, in_full, in_valid, in_ready, out_write, out_commit, out_full, out_valid, out_ready;
  logic [10:0] in_offset, in_length, out_offset, out_length, echo_offset, echo_length;
  beat_t       in_written, in_beat, out_written, out_beat;
  logic        from, same, arp, echo, echo_write, echo_whole, echo_ready, answered, host;
  logic [3:0]  from_at, read_at;
  logic [7:0]  read;
  logic [15:0] echo_sum;
  logic        receiving, sending, reading, writing;
  logic        hold, line_rst, read_valid;
  beat_t       read_beat;

  weft_line_watch #(.SettleBits(SettleBits)) i_watch (
    .clk_i, .rst_i, .line_clk_i, .linked_i, .busy_i(writing), .hold_o(hold), .line_rst_o(line_rst)
  );

  weft_gmii_receive i_receive (
    .clk_i(line_clk_i), .rst_i(line_rst), .valid_i(gmii_valid_i), .error_i(gmii_error_i), .data_i(gmii_data_i),
    .write_o(in_write), .offset_o(in_offset), .beat_o(in_written), .commit_o(in_commit), .length_o(in_length), .full_i(in_full),
    .busy_o(receiving)
  );

  weft_packet_fifo #(.Bits(RxBits)) i_in (
    .write_clk_i(line_clk_i), .write_rst_i(line_rst), .write_i(in_write), .offset_i(RxBits'(in_offset)), .beat_i(in_written),
    .commit_i(in_commit), .length_i(RxBits'(in_length)), .full_o(in_full),
    .read_clk_i(clk_i), .read_rst_i(hold), .valid_o(in_valid), .beat_o(in_beat), .ready_i(in_ready)
  );

  // If a packet was being read when the line was lost, end it. Between packets the reader ignores an end.
  assign read_valid = hold || in_valid;
  assign read_beat  = hold ? '{last: 1'b1, data: '0} : in_beat;

  weft_packet_reader #(.Self(Self)) i_reader (
    .clk_i, .rst_i, .valid_i(read_valid), .beat_i(read_beat), .ready_o(in_ready),
    .from_o(from), .from_at_o(from_at), .same_i(same), .rx_valid_o, .rx_beat_o, .rx_ready_i,
    .arp_o(arp), .echo_o(echo), .echo_write_o(echo_write), .echo_whole_o(echo_whole), .offset_o(echo_offset),
    .length_o(echo_length), .echo_sum_o(echo_sum), .echo_ready_i(echo_ready), .answered_i(answered), .busy_o(reading)
  );

  weft_peers i_peers (
    .clk_i, .rst_i, .write_i(from), .at_i(from_at), .data_i(read_beat.data), .same_o(same), .begun_i,
    .host_i(host), .read_at_i(read_at), .read_o(read)
  );

  weft_packet_writer #(.Self(Self)) i_writer (
    .clk_i, .rst_i, .tx_valid_i, .tx_beat_i, .tx_ready_o, .begun_i,
    .arp_i(arp), .echo_i(echo), .echo_write_i(echo_write), .echo_data_i(read_beat.data), .echo_whole_i(echo_whole),
    .echo_offset_i(echo_offset), .echo_length_i(echo_length), .echo_sum_i(echo_sum), .echo_ready_o(echo_ready),
    .answered_o(answered), .host_o(host), .read_at_o(read_at), .read_i(read),
    .write_o(out_write), .offset_o(out_offset), .beat_o(out_written), .commit_o(out_commit), .length_o(out_length),
    .full_i(out_full), .busy_o(writing)
  );

  weft_packet_fifo #(.Bits(11)) i_out (
    .write_clk_i(clk_i), .write_rst_i(hold), .write_i(out_write), .offset_i(out_offset), .beat_i(out_written),
    .commit_i(out_commit), .length_i(out_length), .full_o(out_full),
    .read_clk_i(line_clk_i), .read_rst_i(line_rst), .valid_o(out_valid), .beat_o(out_beat), .ready_i(out_ready)
  );

  weft_gmii_transmit i_transmit (
    .clk_i(line_clk_i), .rst_i(line_rst), .valid_i(out_valid), .beat_i(out_beat), .ready_o(out_ready),
    .valid_o(gmii_valid_o), .data_o(gmii_data_o), .busy_o(sending)
  );

  assign active_o = reading || writing;
  assign busy_o   = receiving || sending || reading || writing || hold;
  assign up_o     = !hold;

endmodule
