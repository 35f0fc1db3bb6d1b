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
/// Inside, a number is {sign, exponent, fraction} with the exponent in 10 bits two's complement: room for any product, with zero
/// far below (-256) and infinity far above (511), both with the low 8 bits fp32 has. Thus no order of magnitudes is special,
/// and tininess is seen after rounding, as x86 does it.
///
/// Latency: 4 cycles from a and b, 3 from c and x. result_o holds until the next result.
module fma_lane
  import num_pkg::*;
#(
  /// Builds the x operand. Without it, use_x_i must be 0.
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
  logic [15:0] p1_sig_q;     // the leading one is bit 15, unless the product is zero

  logic [15:0] product;
  assign product = {1'b1, a_i[6:0]} * {1'b1, b_i[6:0]};

  always_ff @(posedge clk_i) begin
    p1_valid_q <= valid_i & ~rst_i;
    if (valid_i) begin : multiply
      logic a_zero, b_zero, a_top, b_top, a_frac, b_frac, inf, nan, zero, sel, one;
      logic [9:0] exp_sum;
      sel     = op_i == LaneSel;
      a_zero  = a_i[14:7] == 8'h00;
      b_zero  = b_i[14:7] == 8'h00;
      one     = sel & ~a_zero;  // a becomes 1.0
      a_top   = (a_i[14:7] == 8'hff) & ~sel;
      b_top   = (b_i[14:7] == 8'hff) & ~(sel & a_zero);
      a_frac  = |a_i[6:0];
      b_frac  = |b_i[6:0];
      nan     = (a_top & a_frac) | (b_top & b_frac) | (a_top & b_zero) | (b_top & a_zero);
      exp_sum = {2'b0, one ? 8'd127 : a_i[14:7]} + {2'b0, b_i[14:7]} + 10'h381 + {9'b0, ~one & product[15]};
      zero    = a_zero | b_zero;
      inf     = a_top | b_top;
      if (op_i == LaneMax || op_i == LaneGe) begin
        zero = zero | exp_sum[9] | (exp_sum == 10'd0);
        inf  = inf | (~exp_sum[9] & (exp_sum[8] | (&exp_sum[7:0])));
      end
      p1_op_q     <= op_i;
      p1_use_x_q  <= HasX & use_x_i;
      p1_drop_c_q <= one;
      p1_sign_q   <= sel ? one & b_i[15] : a_i[15] ^ b_i[15];
      p1_nan_q    <= nan;
      p1_exp_q    <= zero ? ExpZero : inf ? ExpInf : exp_sum;
      p1_sig_q    <= zero | inf ? 16'b0 : one ? {1'b1, b_i[6:0], 8'b0} : product[15] ? product : product << 1;
    end
  end

  // P2: compare, swap, align ------------------------------------------------------------------------------------------

  logic        p2_valid_q;
  logic        p2_pass_q;     // the big operand is the result, bit for bit
  logic        p2_subtract_q;
  logic        p2_sign_q;
  logic [9:0]  p2_exp_q;
  logic [23:0] p2_big_q;
  logic [26:0] p2_small_q;    // with guard, round and sticky

  always_ff @(posedge clk_i) begin
    p2_valid_q <= p1_valid_q & ~rst_i;
    if (p1_valid_q) begin : align
      logic p_sign, p_nan, p_zero, p_inf, p_hidden, c_sign, c_zero, c_top, c_nan, c_inf, x_zero, x_top;
      logic [9:0]  p_exp, c_exp;
      logic [22:0] p_frac, c_frac;
      logic p_big, take_p, p_above, either_nan, pass, far, lost, mov, is_ge, is_max;
      logic [10:0] p_minus_c, c_minus_p;
      logic [4:0]  shift;
      logic [23:0] small_sig;
      logic [25:0] small_shifted;

      mov    = (p1_op_q == LaneMovX) | (p1_op_q == LaneMovC);
      is_ge  = p1_op_q == LaneGe;
      is_max = p1_op_q == LaneMax;

      p_sign   = p1_sign_q;
      p_exp    = p1_exp_q;
      p_frac   = {p1_sig_q[14:0], 8'b0};
      p_hidden = p1_sig_q[15];
      p_nan    = p1_nan_q;
      x_zero   = 1'b0;
      x_top    = 1'b0;
      if (HasX && p1_use_x_q) begin
        x_zero   = x_i[30:23] == 8'h00;
        x_top    = x_i[30:23] == 8'hff;
        p_sign   = x_i[31];
        p_exp    = {x_zero, x_zero | x_top, x_i[30:23]};
        p_frac   = x_zero & ~mov ? 23'b0 : x_i[22:0];
        p_hidden = ~x_zero;
        p_nan    = x_top & (|x_i[22:0]);
      end
      p_zero = p_exp[9:8] == 2'b11 & ~(|p_exp[7:0]);
      p_inf  = (p_exp == ExpInf);

      c_zero = (c_i[30:23] == 8'h00) | p1_drop_c_q;
      c_top  = (c_i[30:23] == 8'hff) & ~p1_drop_c_q;
      c_sign = c_i[31] & ~p1_drop_c_q;
      c_exp  = {c_zero, c_zero | c_top, p1_drop_c_q ? 8'b0 : c_i[30:23]};
      c_frac = c_zero & ~mov ? 23'b0 : c_i[22:0];
      c_nan  = c_top & (|c_i[22:0]);
      c_inf  = c_top;

      // |p| >= |c|, or |p| > |c| where ge compares negative numbers. The order of exponents is that of signed numbers.
      p_big = {~p_exp[9], p_exp[8:0], p_frac, ~(is_ge & p_sign)} >= {~c_exp[9], c_exp[8:0], c_frac, 1'b1};
      p_above    = (p_sign ^ c_sign) ? ~p_sign : p_big ^ p_sign;
      either_nan = p_nan | c_nan;

      case (p1_op_q)
        LaneMax:  take_p = p_above & ~(p_zero & c_zero);
        LaneMovX: take_p = 1'b1;
        LaneMovC: take_p = 1'b0;
        default:  take_p = p_big;
      endcase
      pass = (p1_op_q != LaneAdd) & (p1_op_q != LaneSel) | either_nan | p_inf | c_inf;

      p_minus_c = {p_exp[9], p_exp} - {c_exp[9], c_exp};
      c_minus_p = {c_exp[9], c_exp} - {p_exp[9], p_exp};
      shift     = p_big ? p_minus_c[4:0] : c_minus_p[4:0];
      far       = p_big ? |p_minus_c[10:5] : |c_minus_p[10:5];
      small_sig = p_big ? {~c_zero, c_frac} : {p_hidden, p_frac};
      small_shifted = {small_sig, 2'b0} >> shift;
      // What leaves at the right: bits of small_sig below shift - 2.
      lost = |(small_sig & ~(24'hffffff << ((shift < 5'd2) ? 5'd0 : shift - 5'd2)));

      p2_pass_q     <= pass;
      p2_subtract_q <= p_sign ^ c_sign;
      p2_small_q    <= pass ? 27'b0 : far ? {26'b0, |small_sig} : {small_shifted, lost};
      if (is_ge) begin
        p2_sign_q <= 1'b0;
        p2_exp_q  <= ((p_above | (p_zero & c_zero)) & ~either_nan) ? 10'd127 : 10'd0;
        p2_big_q  <= 24'h800000;
      end else if (!mov && (either_nan || (!is_max && p_inf && c_inf && (p_sign ^ c_sign)))) begin
        p2_sign_q <= 1'b0;
        p2_exp_q  <= ExpInf;
        p2_big_q  <= 24'hc00000;
      end else begin
        p2_sign_q <= take_p ? p_sign : c_sign;
        p2_exp_q  <= take_p ? p_exp : c_exp;
        p2_big_q  <= take_p ? {p_hidden | pass, p_frac} : {~c_zero | pass, c_frac};
      end
    end
  end

  // P3: add, count leading zeros --------------------------------------------------------------------------------------

  logic        p3_valid_q;
  logic        p3_pass_q;
  logic        p3_sign_q;
  logic [9:0]  p3_exp_q;   // of bit 27 of the sum
  logic [27:0] p3_sum_q;
  logic [4:0]  p3_zeros_q;

  always_ff @(posedge clk_i) begin
    p3_valid_q <= p2_valid_q & ~rst_i;
    if (p2_valid_q) begin : add
      logic [27:0] sum;
      logic [31:0] n;
      logic [4:0]  zeros;
      sum = {1'b0, p2_big_q, 3'b0} + ({1'b0, p2_small_q} ^ {28{p2_subtract_q & ~p2_pass_q}}) +
            {27'b0, p2_subtract_q & ~p2_pass_q};
      n   = {sum, 4'hf};
      zeros[4] = ~(|n[31:16]);
      if (zeros[4]) n = n << 16;
      zeros[3] = ~(|n[31:24]);
      if (zeros[3]) n = n << 8;
      zeros[2] = ~(|n[31:28]);
      if (zeros[2]) n = n << 4;
      zeros[1] = ~(|n[31:30]);
      if (zeros[1]) n = n << 2;
      zeros[0] = ~n[31];
      p3_pass_q  <= p2_pass_q;
      // 28 zeros: x + -x, which is +0; or two zeros, which keep their sign if they share it.
      p3_sign_q  <= p2_sign_q & ~((zeros == 5'd28) & p2_subtract_q & ~p2_pass_q);
      p3_exp_q   <= p2_exp_q;
      p3_sum_q   <= sum;
      p3_zeros_q <= zeros;
    end
  end

  // P4: normalise, round ----------------------------------------------------------------------------------------------

  logic        p4_valid_q;
  logic [31:0] p4_result_q;

  always_ff @(posedge clk_i) begin
    p4_valid_q <= p3_valid_q & ~rst_i;
    if (p3_valid_q) begin : round
      logic [27:0] norm;
      logic [23:0] rounded;
      logic [9:0]  exponent;
      logic        up, zero, inf;
      norm     = p3_sum_q << p3_zeros_q;
      up       = norm[3] & (norm[4] | (|norm[2:0]));
      // The leading one of a normalised number is not added in: a carry out of the fraction is one into the exponent.
      rounded  = {1'b0, norm[26:4]} + {23'b0, up};
      exponent = p3_exp_q + 10'd1 - {5'b0, p3_zeros_q} + {9'b0, rounded[23]};
      zero     = ~p3_pass_q & (~norm[27] | exponent[9] | (exponent == 10'd0));
      inf      = ~p3_pass_q & ~exponent[9] & (exponent[8] | (&exponent[7:0]));
      p4_result_q[31]    <= p3_sign_q;
      p4_result_q[30:23] <= zero ? 8'h00 : inf ? 8'hff : exponent[7:0];
      p4_result_q[22:0]  <= zero | inf ? 23'b0 : rounded[22:0];
    end
  end

  assign valid_o  = p4_valid_q;
  assign result_o = p4_result_q;

endmodule
