// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Ethernet frames as the board knows them (docs/reference/ethernet.md).
/* verilator lint_off UNUSEDPARAM */  // no module uses all of a package
package weft_eth_pkg;

  /// The addresses of a station; byte 0 is in the highest bits, as they are sent.
  typedef struct packed {
    logic [47:0] mac;
    logic [31:0] ip;
    logic [15:0] port;
  } address_t;

  localparam int unsigned AddressBytes = 12;

  typedef enum logic [1:0] {Arp, Echo, Udp} protocol_e;

  /// Bytes of a frame, without its checksum.
  localparam int unsigned HeaderBytes = 42;  // header of ARP and UDP, from the destination's MAC on
  localparam int unsigned EchoHeader  = 38;  // header of ICMP echo: the rest is sent back unchanged
  localparam int unsigned IpBegin     = 14;
  localparam int unsigned FcsBytes    = 4;
  localparam int unsigned Shortest    = 60;
  localparam int unsigned Longest     = 1514;

  /// Kind of a header byte: byte `at` of the sender's or of the receiver's address_t, or a fixed value.
  typedef enum logic [1:0] {Fixed, From, To} part_e;
  typedef struct packed {
    part_e      part;
    logic [3:0] at;
  } field_t;

  function automatic field_t field(input logic arp, input logic [5:0] offset);
    field_t f;
    f = '{part: Fixed, at: '0};
    if (offset < 6'd6) f = '{part: To, at: offset[3:0]};
    else if (offset < 6'd12) f = '{part: From, at: 4'(offset - 6'd6)};
    else if (arp) begin
      if (offset >= 6'd22 && offset < 6'd32) f = '{part: From, at: 4'(offset - 6'd22)};
      if (offset >= 6'd32 && offset < 6'd42) f = '{part: To, at: 4'(offset - 6'd32)};
    end else begin
      if (offset >= 6'd26 && offset < 6'd30) f = '{part: From, at: 4'(offset - 6'd20)};
      if (offset >= 6'd30 && offset < 6'd34) f = '{part: To, at: 4'(offset - 6'd24)};
      if (offset >= 6'd34 && offset < 6'd36) f = '{part: From, at: 4'(offset - 6'd24)};
      if (offset >= 6'd36 && offset < 6'd38) f = '{part: To, at: 4'(offset - 6'd26)};
    end
    return f;
  endfunction

  /// Byte `at` of an address.
  function automatic logic [7:0] part_of(input address_t address, input logic [3:0] at);
    logic [95:0] bits;
    bits = address;
    return at < 4'(AddressBytes) ? bits[8*(4'(AddressBytes-1)-at)+:8] : '0;
  endfunction

  /// CRC-32 of one byte more, least significant bit first, without the inversions at both ends.
  function automatic logic [31:0] crc32(input logic [31:0] crc, input logic [7:0] data);
    logic [31:0] c;
    c = crc ^ 32'(data);
    for (int unsigned i = 0; i < 8; i++) c = {1'b0, c[31:1]} ^ (c[0] ? 32'hedb8_8320 : 32'd0);
    return c;
  endfunction

  /// Residue of crc32, from '1, over any bytes and their checksum.
  localparam logic [31:0] FcsResidue = 32'hdebb_20e3;

  /// One's complement sum of 16 bits.
  function automatic logic [15:0] ones_sum(input logic [15:0] a, input logic [15:0] b);
    logic [16:0] sum;
    sum = {1'b0, a} + {1'b0, b};
    return sum[15:0] + {15'd0, sum[16]};
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */
