// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Carries packets from one clock to another: a RAM that the writer fills in any order, and from which whole packets
/// are read.
///
/// The writer puts beats at offsets from its packet's begin, including an end, and then commits their number: only then
/// does the reader see any of them. Beats that are not committed are overwritten. Both resets are active at the same
/// time, and may end in any order.
///
/// While `full_o`, a beat that is written is lost. full_o is two cycles late, which the margin allows for: a beat is at
/// most 58 places beyond all that were written before it.
///
/// Latency: a packet's first beat some 4 cycles of the reader's clock after commit; then a beat a cycle, and a cycle
/// between packets.
`include "weft_check.svh"

module weft_packet_fifo
  import weft_link_pkg::beat_t;
#(
  /// It holds 2^Bits beats, less Margin.
  parameter int unsigned Bits = 11
) (
  input  logic            write_clk_i,
  input  logic            write_rst_i,
  input  logic            write_i,
  input  logic [Bits-1:0] offset_i,
  input  beat_t           beat_i,
  input  logic            commit_i,   // behind the last write
  input  logic [Bits-1:0] length_i,
  output logic            full_o,
  input  logic            read_clk_i,
  input  logic            read_rst_i,
  output logic            valid_o,
  output beat_t           beat_o,
  input  logic            ready_i
);

  localparam int unsigned Margin = 64;

  // Packets are counted modulo 256: a packet has more than 2^Bits / 256 beats (PacketIsNoCrumb).
  beat_t           ram_q [2**Bits];
  logic [Bits:0]   begin_q, place_q, used_q, read_q, read_d, read_seen;
  logic [7:0]      written_q, written_seen, taken_q, taken_d;
  logic            write_q, commit_q, valid_q, ended_q, take;
  beat_t           written_beat_q, beat_q;

  // The writer: a beat's address is computed a cycle before the write.
  always_ff @(posedge write_clk_i) begin
    write_q        <= write_i && !full_o && !write_rst_i;
    commit_q       <= commit_i && !write_rst_i;
    place_q        <= begin_q + (Bits + 1)'(offset_i);
    written_beat_q <= beat_i;
    used_q         <= place_q - read_seen;
    if (write_q) ram_q[place_q[Bits-1:0]] <= written_beat_q;
    if (commit_i) begin_q <= begin_q + (Bits + 1)'(length_i);
    if (commit_q) written_q <= written_q + 8'd1;
    if (write_rst_i) begin
      begin_q   <= '0;
      place_q   <= '0;
      used_q    <= '0;
      written_q <= '0;
    end
  end

  assign full_o = used_q >= (Bits + 1)'(2 ** Bits - Margin);

  weft_count_crossing #(.Bits(8)) i_written (
    .from_clk_i(write_clk_i), .from_rst_i(write_rst_i), .count_i(written_q),
    .to_clk_i(read_clk_i), .to_rst_i(read_rst_i), .count_o(written_seen)
  );
  weft_count_crossing #(.Bits(Bits + 1)) i_read (
    .from_clk_i(read_clk_i), .from_rst_i(read_rst_i), .count_i(read_q),
    .to_clk_i(write_clk_i), .to_rst_i(write_rst_i), .count_o(read_seen)
  );

  // The reader: after an end it checks for a cycle whether there is another packet.
  assign take    = valid_o && ready_i;
  assign read_d  = read_q + (Bits + 1)'(take);
  assign taken_d = taken_q + 8'(ended_q);
  assign valid_o = valid_q && !ended_q;
  assign beat_o  = beat_q;

  always_ff @(posedge read_clk_i) begin
    beat_q  <= ram_q[read_d[Bits-1:0]];
    read_q  <= read_d;
    ended_q <= take && beat_q.last;
    taken_q <= taken_d;
    valid_q <= written_seen != taken_d;
    if (read_rst_i) begin
      read_q  <= '0;
      ended_q <= 1'b0;
      taken_q <= '0;
      valid_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  wire clk_i = write_clk_i;
  wire rst_i = write_rst_i;
  `WEFT_ASSUME(PacketIsNoCrumb, !commit_i || 32'(length_i) > 2 ** Bits / 256)
`endif

endmodule
