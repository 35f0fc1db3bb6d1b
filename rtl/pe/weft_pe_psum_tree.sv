// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The beats of vr: sums along the lanes are a tree of Pairs steps, each of which makes one pair of two neighbours; one
/// more step sends (docs/reference/pe.md, vr). One beat makes the last sums of two slots, and one sends them: the step
/// before puts their pairs side by side. (Not with one pair: an entry then has no room for two slots.) Latency: none;
/// outputs mean nothing without valid_i.
`include "weft_check.svh"

module weft_pe_psum_tree
  import weft_num_pkg::*;
  import weft_pe_pkg::*;
#(
  parameter int unsigned Pairs    = 2,
  parameter int unsigned StepBits = $clog2(Pairs + 1)
) (
  input  logic                valid_i,  // the beat is used
  input  logic [StepBits-1:0] step_i,   // Pairs: sends
  input  logic                last_i,   // the last column: there is nothing to add to
  input  weft_pkg::color_t    color_i,
  output beat_t               beat_o
);

  // The pair that a step makes. A step's number has one bit less than the tree has levels: ones for the levels that are
  // done, a zero, and the pair.
  function automatic pair_t pair(input logic [StepBits-1:0] number);
    logic found;
    found = 1'b0;
    pair  = '0;
    for (int b = $clog2(Pairs) - 1; b >= 0; b--) begin
      if (found) pair[b] = number[b];
      found = found | ~number[b];
    end
  endfunction

  logic send;

  always_comb begin
    send   = 1'b0;
    beat_o = '0;
    `WEFT_IF_ANY(valid_i) begin
      send                = step_i == StepBits'(Pairs);
      beat_o.read.c_re    = 1'b1;
      beat_o.read.c_one   = send | (Pairs == 1);
      beat_o.select.a     = BeatAStream;
      beat_o.lanes.c      = BeatCReg;
      beat_o.lanes.use_x  = ~(send & last_i);
      beat_o.lanes.op     = (send & last_i) ? LaneMovC : LaneAdd;
      beat_o.lanes.sum    = ~send;
      beat_o.lanes.low    = (step_i == StepBits'(Pairs - 2)) | (step_i == StepBits'(Pairs - 1));
      beat_o.finish.dest  = send ? DestNone : DestReg;
      beat_o.finish.d_one = 1'b1;
      beat_o.finish.pair  = send ? '0 : pair(step_i);
      beat_o.finish.sends = ~send ? 2'd0 : (Pairs == 1) ? 2'd1 : 2'd2;
      beat_o.finish.cout  = color_i;
    end
  end

endmodule
