// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The lanes of the vector unit for a simulator: what fma_lane computes, for all lanes together.
///
/// Each stage is one loop over lanes, on whole words, without a branch, which a C++ compiler turns into vector
/// instructions (WEFT_LANES). The last stage comes first, so that a blocking assignment to a stage's register is seen
/// only in the next cycle, and no second copy of the register is kept. Registers that are read outside, a_o and
/// result_o, are assigned without blocking, since a simulator may run the blocks that wait for one edge in any order.
///
/// Numbers inside are {sign, exponent, fraction} as in fma_lane, but the exponent's bias is 512 over fp32's: zero is
/// 256, infinity 1023.
///
/// Latency: as fma_lanes.
`include "weft_check.svh"

module weft_fma_fast
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

  localparam int unsigned LaneBits = $clog2(Lanes);

  localparam logic [31:0] ExpMask = 32'h7f80_0000;  // fp32's exponent
  localparam logic [31:0] ExpZero = 32'd256;
  localparam logic [31:0] ExpBias = 32'd512;
  localparam logic [31:0] ExpInf  = 32'd1023;
  localparam logic [31:0] ExpOne  = 32'd639;

  // Registers after each stage; words that hold less than 32 bits are 0 above.
  logic [31:0] p0_a_q [Lanes];
  logic [31:0] p0_b_q [Lanes];

  logic        p1_valid_q;
  logic [31:0] p1_is_ge_q, p1_is_max_q, p1_is_movx_q, p1_is_mov_q, p1_is_add_q;  // 0 or 1, of all lanes
  logic [31:0] p1_sign_q [Lanes];
  logic [31:0] p1_nan_q [Lanes];
  logic [31:0] p1_exp_q [Lanes];
  logic [31:0] p1_frac_q [Lanes];
  logic [31:0] p1_c_q [Lanes];

  logic        p2_valid_q;
  logic [31:0] p2_pass_q [Lanes];      // the big operand is the result, bit for bit
  logic [31:0] p2_subtract_q [Lanes];
  logic [31:0] p2_sign_q [Lanes];
  logic [31:0] p2_exp_q [Lanes];
  logic [31:0] p2_frac_q [Lanes];
  logic [31:0] p2_small_q [Lanes];     // aligned, with guard, round and sticky: 27 bits

  logic        p3_valid_q;
  logic [31:0] p3_pass_q [Lanes];
  logic [31:0] p3_subtract_q [Lanes];
  logic [31:0] p3_sign_q [Lanes];
  logic [31:0] p3_exp_q [Lanes];       // exponent of the sum's second bit
  logic [31:0] p3_sum_q [Lanes];       // normalised but for up to three bits; its low four bits are 0

  logic        p4_valid_q;
  logic [31:0] p4_result_q [Lanes];

  logic        p5_valid_q;
  logic [31:0] p5_result_q [Lanes];

  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin : stages
    logic [31:0] l, n;
    // round
    logic [31:0] sum, none2, none1, norm, up, exponent, packed_result, zero, inf, finite;
    // add
    logic [31:0] flip, none16, none8, none4;
    // align
    logic [31:0] is_ge, is_max, is_add, is_movx, is_mov, by_size;
    logic [31:0] p_sign, p_nan, p_zero, p_inf, p_exp, p_frac, c_sign, c_nan, c_zero, c_inf, c_exp, c_frac, field;
    logic [31:0] c, subtract, both_zero, nan, distance, p_big, p_above, take_p, keep_small, small_frac, aligned, sticky;
    // multiply
    logic [31:0] a, b, is_sel, flush, a_exp, b_exp, a_zero, b_zero, a_top, b_top, product, x;

    {l, sum, none2, none1, norm, up, exponent, packed_result, zero, inf, finite, flip, none16, none8, none4} = '0;
    {is_ge, is_max, is_add, is_movx, is_mov, by_size, p_sign, p_nan, p_zero, p_inf, p_exp, p_frac} = '0;
    {c_sign, c_nan, c_zero, c_inf, c_exp, c_frac, field, c, subtract, both_zero, nan, distance, p_big} = '0;
    {p_above, take_p, keep_small, small_frac, aligned, sticky, is_sel, flush, a_exp, b_exp, a_zero, b_zero} = '0;
    {a, b, a_top, b_top, product, x} = '0;
    n = Lanes;

    // P5: the built form takes one cycle more to align
    p5_valid_q <= p4_valid_q & ~rst_i;
    if (p4_valid_q) p5_result_q <= p4_result_q;

    // P4: normalise, round
    p4_valid_q <= p3_valid_q & ~rst_i;
    if (p3_valid_q) begin
      `WEFT_LANES(l, n, Lanes) begin
        sum      = p3_sum_q[l[LaneBits-1:0]];
        none2    = 32'(sum[31:30] == 2'b0);
        norm     = (sum[31:30] == 2'b0) ? sum << 2 : sum;
        none1    = (norm >> 31) ^ 32'd1;
        norm     = norm[31] ? norm : norm << 1;
        up       = (norm >> 7) & ((norm >> 8) | 32'(norm[6:0] != 7'b0)) & 32'd1;
        exponent = p3_exp_q[l[LaneBits-1:0]] - (ExpBias - 32'd1) - (none2 << 1) - none1;
        // A carry out of the fraction is one into the exponent.
        packed_result = ((exponent << 23) & 32'h7f80_0000 | (norm >> 8) & 32'h007f_ffff) + up;
        zero     = (norm >> 31) ^ 32'd1 | exponent >> 31 | (32'(exponent == 32'd0) & 32'(packed_result < 32'h0080_0000));
        inf      = 32'(exponent >= 32'd255) | 32'(packed_result >= 32'h7f80_0000);
        finite   = (inf != 32'd0) ? 32'h7f80_0000 : packed_result;
        finite   = (zero != 32'd0) ? 32'd0 : finite;
        // x + -x is +0
        p4_result_q[l[LaneBits-1:0]] = (((norm >> 31) | ~p3_subtract_q[l[LaneBits-1:0]]) & p3_sign_q[l[LaneBits-1:0]]) << 31 |
                                  ((p3_pass_q[l[LaneBits-1:0]] != 32'd0) ? packed_result : finite);
      end
    end

    // P3: add, begin to normalise
    p3_valid_q <= p2_valid_q & ~rst_i;
    if (p2_valid_q) begin
      `WEFT_LANES(l, n, Lanes) begin
        subtract = p2_subtract_q[l[LaneBits-1:0]];
        flip     = (subtract != 32'd0) ? 32'h0fff_ffff : 32'd0;
        sum      = (32'h0400_0000 | p2_frac_q[l[LaneBits-1:0]] << 3) + (p2_small_q[l[LaneBits-1:0]] ^ flip) + subtract;
        sum      = sum << 4;
        none16   = 32'(sum[31:16] == 16'b0);
        sum      = (sum[31:16] == 16'b0) ? sum << 16 : sum;
        none8    = 32'(sum[31:24] == 8'b0);
        sum      = (sum[31:24] == 8'b0) ? sum << 8 : sum;
        none4    = 32'(sum[31:28] == 4'b0);
        sum      = (sum[31:28] == 4'b0) ? sum << 4 : sum;
        p3_sum_q[l[LaneBits-1:0]]      = sum;
        p3_exp_q[l[LaneBits-1:0]]      = p2_exp_q[l[LaneBits-1:0]] - (none16 << 4 | none8 << 3 | none4 << 2);
        p3_pass_q[l[LaneBits-1:0]]     = p2_pass_q[l[LaneBits-1:0]];
        p3_subtract_q[l[LaneBits-1:0]] = subtract;
        p3_sign_q[l[LaneBits-1:0]]     = p2_sign_q[l[LaneBits-1:0]];
      end
    end

    // P2: compare, swap, align
    p2_valid_q <= p1_valid_q & ~rst_i;
    if (p1_valid_q) begin
      is_ge   = p1_is_ge_q;
      is_max  = p1_is_max_q;
      is_movx = p1_is_movx_q;
      is_mov  = p1_is_mov_q;
      is_add  = p1_is_add_q;
      by_size = is_add | is_ge;  // the bigger operand is taken
      `WEFT_LANES(l, n, Lanes) begin
        // Copied into local words first: a choice between loads would be a branch.
        c      = p1_c_q[l[LaneBits-1:0]];
        p_exp  = p1_exp_q[l[LaneBits-1:0]];
        p_nan  = p1_nan_q[l[LaneBits-1:0]];
        p_frac = p1_frac_q[l[LaneBits-1:0]];
        p_sign = p1_sign_q[l[LaneBits-1:0]];

        // A product's exponent is within 387..894.
        p_zero = ~(p_exp >> 9 | p_exp >> 7) & 32'd1;
        p_inf  = p_exp >> 9 & p_exp >> 8 & p_exp >> 7 & 32'd1;

        field  = c & ExpMask;
        c_frac = c & 32'h007f_ffff;
        c_sign = c >> 31;
        c_exp  = (field == 32'd0) ? ExpZero : (field == ExpMask) ? ExpInf : field >> 23 | ExpBias;
        c_zero = ~(c_exp >> 9) & 32'd1;
        c_inf  = c_exp >> 9 & c_exp >> 8 & 32'd1;
        c_nan  = c_inf & 32'(c_frac != 32'd0);

        subtract  = p_sign ^ c_sign;
        both_zero = p_zero & c_zero;
        nan       = (p_nan | c_nan | (is_add & subtract & p_inf & c_inf)) & ~is_mov;

        // |p| >= |c|, but |p| > |c| where ge compares negative numbers.
        distance = p_exp - c_exp;
        p_big    = 32'(distance != 32'd0) & ~(distance >> 31) |
                   32'(distance == 32'd0) & 32'(p_frac >= c_frac + (is_ge & p_sign));
        p_above  = (subtract & ~p_sign | ~subtract & (p_big ^ p_sign)) & 32'd1;
        take_p   = by_size & p_big | is_max & p_above & ~both_zero | is_movx;

        // A distance of 32 or more cannot change the rounded result; an infinity is that far from all but an infinity.
        distance   = (take_p != 32'd0) ? distance : 32'd0 - distance;
        keep_small = is_add & 32'(distance[31:5] == 27'b0) & ~p_inf & ~p_nan;
        small_frac = (32'h0080_0000 | ((take_p != 32'd0) ? c_frac : p_frac)) << 2;
        aligned    = small_frac >> distance[4:0];
        sticky     = 32'((small_frac & ~(32'hffff_ffff << distance[4:0])) != 32'd0);

        p2_pass_q[l[LaneBits-1:0]]     = is_mov | nan & ~is_ge;
        p2_subtract_q[l[LaneBits-1:0]] = subtract;
        p2_small_q[l[LaneBits-1:0]]    = (keep_small != 32'd0) ? aligned << 1 | sticky : 32'd0;

        // The big operand; a NaN; 1 or 0.
        p_sign = ((take_p != 32'd0) ? p_sign : c_sign) & ~(both_zero & subtract & is_add) & ~nan & ~is_ge;
        p_frac = (take_p != 32'd0) ? p_frac : c_frac;
        p_exp  = (take_p != 32'd0) ? p_exp : c_exp;
        p_frac = (nan != 32'd0) ? 32'h0040_0000 : p_frac;
        p_exp  = (nan != 32'd0) ? ExpInf : p_exp;
        p_frac = (is_ge != 32'd0) ? 32'd0 : p_frac;
        c_exp  = (((p_above | both_zero) & ~nan) != 32'd0) ? ExpOne : ExpZero;
        p2_sign_q[l[LaneBits-1:0]] = p_sign;
        p2_frac_q[l[LaneBits-1:0]] = p_frac;
        p2_exp_q[l[LaneBits-1:0]]  = (is_ge != 32'd0) ? c_exp : p_exp;
      end
    end

    // P1: multiply
    p1_valid_q <= valid_i & ~rst_i;
    if (valid_i) begin
      is_sel     = 32'(op_i == LaneSel);  // a nonzero a becomes 1.0, a zero makes the product +0
      flush      = 32'(op_i == LaneMax) | 32'(op_i == LaneGe);
      p1_is_ge_q   = 32'(op_i == LaneGe);
      p1_is_max_q  = 32'(op_i == LaneMax);
      p1_is_movx_q = 32'(op_i == LaneMovX);
      p1_is_mov_q  = 32'(op_i == LaneMovX || op_i == LaneMovC);
      p1_is_add_q  = 32'(op_i == LaneAdd || op_i == LaneSel);
      `WEFT_LANES(l, n, Lanes) begin
        a        = p0_a_q[l[LaneBits-1:0]];
        b        = p0_b_q[l[LaneBits-1:0]];
        a_exp    = (a >> 7) & 32'hff;
        b_exp    = (b >> 7) & 32'hff;
        a_zero   = 32'(a_exp == 32'd0);
        b_zero   = 32'(b_exp == 32'd0);
        a_top    = 32'(a_exp == 32'd255) & ~is_sel;
        b_top    = 32'(b_exp == 32'd255) & ~(is_sel & a_zero);
        // 16 bits
        product  = (((is_sel != 32'd0) ? 32'd0 : a & 32'h7f) | 32'h80) *
                   (b & 32'h7f | 32'h80);
        exponent = ((is_sel != 32'd0) ? 32'd127 : a_exp) + b_exp + (ExpBias - 32'd127) + (product >> 15);
        zero     = a_zero | b_zero | flush & 32'(exponent <= ExpBias);
        inf      = a_top | b_top | flush & 32'(exponent >= ExpBias + 32'd255);
        // sel with a nonzero: c counts as +0
        p1_c_q[l[LaneBits-1:0]]      = c_i[l[LaneBits-1:0]] & (((is_sel & ~a_zero) != 32'd0) ? 32'h007f_ffff : 32'hffff_ffff);
        p1_sign_q[l[LaneBits-1:0]]   = ((b & ~(is_sel & a_zero) << 15) ^
                                        ((is_sel != 32'd0) ? 32'd0 : a)) >> 15;
        p1_nan_q[l[LaneBits-1:0]]    = a_top & (32'((a & 32'h7f) != 32'd0) | b_zero) |
                                       b_top & (32'((b & 32'h7f) != 32'd0) | a_zero);
        exponent = (inf != 32'd0) ? ExpInf : exponent;
        p1_exp_q[l[LaneBits-1:0]]    = (zero != 32'd0) ? ExpZero : exponent;
        product  = (product[15] ? product << 8 : product << 9) & 32'h007f_ffff;
        p1_frac_q[l[LaneBits-1:0]]   = (inf != 32'd0) ? 32'd0 : product;
      end
      if (use_x_i) begin  // instead of the product
        for (int unsigned k = 0; k < XLanes; k++) begin
          x            = x_i[k];
          field        = x & ExpMask;
          p1_sign_q[k] = x >> 31;
          p1_nan_q[k]  = 32'(field == ExpMask) & 32'((x & 32'h007f_ffff) != 32'd0);
          p1_exp_q[k]  = (field == 32'd0) ? ExpZero : (field == ExpMask) ? ExpInf : field >> 23 | ExpBias;
          p1_frac_q[k] = x & 32'h007f_ffff;
        end
      end
    end

    // P0
    if (take_i) begin
      p0_a_q <= a_i;
      `WEFT_LANES(l, n, Lanes) p0_b_q[l[LaneBits-1:0]] = b_i[l[LaneBits-1:0]];
    end
  end
  /* verilator lint_on BLKSEQ */

  assign valid_o  = p5_valid_q;
  assign a_o      = p0_a_q;
  assign result_o = p5_result_q;

endmodule
