/// One lane of the vector unit: a bf16 multiply-add into fp32, or an add, maximum or move of fp32 (docs/numbers.md).
///
/// ```
///   t0           t0+1              t0+2        t0+3          t0+4
///   a, b, op  │  c, x           │           │             │  result_o
///   multiply  │  compare, swap, │  add,     │  normalise, │
///             │  align          │  lead. 0s │  round      │
/// ```
///
/// Contract: `valid_i` goes with a, b, op and use_x; c and x belong to the operation offered in the cycle before.
/// A lane takes one operation a cycle. Nothing changes, and nothing is computed, in a stage without an operation.
///
/// Inside, a number is {sign, exponent, fraction}, the exponent in 10 bits two's complement: room for any product, with
/// zero far below all (-256) and infinity far above (511), both ending in the 8 bits fp32 has. The exponent alone makes
/// a zero: its fraction and leading one are never looked at, being too far from any other operand to matter. Tininess is
/// seen after rounding, as x86 does it.
///
/// Latency: 4 cycles from a and b, 3 from c and x. result_o holds until the next result.
module fma_lane
  import num_pkg::*;
#(
  /// Builds the x operand. Without it, use_x_i is ignored.
  parameter bit HasX = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_i,

  // t0
  input  logic        valid_i,
  input  lane_op_e    op_i,
  input  logic        use_x_i,
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,

  // t0 + 1
  input  logic [31:0] c_i,
  input  logic [31:0] x_i,

  // t0 + 4
  output logic        valid_o,
  output logic [31:0] result_o
);

  localparam logic [9:0] ExpZero = 10'h300;
  localparam logic [9:0] ExpInf  = 10'h1ff;

  // P1: multiply ------------------------------------------------------------------------------------------------------

  logic        p1_valid_q;
  lane_op_e    p1_op_q;
  logic        p1_use_x_q;
  logic        p1_drop_c_q;  // sel with a nonzero: c counts as +0
  logic        p1_sign_q;
  logic        p1_nan_q;
  logic [9:0]  p1_exp_q;
  logic [14:0] p1_frac_q;

  always_ff @(posedge clk_i) begin : multiply
    logic sel, a_zero, b_zero, a_top, b_top, zero, inf;
    logic [15:0] product;
    logic [9:0]  exp_sum;
    {sel, a_zero, b_zero, a_top, b_top, zero, inf, product, exp_sum} = '0;
    p1_valid_q <= valid_i & ~rst_i;
    if (valid_i) begin
      sel     = op_i == LaneSel;  // a nonzero a becomes 1.0, a zero makes the product +0
      a_zero  = a_i[14:7] == 8'h00;
      b_zero  = b_i[14:7] == 8'h00;
      a_top   = (a_i[14:7] == 8'hff) & ~sel;
      b_top   = (b_i[14:7] == 8'hff) & ~(sel & a_zero);
      product = {8'b0, 1'b1, a_i[6:0] & {7{~sel}}} * {8'b0, 1'b1, b_i[6:0]};
      exp_sum = {2'b0, sel ? 8'd127 : a_i[14:7]} + {2'b0, b_i[14:7]} - 10'd127 + {9'b0, product[15]};
      zero    = a_zero | b_zero;
      inf     = a_top | b_top;
      if (op_i == LaneMax || op_i == LaneGe) begin
        zero = zero | exp_sum[9] | (exp_sum == 10'd0);
        inf  = inf | (~exp_sum[9] & (exp_sum[8] | (&exp_sum[7:0])));
      end
      p1_op_q     <= op_i;
      p1_use_x_q  <= HasX & use_x_i;
      p1_drop_c_q <= sel & ~a_zero;
      p1_sign_q   <= sel ? b_i[15] & ~a_zero : a_i[15] ^ b_i[15];
      p1_nan_q    <= (a_top & ((|a_i[6:0]) | b_zero)) | (b_top & ((|b_i[6:0]) | a_zero));
      p1_exp_q    <= zero ? ExpZero : inf ? ExpInf : exp_sum;
      p1_frac_q   <= inf ? 15'b0 : product[14:0] << ~product[15];
    end
  end

  // P2: compare, swap, align ------------------------------------------------------------------------------------------

  logic        p2_valid_q;
  logic        p2_pass_q;      // the big operand is the result, bit for bit
  logic        p2_subtract_q;
  logic        p2_sign_q;
  logic [9:0]  p2_exp_q;
  logic [22:0] p2_frac_q;
  logic [26:0] p2_small_q;     // aligned, with guard, round and sticky

  always_ff @(posedge clk_i) begin : align
    logic p_sign, p_nan, p_zero, p_inf, c_sign, c_nan, c_zero, c_inf;
    logic mov, is_ge, is_add, nan, subtract, both_zero, p_big, p_above, take_p, keep_small, sticky;
    logic [9:0]  p_exp, c_exp, distance;
    logic [22:0] p_frac, c_frac;
    logic [25:0] small_sig, aligned;
    {p_sign, p_nan, p_zero, p_inf, c_sign, c_nan, c_zero, c_inf, mov, is_ge, is_add, nan, subtract, both_zero,
     p_big, p_above, take_p, keep_small, sticky, p_exp, c_exp, distance, p_frac, c_frac, small_sig, aligned} = '0;
    p2_valid_q <= p1_valid_q & ~rst_i;
    if (p1_valid_q) begin

      mov    = (p1_op_q == LaneMovX) | (p1_op_q == LaneMovC);
      is_add = (p1_op_q == LaneAdd) | (p1_op_q == LaneSel);
      is_ge  = p1_op_q == LaneGe;

      p_sign = p1_sign_q;
      p_exp  = p1_exp_q;
      p_frac = {p1_frac_q, 8'b0};
      p_nan  = p1_nan_q;
      if (HasX && p1_use_x_q) begin
        p_sign = x_i[31];
        p_exp  = {~(|x_i[30:23]), ~(|x_i[30:23]) | (&x_i[30:23]), x_i[30:23]};
        p_frac = x_i[22:0];
        p_nan  = (&x_i[30:23]) & (|x_i[22:0]);
      end
      p_zero = p_exp[9] & p_exp[8] & ~p_exp[7];  // a product stays within -125..382
      p_inf  = ~p_exp[9] & p_exp[8] & p_exp[7];

      c_zero = ~(|c_i[30:23]) | p1_drop_c_q;
      c_inf  = (&c_i[30:23]) & ~p1_drop_c_q;
      c_sign = c_i[31] & ~p1_drop_c_q;
      c_exp  = {c_zero, c_zero | c_inf, c_i[30:23] & {8{~p1_drop_c_q}}};
      c_frac = c_i[22:0];
      c_nan  = c_inf & (|c_i[22:0]);

      subtract  = p_sign ^ c_sign;
      both_zero = p_zero & c_zero;
      nan       = ~mov & (p_nan | c_nan | (is_add & subtract & p_inf & c_inf));

      // |p| >= |c|, but |p| > |c| where ge compares negative numbers.
      p_big   = {~p_exp[9], p_exp[8:0], p_frac, ~(is_ge & p_sign)} >= {~c_exp[9], c_exp[8:0], c_frac, 1'b1};
      p_above = subtract ? ~p_sign : p_big ^ p_sign;
      case (p1_op_q)
        LaneMax:  take_p = p_above & ~both_zero;
        LaneMovX: take_p = 1'b1;
        LaneMovC: take_p = 1'b0;
        default:  take_p = p_big;
      endcase

      // A distance of 32 or more cannot change the rounded result; an infinity is that far from all but an infinity.
      distance   = take_p ? p_exp - c_exp : c_exp - p_exp;
      keep_small = is_add & ~(|distance[9:5]) & ~p_inf & ~p_nan;
      small_sig  = {1'b1, take_p ? c_frac : p_frac, 2'b0};
      aligned    = small_sig >> distance[4:0];
      sticky     = |(small_sig & ~(26'h3ffffff << distance[4:0]));

      p2_pass_q     <= mov | (nan & ~is_ge);
      p2_subtract_q <= subtract;
      p2_small_q    <= keep_small ? {aligned, sticky} : 27'b0;
      if (is_ge) begin
        p2_sign_q <= 1'b0;
        p2_exp_q  <= (p_above | both_zero) & ~nan ? 10'd127 : ExpZero;
        p2_frac_q <= 23'b0;
      end else if (nan) begin
        p2_sign_q <= 1'b0;
        p2_exp_q  <= ExpInf;
        p2_frac_q <= 23'h400000;
      end else begin
        p2_sign_q <= (take_p ? p_sign : c_sign) & ~(both_zero & subtract & is_add);
        p2_exp_q  <= take_p ? p_exp : c_exp;
        p2_frac_q <= take_p ? p_frac : c_frac;
      end
    end
  end

  // P3: add, begin to normalise ---------------------------------------------------------------------------------------

  logic        p3_valid_q;
  logic        p3_pass_q;
  logic        p3_subtract_q;
  logic        p3_sign_q;
  logic [9:0]  p3_exp_q;    // of the sum's top bit
  logic [31:0] p3_sum_q;    // its low four bits are 0: whole words simulate faster

  always_ff @(posedge clk_i) begin : add
    logic [27:0] sum;
    logic [31:0] sum16, sum8, sum4;
    logic        none16, none8, none4;
    {sum, sum16, sum8, sum4, none16, none8, none4} = '0;
    p3_valid_q <= p2_valid_q & ~rst_i;
    if (p2_valid_q) begin
      sum    = {2'b01, p2_frac_q, 3'b0} + ({1'b0, p2_small_q} ^ {28{p2_subtract_q}}) + {27'b0, p2_subtract_q};
      none16 = ~(|sum[27:12]);
      sum16  = {sum, 4'b0} << {none16, 4'b0};
      none8  = ~(|sum16[31:24]);
      sum8   = sum16 << {none8, 3'b0};
      none4  = ~(|sum8[31:28]);
      sum4   = sum8 << {none4, 2'b0};
      p3_pass_q     <= p2_pass_q;
      p3_subtract_q <= p2_subtract_q;
      p3_sign_q     <= p2_sign_q;
      p3_sum_q      <= sum4;
      p3_exp_q      <= p2_exp_q + 10'd1 - {5'b0, none16, none8, none4, 2'b0};
    end
  end

  // P4: normalise, round ----------------------------------------------------------------------------------------------

  logic        p4_valid_q;
  logic [31:0] p4_result_q;

  always_ff @(posedge clk_i) begin : round
    logic [31:0] norm2, norm;
    logic        none2, none1, up, zero, inf;
    logic [9:0]  exponent;
    logic [32:0] rounded;
    {norm2, norm, none2, none1, up, zero, inf, exponent, rounded} = '0;
    p4_valid_q <= p3_valid_q & ~rst_i;
    if (p3_valid_q) begin
      none2    = ~(|p3_sum_q[31:30]);
      norm2    = p3_sum_q << {none2, 1'b0};
      none1    = ~norm2[31];
      norm     = norm2 << none1;
      up       = norm[7] & (norm[8] | (|norm[6:0]));
      exponent = p3_exp_q - {8'b0, none2, none1};
      rounded  = {exponent, norm[30:8]} + {32'b0, up};  // a carry out of the fraction is one into the exponent
      zero     = ~norm[31] | rounded[32] | (rounded[32:23] == 10'd0);
      inf      = ~rounded[32] & (rounded[31] | (&rounded[30:23]));
      // x + -x is +0
      p4_result_q <= {p3_sign_q & (norm[31] | ~p3_subtract_q),
                      p3_pass_q ? rounded[30:0] : zero ? 31'b0 : inf ? 31'h7f800000 : rounded[30:0]};
    end
  end

  assign valid_o  = p4_valid_q;
  assign result_o = p4_result_q;

endmodule
