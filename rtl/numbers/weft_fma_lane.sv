// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// One lane of the vector unit, as it is built: a bf16 multiply-add into fp32, or an add, maximum or move of fp32
/// (docs/reference/numbers.md).
///
/// ```
///   t0   t0+1               t0+2             t0+3      t0+4           t0+5
///   a, b │ a_o; op, c, x    │                │         │              │              │ result_o
///        │ multiply         │ compare, swap  │ align   │ add, begin   │ normalise,   │
///        │                  │                │         │ to normalise │ round        │
/// ```
///
/// Contract, latency and numbers inside: fma_lanes, whose other form, for simulators, has the same results. A number is
/// {sign, exponent, fraction}, the exponent in 10 bits two's complement: room for any product, with zero far below all
/// (-256) and infinity far above (511), both ending in the 8 bits that fp32 has. The exponent alone makes a zero: its
/// fraction and leading one are never used, being too far from any other operand to matter. Tininess is detected after
/// rounding, as on x86.
module weft_fma_lane
  import weft_num_pkg::*;
#(
  /// Builds the x operand. Without it, use_x_i is ignored.
  parameter bit HasX = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // t0
  input  logic        take_i,
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  // t0 + 1
  input  logic        valid_i,
  input  lane_op_e    op_i,
  input  logic        use_x_i,
  output logic [15:0] a_o,
  input  logic [31:0] c_i,
  input  logic [31:0] x_i,
  // t0 + 6
  output logic        valid_o,
  output logic [31:0] result_o
);

  typedef logic signed [9:0] exp_t;

  typedef struct packed {
    logic        sign;
    exp_t        exp;
    logic [22:0] frac;
  } number_t;

  localparam exp_t ExpZero = 10'sh300;
  localparam exp_t ExpInf  = 10'sh1ff;

  function automatic number_t unpack(input logic [31:0] x);
    logic zero, top;
    zero = x[30:23] == 8'h00;
    top  = x[30:23] == 8'hff;
    return '{sign: x[31], exp: {zero, zero | top, x[30:23]}, frac: x[22:0]};
  endfunction

  // A product stays within -125..382.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic is_zero(input exp_t exp);
    return exp[9] & ~exp[7];
  endfunction

  function automatic logic is_inf_or_nan(input exp_t exp);
    return ~exp[9] & exp[8] & exp[7];
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // P0: a and b -------------------------------------------------------------------------------------------------------
  logic [15:0] p0_a_q, p0_b_q;

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      p0_a_q <= a_i;
      p0_b_q <= b_i;
    end
  end

  // P1: multiply; unpack x, instead of the product, and c ---------------------------------------------------------------
  logic        p1_valid_q;
  logic        p1_nan_q;  // p is one
  lane_op_e    p1_op_q;
  number_t     p1_p_q, p1_c_q;

  number_t     p_in;
  logic        p_in_nan;
  logic        sel, a_zero, b_zero, a_top, b_top, zero, inf, flush, wide;
  logic [15:0] product;
  exp_t        exp_low;  // exponent of a product below 2

  always_comb begin
    sel     = op_i == LaneSel;  // a nonzero a becomes 1.0, a zero makes the product +0
    flush   = (op_i == LaneMax) | (op_i == LaneGe);
    a_zero  = p0_a_q[14:7] == 8'h00;
    b_zero  = p0_b_q[14:7] == 8'h00;
    a_top   = (p0_a_q[14:7] == 8'hff) & ~sel;
    b_top   = (p0_b_q[14:7] == 8'hff) & ~(sel & a_zero);
    product = {8'b0, 1'b1, p0_a_q[6:0] & {7{~sel}}} * {8'b0, 1'b1, p0_b_q[6:0]};
    wide    = product[15];  // arrives late: all else is known by then
    exp_low = {2'b0, sel ? 8'd127 : p0_a_q[14:7]} + {{3{~p0_b_q[14]}}, p0_b_q[13:7]} + 10'd1;  // a + (b - 128) + 1
    zero    = a_zero | b_zero | (flush & (exp_low[9] | ((exp_low == '0) & ~wide)));
    inf     = a_top | b_top | (flush & ~exp_low[9] & (exp_low[8] | (&exp_low[7:1] & (exp_low[0] | wide))));

    p_in.sign = sel ? p0_b_q[15] & ~a_zero : p0_a_q[15] ^ p0_b_q[15];
    p_in.exp  = zero ? ExpZero : inf ? ExpInf : exp_low + {9'b0, wide};
    p_in.frac = {inf ? 15'b0 : wide ? product[14:0] : {product[13:0], 1'b0}, 8'b0};
    p_in_nan  = (a_top & ((|p0_a_q[6:0]) | b_zero)) | (b_top & ((|p0_b_q[6:0]) | a_zero));
    if (HasX && use_x_i) begin
      p_in     = unpack(x_i);
      p_in_nan = (&x_i[30:23]) & (|x_i[22:0]);
    end
  end

  always_ff @(posedge clk_i) begin
    p1_valid_q <= valid_i & ~rst_i;
    if (valid_i) begin
      p1_op_q  <= op_i;
      p1_p_q   <= p_in;
      p1_nan_q <= p_in_nan;
      p1_c_q   <= unpack((sel & ~a_zero) ? {9'b0, c_i[22:0]} : c_i);  // sel with a nonzero: c counts as +0
    end
  end

  // P2: compare, swap -------------------------------------------------------------------------------------------------
  logic        p2_valid_q;
  logic        p2_pass_q;      // the big operand is the result, bit for bit
  logic        p2_subtract_q;
  logic        p2_keep_q;      // the small operand matters
  number_t     p2_big_q;
  logic [22:0] p2_small_q;     // its fraction
  logic [4:0]  p2_distance_q;

  number_t     p, c;
  logic        c_nan, mov, is_ge, is_add, nan, subtract, both_zero, p_big, p_above, take_p;
  logic [10:0] ahead, behind;  // p's exponent minus c's, and c's minus p's

  always_comb begin
    mov    = (p1_op_q == LaneMovX) | (p1_op_q == LaneMovC);
    is_add = (p1_op_q == LaneAdd) | (p1_op_q == LaneSel);
    is_ge  = p1_op_q == LaneGe;

    p     = p1_p_q;
    c     = p1_c_q;
    c_nan = is_inf_or_nan(c.exp) & (|c.frac);

    subtract  = p.sign ^ c.sign;
    both_zero = is_zero(p.exp) & is_zero(c.exp);
    nan       = ~mov & (p1_nan_q | c_nan | (is_add & subtract & is_inf_or_nan(p.exp) & is_inf_or_nan(c.exp)));

    // |p| >= |c|, but |p| > |c| where ge compares negative numbers.
    ahead   = {p.exp[9], p.exp} - {c.exp[9], c.exp};
    behind  = {c.exp[9], c.exp} - {p.exp[9], p.exp};
    p_big   = behind[10] | (~ahead[10] & ({p.frac, ~(is_ge & p.sign)} >= {c.frac, 1'b1}));
    p_above = subtract ? ~p.sign : p_big ^ p.sign;
    case (p1_op_q)
      LaneMax:  take_p = p_above & ~both_zero;
      LaneMovX: take_p = 1'b1;
      LaneMovC: take_p = 1'b0;
      default:  take_p = p_big;
    endcase
  end

  // A distance of 32 or more cannot change the rounded result; an infinity is that far from all but an infinity.
  logic [10:0] distance;
  assign distance = take_p ? ahead : behind;

  always_ff @(posedge clk_i) begin
    p2_valid_q <= p1_valid_q & ~rst_i;
    if (p1_valid_q) begin
      p2_pass_q     <= mov | (nan & ~is_ge);
      p2_subtract_q <= subtract;
      p2_keep_q     <= is_add & ~(|distance[10:5]) & ~is_inf_or_nan(p.exp) & ~p1_nan_q;
      p2_distance_q <= distance[4:0];
      p2_small_q    <= take_p ? c.frac : p.frac;
      p2_big_q      <= take_p ? p : c;
      if (both_zero && subtract && is_add) p2_big_q.sign <= 1'b0;
      if (nan) p2_big_q <= '{sign: 1'b0, exp: ExpInf, frac: 23'h400000};
      if (is_ge) p2_big_q <= '{sign: 1'b0, exp: (p_above | both_zero) & ~nan ? 10'sd127 : ExpZero, frac: '0};
    end
  end

  // P3: align ---------------------------------------------------------------------------------------------------------
  logic        p3_valid_q, p3_pass_q, p3_subtract_q;
  number_t     p3_big_q;
  logic [26:0] p3_small_q;     // with guard, round and sticky

  // Shift right by whole bytes, then by up to 7 bits: by a multiplication left by 7 less that many, then right by 7.
  // The bits that fall out are seen in the product's low bits. Two products, since a multiplier takes 18 bits.
  logic [25:0] coarse;
  logic [7:0]  up_by;
  logic [24:0] high;
  logic [14:0] low;
  logic [32:0] fine;
  logic        lost, sticky;

  always_comb begin
    coarse = {1'b1, p2_small_q, 2'b0};
    lost   = 1'b0;
    case (p2_distance_q[4:3])
      2'd0: ;
      2'd1: {coarse, lost} = {8'b0, coarse[25:8], |coarse[7:0]};
      2'd2: {coarse, lost} = {16'b0, coarse[25:16], |coarse[15:0]};
      default: {coarse, lost} = {24'b0, coarse[25:24], |coarse[23:0]};
    endcase
    up_by  = 8'h80 >> p2_distance_q[2:0];
    high   = {7'b0, coarse[25:8]} * {17'b0, up_by};
    low    = {7'b0, coarse[7:0]} * {7'b0, up_by};
    fine   = {high, 8'b0} | {18'b0, low};
    sticky = lost | (|fine[6:0]);
  end

  always_ff @(posedge clk_i) begin
    p3_valid_q <= p2_valid_q & ~rst_i;
    if (p2_valid_q) begin
      p3_pass_q     <= p2_pass_q;
      p3_subtract_q <= p2_subtract_q;
      p3_big_q      <= p2_big_q;
      p3_small_q    <= p2_keep_q ? {fine[32:7], sticky} : '0;
    end
  end

  // P4: add, begin to normalise ---------------------------------------------------------------------------------------
  logic        p4_valid_q, p4_pass_q, p4_subtract_q, p4_sign_q;
  exp_t        p4_exp_q;       // exponent of the sum's top bit
  logic [27:0] p4_sum_q;

  logic [27:0] sum;
  logic        none16, none8, none4;

  always_comb begin
    sum    = {2'b01, p3_big_q.frac, 3'b0} + ({1'b0, p3_small_q} ^ {28{p3_subtract_q}}) + {27'b0, p3_subtract_q};
    none16 = ~(|sum[27:12]);
    if (none16) sum = sum << 16;
    none8  = ~(|sum[27:20]);
    if (none8) sum = sum << 8;
    none4  = ~(|sum[27:24]);
    if (none4) sum = sum << 4;
  end

  always_ff @(posedge clk_i) begin
    p4_valid_q <= p3_valid_q & ~rst_i;
    if (p3_valid_q) begin
      p4_pass_q     <= p3_pass_q;
      p4_subtract_q <= p3_subtract_q;
      p4_sign_q     <= p3_big_q.sign;
      p4_sum_q      <= sum;
      p4_exp_q      <= p3_big_q.exp - {5'b0, none16, none8, none4, 2'b0};
    end
  end

  // P5: normalise, round ----------------------------------------------------------------------------------------------
  logic        p5_valid_q;
  logic [31:0] p5_result_q;

  logic [27:0] norm;
  logic        none2, none1, up, tiny, huge;
  logic [9:0]  exponent;
  logic [32:0] rounded;

  always_comb begin
    norm  = p4_sum_q;
    none2 = ~(|norm[27:26]);
    if (none2) norm = norm << 2;
    none1 = ~norm[27];
    if (none1) norm = norm << 1;
    up       = norm[3] & (norm[4] | (|norm[2:0]));
    exponent = p4_exp_q + 10'd1 - {8'b0, none2, none1};
    rounded  = {exponent, norm[26:4]} + {32'b0, up};  // a carry out of the fraction is one into the exponent
    tiny     = ~norm[27] | rounded[32] | (rounded[32:23] == '0);
    huge     = ~rounded[32] & (rounded[31] | (&rounded[30:23]));
  end

  always_ff @(posedge clk_i) begin
    p5_valid_q <= p4_valid_q & ~rst_i;
    if (p4_valid_q) begin
      p5_result_q <= {p4_sign_q & (norm[27] | ~p4_subtract_q), rounded[30:0]};  // x + -x is +0
      if (!p4_pass_q && huge) p5_result_q[30:0] <= 31'h7f800000;
      if (!p4_pass_q && tiny) p5_result_q[30:0] <= '0;
    end
  end

  assign a_o      = p0_a_q;
  assign valid_o  = p5_valid_q;
  assign result_o = p5_result_q;

endmodule
