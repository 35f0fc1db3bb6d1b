// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The frames of the link between a host and a board (docs/reference/board_link.md).
/* verilator lint_off UNUSEDPARAM */  // no module uses all of a package
package weft_link_pkg;

  /// A beat of a stream of frames: a byte, or a frame's end, which follows its last byte.
  typedef struct packed {
    logic       last;
    logic [7:0] data;  // at an end: 0, or 1 if the line has detected that the frame is damaged
  } beat_t;

  typedef logic [7:0] kind_t;

  localparam kind_t KindData   = 8'd0;
  localparam kind_t KindAck    = 8'd1;
  localparam kind_t KindHello  = 8'd2;
  localparam kind_t KindAbout  = 8'd3;
  localparam kind_t KindPoll   = 8'd4;
  localparam kind_t KindStatus = 8'd5;
  localparam kind_t KindBye    = 8'd6;
  localparam kind_t KindDebug  = 8'd7;
  localparam kind_t KindAnswer = 8'd8;

  /// Sizes in bytes.
  localparam int unsigned HeaderBytes  = 9;
  localparam int unsigned CrcBytes     = 4;
  localparam int unsigned PayloadBytes = 512;
  localparam int unsigned AboutBytes   = 48;
  localparam int unsigned AboutBuildAt = 24;  // the byte at which the build begins, 8 of them
  /// DATA that the sender keeps until they are confirmed.
  localparam int unsigned Slots        = 8;
  /// Bytes of the receive ring; room for a checksum is kept free.
  localparam int unsigned RingBytes    = 4096;
  localparam int unsigned RingRoom     = RingBytes - CrcBytes;

  /// The receiver's findings on a frame whose checksum and length are right, for one cycle.
  typedef struct packed {
    logic       valid;
    logic       same;     // belongs to the session that runs, or ran last
    logic       zero;     // belongs to session 0
    logic       follows;  // its payload names the session that runs
    logic       fits;     // the payload found room
    kind_t      kind;
    logic [7:0] seq;
  } frame_t;

  /// True if the checksum of a frame of this kind covers the upper bits of its numbers.
  function automatic logic numbered(input kind_t kind);
    return kind != KindHello && kind != KindAbout;
  endfunction

  /// The number that ends with `low` and is nearest to `near`.
  function automatic logic [31:0] nearest(input logic [7:0] low, input logic [31:0] near);
    logic [7:0] off;
    off = low - near[7:0];
    return near + {{24{off[7]}}, off};
  endfunction

  /// CRC-32C of one byte more, least significant bit first, without the inversions at both ends.
  function automatic logic [31:0] crc32c(input logic [31:0] crc, input logic [7:0] data);
    logic [31:0] c;
    c = crc ^ 32'(data);
    for (int unsigned i = 0; i < 8; i++) c = {1'b0, c[31:1]} ^ (c[0] ? 32'h82f6_3b78 : 32'd0);
    return c;
  endfunction

  /// Residue of crc32c, from '1, over any bytes and their checksum.
  localparam logic [31:0] CrcResidue = 32'hb798_b438;

endpackage
/* verilator lint_on UNUSEDPARAM */
