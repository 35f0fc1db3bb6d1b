/// One lane of the vector unit, as it is built: a bf16 multiply-add into fp32, or an add, maximum or move of fp32
/// (docs/numbers.md).
///
/// ```
///   t0   t0+1         t0+2             t0+3      t0+4           t0+5
///   a, b │ op         │ c, x, a_o      │         │              │              │ result_o
///        │ multiply   │ compare, swap  │ align   │ add, begin   │ normalise,   │
///        │            │                │         │ to normalise │ round        │
/// ```
///
/// Contract, latency and numbers inside: fma_lanes, whose other form, for simulators, has the same results. A number is
/// {sign, exponent, fraction}, the exponent in 10 bits two's complement: room for any product, with zero far below all
/// (-256) and infinity far above (511), both ending in the 8 bits that fp32 has. The exponent alone makes a zero: its
/// fraction and leading one are never looked at, being too far from any other operand to matter. Tininess is seen after
/// rounding, as x86 does it.
module fma_lane
  import num_pkg::*;
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
  // t0 + 2
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

  // P1: multiply ------------------------------------------------------------------------------------------------------
  logic        p1_valid_q, p1_use_x_q, p1_nan_q;
  logic        p1_drop_c_q;  // sel with a nonzero: c counts as +0
  lane_op_e    p1_op_q;
  logic        p1_sign_q;
  exp_t        p1_exp_q;
  logic [14:0] p1_frac_q;
  logic [15:0] p1_a_q;

  logic        sel, a_zero, b_zero, a_top, b_top, zero, inf, flush;
  logic [15:0] product;
  exp_t        exp_sum;

  always_comb begin
    sel     = op_i == LaneSel;  // a nonzero a becomes 1.0, a zero makes the product +0
    flush   = (op_i == LaneMax) | (op_i == LaneGe);
    a_zero  = p0_a_q[14:7] == 8'h00;
    b_zero  = p0_b_q[14:7] == 8'h00;
    a_top   = (p0_a_q[14:7] == 8'hff) & ~sel;
    b_top   = (p0_b_q[14:7] == 8'hff) & ~(sel & a_zero);
    product = {8'b0, 1'b1, p0_a_q[6:0] & {7{~sel}}} * {8'b0, 1'b1, p0_b_q[6:0]};
    exp_sum = {2'b0, sel ? 8'd127 : p0_a_q[14:7]} + {2'b0, p0_b_q[14:7]} - 10'd127 + {9'b0, product[15]};
    zero    = a_zero | b_zero | (flush & (exp_sum[9] | (exp_sum == '0)));
    inf     = a_top | b_top | (flush & ~exp_sum[9] & (exp_sum[8] | (&exp_sum[7:0])));
  end

  always_ff @(posedge clk_i) begin
    p1_valid_q <= valid_i & ~rst_i;
    if (valid_i) begin
      p1_op_q     <= op_i;
      p1_use_x_q  <= HasX & use_x_i;
      p1_drop_c_q <= sel & ~a_zero;
      p1_a_q      <= p0_a_q;
      p1_sign_q   <= sel ? p0_b_q[15] & ~a_zero : p0_a_q[15] ^ p0_b_q[15];
      p1_nan_q    <= (a_top & ((|p0_a_q[6:0]) | b_zero)) | (b_top & ((|p0_b_q[6:0]) | a_zero));
      p1_exp_q    <= zero ? ExpZero : inf ? ExpInf : exp_sum;
      p1_frac_q   <= inf ? 15'b0 : product[15] ? product[14:0] : {product[13:0], 1'b0};
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
  logic        p_nan, c_nan, mov, is_ge, is_add, nan, subtract, both_zero, p_big, p_above, take_p;
  logic [10:0] ahead, behind;  // p's exponent minus c's, and c's minus p's

  always_comb begin
    mov    = (p1_op_q == LaneMovX) | (p1_op_q == LaneMovC);
    is_add = (p1_op_q == LaneAdd) | (p1_op_q == LaneSel);
    is_ge  = p1_op_q == LaneGe;

    p     = '{sign: p1_sign_q, exp: p1_exp_q, frac: {p1_frac_q, 8'b0}};
    p_nan = p1_nan_q;
    if (HasX && p1_use_x_q) begin
      p     = unpack(x_i);
      p_nan = (&x_i[30:23]) & (|x_i[22:0]);
    end
    c     = unpack(p1_drop_c_q ? {9'b0, c_i[22:0]} : c_i);
    c_nan = is_inf_or_nan(c.exp) & (|c.frac);

    subtract  = p.sign ^ c.sign;
    both_zero = is_zero(p.exp) & is_zero(c.exp);
    nan       = ~mov & (p_nan | c_nan | (is_add & subtract & is_inf_or_nan(p.exp) & is_inf_or_nan(c.exp)));

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
      p2_keep_q     <= is_add & ~(|distance[10:5]) & ~is_inf_or_nan(p.exp) & ~p_nan;
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

  logic [25:0] aligned;
  logic        sticky;

  always_comb begin
    aligned = {1'b1, p2_small_q, 2'b0};
    sticky  = 1'b0;
    for (int b = 4; b >= 0; b--) begin
      if (p2_distance_q[b]) begin
        sticky  = sticky | (|(aligned & ~(26'h3ffffff << (1 << b))));
        aligned = aligned >> (1 << b);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    p3_valid_q <= p2_valid_q & ~rst_i;
    if (p2_valid_q) begin
      p3_pass_q     <= p2_pass_q;
      p3_subtract_q <= p2_subtract_q;
      p3_big_q      <= p2_big_q;
      p3_small_q    <= p2_keep_q ? {aligned, sticky} : '0;
    end
  end

  // P4: add, begin to normalise ---------------------------------------------------------------------------------------
  logic        p4_valid_q, p4_pass_q, p4_subtract_q, p4_sign_q;
  exp_t        p4_exp_q;       // of the sum's top bit
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

  assign a_o      = p1_a_q;
  assign valid_o  = p5_valid_q;
  assign result_o = p5_result_q;

endmodule
