// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The lanes of the vector unit: bf16 multiply-adds into fp32, or adds, maxima or moves of fp32
/// (docs/reference/numbers.md).
///
/// ```
///   t0   t0+1               t0+2             t0+3      t0+4           t0+5
///   a, b │ a_o; op, c, x    │                │         │              │              │ result_o
///        │ multiply         │ compare, swap  │ align   │ add, begin   │ normalise,   │
///        │                  │                │         │ to normalise │ round        │
/// ```
///
/// Contract: an operation takes two cycles to enter: a and b with `take_i`, then `valid_i` with op, use_x, c and x. The
/// lanes take one operation a cycle. A stage without an operation computes nothing and changes no register.
///
/// Two forms with the same results: fma_lane, which is built and read, and fma_fast, which Verilator simulates.
///
/// Latency: 6 cycles from a and b, 5 from c and x. result_o holds until the next result.
`include "weft_check.svh"

module weft_fma_lanes
  import weft_num_pkg::*;
#(
  /// At least 2, a power of two.
  parameter int unsigned Lanes  = 4,
  /// Lanes that have the x operand, from lane 0 on. The others ignore use_x_i.
  parameter int unsigned XLanes = 2
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // t0
  input  logic        take_i,
  input  logic [31:0] a_i [Lanes],  // bf16 in the low half, here and in b; the rest is 0
  input  logic [31:0] b_i [Lanes],
  // t0 + 1
  input  logic        valid_i,
  input  lane_op_e    op_i,
  input  logic        use_x_i,
  output logic [31:0] a_o [Lanes],  // a again; c and x may follow from it
  input  logic [31:0] c_i [Lanes],
  input  logic [31:0] x_i [Lanes],
  // t0 + 6
  output logic        valid_o,
  output logic [31:0] result_o [Lanes]
);

`ifdef WEFT_FAST_FORM
  weft_fma_fast #(.Lanes(Lanes), .XLanes(XLanes)) i_fast (
    .clk_i, .rst_i, .take_i, .a_i, .b_i, .valid_i, .op_i, .use_x_i, .a_o, .c_i, .x_i, .valid_o, .result_o
  );
`else
  logic [Lanes-1:0] valid;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    logic [15:0] a;
    weft_fma_lane #(.HasX(l < int'(XLanes))) i_lane (
      .clk_i, .rst_i, .take_i, .a_i(a_i[l][15:0]), .b_i(b_i[l][15:0]), .valid_i, .op_i, .use_x_i,
      .a_o(a), .c_i(c_i[l]), .x_i(x_i[l]), .valid_o(valid[l]), .result_o(result_o[l])
    );
    assign a_o[l] = {16'b0, a};
  end
  assign valid_o = &valid;
`endif

endmodule
