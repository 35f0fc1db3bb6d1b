// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A tile's node of the debug chain: halts the tile, passes the host's instructions to its threads, and shows a status
/// word.
///
/// A command halts the tile, releases it, or requests the next bit of a counter; anything else it requests is done only
/// in a tile that the previous command has halted. A status word is loaded at the beginning of the next transaction
/// (debug_node).
`include "weft_check.svh"

module weft_tile_debug
  import weft_debug_pkg::*;
#(
  /// At most 32 words.
  parameter int unsigned Bits = 16
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  chain_t          chain_i,
  output chain_t          chain_o,
  input  logic [Bits-1:0] status_i,
  output control_t        control_o
);

  localparam int unsigned Words = (Bits + WordBits - 1) / WordBits;

  // Bit `psum` of a command names the thread of an instruction. In a command without an instruction it is bit 4 of the
  // index, if there are more than 16 words.
  localparam int unsigned IndexBits = (Words > 16) ? 5 : 4;

  `WEFT_PARAM(Words <= 32, "weft_tile_debug: make Turns or Colors fewer or leave out Tally, a status has at most 32 words of 16 bits")

  logic                           halt_q, update;
  command_t                       command;
  logic [Words-1:0][WordBits-1:0] words;
  logic [IndexBits-1:0]           index;

  assign words = (Words * WordBits)'(status_i);
  assign index = IndexBits'({command.psum & ~command.run, command.index});

  weft_debug_node i_node (
    .clk_i, .rst_i, .chain_i, .chain_o, .status_i(words[index]), .command_o(command), .update_o(update)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) halt_q <= 1'b0;
    else if (update) halt_q <= command.halt;
  end

  assign control_o = '{
    halt: halt_q, give_up: update & halt_q & command.give_up, run_main: update & halt_q & command.run & ~command.psum,
    run_psum: update & halt_q & command.run & command.psum, count: update & ~command.run & command.word[CountBit],
    word: command.word
  };

endmodule
