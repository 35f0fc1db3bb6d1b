// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The stream words of psum's candidate: all but the last are held here, the last is taken from the buffer's front when the
/// beat issues.
///
/// Latency: none from the front to words_o and ready_o; a word per cycle is taken ahead (first_o).
`include "weft_check.svh"

module weft_pe_psum_words
  import weft_pe_seq_pkg::*;
#(
  /// Most words a beat needs; at least 2.
  parameter int unsigned Words = 2
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic                run_i,      // an instruction runs
  input  need_e               need_i,
  // the front of its color
  input  logic                front_valid_i,
  input  logic [31:0]         front_i,
  output logic                pop_o,
  // the beat
  output logic                ready_o,    // all words of the beat are available
  output logic                first_o,    // the front is one of the beat's words, but not the last: it is taken and held
  output logic [Words*32-1:0] words_o,
  input  logic                issue_i,
  // snd's word, which comes from a register
  input  logic                load_i,
  input  logic [15:0]         load_data_i
);

  localparam int unsigned HeldBits = $clog2(Words);

  logic [HeldBits-1:0]  held_q;  // words held
  logic [Words*32-33:0] words_q;

  always_comb begin
    ready_o = 1'b1;
    first_o = 1'b0;
    words_o = '0;
    `WEFT_IF_ANY(run_i) begin
      words_o = {front_i, words_q};
      if (Words > 2) begin
        if (need_i == NeedTwo) words_o[63:32] = front_i;
      end
      if (need_i == NeedOne) begin
        ready_o       = front_valid_i;
        words_o[31:0] = front_i;
      end else if (need_i != NeedNone) begin
        ready_o = front_valid_i & (held_q == ((need_i == NeedTwo) ? HeldBits'(1) : HeldBits'(Words - 1)));
        first_o = front_valid_i & ~ready_o;
      end
    end
  end

  assign pop_o = first_o | (issue_i & (need_i != NeedNone));

  always_ff @(posedge clk_i) begin
    if (load_i) words_q[31:0] <= {16'b0, load_data_i};
    else if (first_o) words_q[held_q*32+:32] <= front_i;
    if (first_o) held_q <= held_q + HeldBits'(1);
    else if (issue_i) held_q <= '0;
    if (rst_i) held_q <= '0;
  end

endmodule
