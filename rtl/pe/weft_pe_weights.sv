// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Prefetch of a weight stream: decodes the next weight one message ahead, so that weights follow each other without a
/// gap.
///
/// While `stream_i`, takes messages from W: a weight's index becomes the address of its x, base + (index & LMASK) * STA
/// (one-hot: the base itself). The control message that ends the stream is offered like a weight (cr_o), and nothing is
/// taken behind it.
///
/// With `numbered_i` the low four bits of an index are the number of the weight's sum, and the others take the place of
/// the index: index / 16. `offset_o` is the first entry of the sum, number * (beats_i + 1); without `numbered_i` it is 0.
///
/// Latency: 1 cycle from W's front to valid_o; one message per cycle.
`include "weft_check.svh"

module weft_pe_weights
  import weft_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_i,
  /// An instruction's stream begins: captures the instruction's parameters.
  input  logic         start_i,
  input  logic [15:0]  sta_i,
  input  logic [15:0]  lmask_i,
  input  logic         one_hot_i,
  input  logic [15:0]  base_i,
  // while it runs
  input  logic         stream_i,
  input  logic         numbered_i,
  input  logic [2:0]   beats_i,   // beats of a weight, less 1
  // W
  input  logic         w_valid_i,
  input  logic         w_ctrl_i,
  input  logic [31:0]  w_data_i,
  output logic         w_pop_o,
  // the next weight
  output logic         valid_o,
  output logic         cr_o,
  output logic [15:0]  addr_o,
  output logic [15:0]  entry_o,   // in vdot's lists: the address, or for one-hot the index
  output logic [15:0]  index_o,
  output logic [15:0]  value_o,
  output logic [6:0]   offset_o,
  input  logic         take_i,
  output logic         bad_command_o
);

  logic        valid_q, cr_q, one_hot_q;
  logic [15:0] addr_q, sta_q, lmask_q, base_q, addr_d, local_index;
  logic [6:0]  offset_q, offset_d;
  weight_t     weight_q, weight;

  assign weight      = weight_t'(w_data_i);
  assign local_index = numbered_i ? {4'b0, weight.index[15:4]} : weight.index;

  assign w_pop_o = stream_i & w_valid_i & (~valid_q | (take_i & ~cr_q));

  always_comb begin
    addr_d        = '0;
    bad_command_o = 1'b0;
    if (w_pop_o) begin
      addr_d        = base_q + (local_index & lmask_q) * sta_q;
      bad_command_o = w_ctrl_i & (w_data_i[31:24] != weft_isa_pkg::CMD_CR);
    end
  end

  always_comb begin
    offset_d = '0;
    `WEFT_IF_ANY(numbered_i) offset_d = {3'b0, weight.index[3:0]} * ({4'b0, beats_i} + 7'd1);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= 1'b0;
    else if (w_pop_o) valid_q <= 1'b1;
    else if (take_i) valid_q <= 1'b0;
    if (w_pop_o) begin
      cr_q     <= w_ctrl_i;
      weight_q <= weight;
      addr_q   <= addr_d;
    end
    if (!numbered_i) offset_q <= '0;
    else if (w_pop_o) offset_q <= offset_d;
    if (start_i) begin
      sta_q     <= sta_i;
      lmask_q   <= one_hot_i ? '0 : lmask_i;  // one-hot: the base itself
      one_hot_q <= one_hot_i;
      base_q    <= base_i;
    end
  end

  assign valid_o  = valid_q;
  assign cr_o     = cr_q;
  assign addr_o   = addr_q;
  assign entry_o  = one_hot_q ? weight_q.index : addr_q;
  assign index_o  = weight_q.index;
  assign value_o  = weight_q.value;
  assign offset_o = offset_q;

endmodule
