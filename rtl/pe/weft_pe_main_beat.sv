// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Main's candidate: the common part of its instruction's beats, changed where one is special (pe_main_seq). No state.
///
/// If a and b are in the same half of memory, an extra beat first fetches b's word, which is then held.
module weft_pe_main_beat
  import weft_pe_pkg::*;
  import weft_pe_seq_pkg::*;
(
  input  main_state_e state_i,
  input  beat_t       beat_i,
  // its addresses
  input  logic [15:0] m_i,
  input  logic [15:0] b_i,
  input  logic [7:0]  c_i,
  input  logic [15:0] d_i,
  input  logic        same_i,   // the result goes where c comes from
  input  logic        first_i,  // vaxs, vdot: there is nothing to add to; the sum starts from +0
  // b's word
  input  logic        fetch_i,  // this beat is the fetch of b's word
  input  logic        held_i,   // b's word has been fetched
  output beat_t       beat_o,
  output beat_addr_t  addr_o
);

  always_comb begin
    beat_o = beat_i;
    addr_o = '{m: m_i, b: b_i, c: c_i, d: same_i ? {8'b0, c_i} : d_i};
    if (held_i) begin
      beat_o.read.n_re   = 1'b0;
      beat_o.select.held = 1'b1;
    end
    if ((state_i == MsVcrReset) | first_i) begin
      beat_o.read.c_re = 1'b0;
      beat_o.lanes.c   = BeatCZero;
    end
    if (state_i == MsVcrReset) addr_o.d = {8'b0, c_i};
    if (fetch_i) begin
      beat_o              = '0;
      beat_o.read.n_re    = 1'b1;
      beat_o.select.b     = beat_i.select.b;
      beat_o.select.fetch = 1'b1;
    end
  end

endmodule
