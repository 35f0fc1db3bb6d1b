// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Number formats and the operations of the lanes (docs/reference/numbers.md).
/* verilator lint_off UNUSEDPARAM */  // no module uses all of a package
package weft_num_pkg;

  localparam logic [31:0] Nan     = 32'h7fc0_0000;
  localparam logic [15:0] NanBf16 = 16'h7fc0;
  localparam logic [15:0] OneBf16 = 16'h3f80;

  /// Operations of a multiply-add lane. p is a * b, or the fp32 x if `use_x`; max and ge of a product round and flush p
  /// first.
  typedef enum logic [2:0] {
    LaneAdd  = 3'd0,  // p + c with one rounding: fma, or add of streams
    LaneMax  = 3'd1,  // p if p > c, else c
    LaneGe   = 3'd2,  // 1.0 if p >= c, else 0.0
    LaneSel  = 3'd3,  // a nonzero: 1 * b + 0, else 0 + c; not with use_x
    LaneMovX = 3'd4,  // x bit for bit; with use_x
    LaneMovC = 3'd5   // c bit for bit
  } lane_op_e;

  /// Functions of the table unit: the low two bits of weft_isa_pkg's fn.
  typedef enum logic [1:0] {
    SfuExp   = 2'd0,
    SfuRecip = 2'd1,
    SfuRsqrt = 2'd2,
    SfuTanh  = 2'd3
  } sfu_fn_e;

  /// fp32 to bf16: flush, nearest even, overflow to infinity, canonical NaN.
  function automatic logic [15:0] to_bf16(logic [31:0] x);
    logic [14:0] rounded;
    rounded = x[30:16] + {14'b0, x[15] & (x[16] | (|x[14:0]))};
    if (x[30:23] == 8'h00) return {x[31], 15'b0};
    if (x[30:23] == 8'hff) return (|x[22:0]) ? NanBf16 : x[31:16];
    return {x[31], rounded};
  endfunction

  /// bf16 to fp32: flushed, NaN canonical.
  function automatic logic [31:0] widen(logic [15:0] x);
    if (x[14:7] == 8'h00) return {x[15], 31'b0};
    if (x[14:7] == 8'hff && (|x[6:0])) return Nan;
    return {x, 16'b0};
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */
