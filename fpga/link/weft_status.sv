// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The payload of STATUS: counters, and the state of the board at the moment of `begin_i`.
///
/// A counter is captured when its first byte is, so none is torn. `begin_i` in the cycle before the first byte,
/// `next_i` in each cycle in which a byte is taken.
///
/// Counters are shorter than their fields: cycles have 56 bits, messages and words 40, frames 16, which saturate.
module weft_status
  import weft_link_pkg::*;
#(
  parameter int unsigned Rows     = 4,
  parameter int unsigned Cols     = 2,
  parameter int unsigned TickBits = 16
) (
  input  logic        clk_i,
  input  logic        reset_i,     // a session begins
  // events to count
  input  logic        message_i,
  input  logic        word_i,
  input  logic        bad_i,
  input  logic        foreign_i,
  input  logic        unwanted_i,
  input  logic        resent_i,
  // the board's state
  input  logic [7:0]  stands_i,
  input  logic [Rows-1:0][Cols:0][7:0] flags_i,  // flags of an edge, then of its tiles
  output logic        tick_o,      // every 2^TickBits cycles
  //
  input  logic        begin_i,
  input  logic        next_i,
  output logic [7:0]  byte_o
);

  localparam int unsigned Flags = Rows * (Cols + 1);

  logic [55:0] cycles_q;
  logic [39:0] messages_q, words_q;
  logic [15:0] bad_q, foreign_q, unwanted_q, resent_q;
  logic [7:0]  stands_q;
  logic [63:0] field_q;
  logic [9:0]  at_q;     // the byte on the output

  function automatic logic [15:0] counted(input logic [15:0] count, input logic event_i);
    return count + 16'(event_i && count != '1);
  endfunction

  always_ff @(posedge clk_i) begin
    cycles_q   <= cycles_q + 1'b1;
    messages_q <= messages_q + 40'(message_i);
    words_q    <= words_q + 40'(word_i);
    bad_q      <= counted(bad_q, bad_i);
    foreign_q  <= counted(foreign_q, foreign_i);
    unwanted_q <= counted(unwanted_q, unwanted_i);
    resent_q   <= counted(resent_q, resent_i);
    if (reset_i) begin
      cycles_q   <= '0;
      messages_q <= '0;
      words_q    <= '0;
      bad_q      <= '0;
      foreign_q  <= '0;
      unwanted_q <= '0;
      resent_q   <= '0;
    end
  end

  // The field after the one on the output.
  logic [63:0] field;
  always_comb begin
    unique case (at_q[5:3])
      3'd0:    field = 64'(messages_q);
      3'd1:    field = 64'(words_q);
      3'd2:    field = {16'd0, foreign_q, 16'd0, bad_q};
      3'd3:    field = {16'd0, resent_q, 16'd0, unwanted_q};
      default: field = 64'({8'(Rows), stands_q});
    endcase
    if (begin_i) field = 64'(cycles_q);
  end

  localparam int unsigned WhichBits = $clog2(Flags);
  logic [Flags-1:0][7:0] all;
  logic [WhichBits-1:0]  which;
  assign all    = flags_i;
  assign tick_o = cycles_q[TickBits-1:0] == '1;
  assign which  = WhichBits'(at_q - 10'd42);
  assign byte_o = at_q < 10'd42 ? field_q[7:0] : all[which];

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      at_q     <= '0;
      stands_q <= stands_i;
    end else if (next_i) begin
      at_q <= at_q + 1'b1;
    end
    if (begin_i || (next_i && at_q[2:0] == '1)) field_q <= field;
    else if (next_i) field_q <= 64'(field_q[63:8]);
  end

endmodule
