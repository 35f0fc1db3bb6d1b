/// fma_lane, which is built, and fma_fast, which is simulated: the same results in the same cycles, for all operands.
///
/// One lane of each gets the same inputs. Stage by stage the registers of the two are related, and each step preserves
/// the relation: that is the induction. fma_fast aligns in the stage that compares, and waits at the end for the stages
/// that fma_lane needs in addition; so from there on its registers hold what fma_lane is about to compute.
///
/// ```
///   fma_lane   P0   P1 multiply   P2 compare   P3 align   P4 add   P5 round
///   fma_fast   P0   P1 multiply   P2 compare,  P3 add     P4 round P5
///                                    align
/// ```
`include "proof.svh"

module fma_proof
  import weft_num_pkg::*;
#(
  /// The lane with operand x, or a lane without.
  parameter bit HasX = 1'b1
) (
  input logic        clk_i,
  input logic        rst_i,
  input logic        take_i,
  input logic [15:0] a_i,
  input logic [15:0] b_i,
  input logic        valid_i,
  input logic [2:0]  op_i,
  input logic        use_x_i,
  input logic [31:0] c_i,
  input logic [31:0] x_i
);

  `PROOF

// True of the registers from the first reset on, also in later resets, which clear only the valids.
`define KEPT(name, expr) always_comb if (started_q) name : assert (expr);

  localparam int unsigned L = HasX ? 0 : 1;  // the first of fma_fast's two lanes has x

  logic [31:0] a [2], b [2], c [2], x [2], fast_a [2], fast_result [2];
  logic [31:0] result;
  logic [15:0] lane_a;
  logic        fast_valid, valid;

  always_comb begin
    for (int unsigned l = 0; l < 2; l++) begin
      a[l] = {16'b0, a_i};
      b[l] = {16'b0, b_i};
      c[l] = c_i;
      x[l] = x_i;
    end
  end

  weft_fma_fast #(.Lanes(2), .XLanes(1)) i_fast (
    .clk_i, .rst_i, .take_i, .a_i(a), .b_i(b), .valid_i, .op_i(lane_op_e'(op_i)), .use_x_i, .a_o(fast_a), .c_i(c), .x_i(x),
    .valid_o(fast_valid), .result_o(fast_result)
  );
  weft_fma_lane #(.HasX(HasX)) i_dut (
    .clk_i, .rst_i, .take_i, .a_i, .b_i, .valid_i, .op_i(lane_op_e'(op_i)), .use_x_i, .a_o(lane_a), .c_i, .x_i,
    .valid_o(valid), .result_o(result)
  );

  // Registers hold a value only after their first update.
  logic taken_q = 1'b0, begun_q = 1'b0, done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    taken_q <= taken_q | take_i;
    begun_q <= begun_q | valid_i;
    done_q  <= done_q | (started_q & i_dut.p4_valid_q);
  end
  always_comb NothingBefore : assert (started_q || !(taken_q || begun_q || done_q));
  `GIVEN(OperandsComeFirst, !valid_i || taken_q)
  `GIVEN(OperationIsOne, op_i <= 3'(LaneMovC))

  /// Converts fma_lane's exponent to that of fma_fast.
  function automatic logic [31:0] biased(input logic signed [9:0] exp);
    return {22'b0, ~exp[9], exp[8:0]};
  endfunction

  `KEPT(SameOperands, !taken_q || (i_fast.p0_a_q[L] == {16'b0, i_dut.p0_a_q} && i_fast.p0_b_q[L] == {16'b0, i_dut.p0_b_q}))

  `KEPT(SameValids, {i_fast.p1_valid_q, i_fast.p2_valid_q, i_fast.p3_valid_q, i_fast.p4_valid_q, i_fast.p5_valid_q}
                     == {i_dut.p1_valid_q, i_dut.p2_valid_q, i_dut.p3_valid_q, i_dut.p4_valid_q, i_dut.p5_valid_q})

  // P1
  `KEPT(ValidHasBegun, !i_dut.p1_valid_q || begun_q)
  `KEPT(OperationStaysOne, !begun_q || i_dut.p1_op_q <= LaneMovC)
  `KEPT(SameOperation, !begun_q || (
    i_fast.p1_is_ge_q == 32'(i_dut.p1_op_q == LaneGe) && i_fast.p1_is_max_q == 32'(i_dut.p1_op_q == LaneMax)
    && i_fast.p1_is_movx_q == 32'(i_dut.p1_op_q == LaneMovX)
    && i_fast.p1_is_mov_q == 32'(i_dut.p1_op_q == LaneMovX || i_dut.p1_op_q == LaneMovC)
    && i_fast.p1_is_add_q == 32'(i_dut.p1_op_q == LaneAdd || i_dut.p1_op_q == LaneSel)))
  `KEPT(SameProduct, !begun_q || (  // or x
    i_fast.p1_sign_q[L] == 32'(i_dut.p1_p_q.sign) && i_fast.p1_nan_q[L] == 32'(i_dut.p1_nan_q)
    && i_fast.p1_exp_q[L] == biased(i_dut.p1_p_q.exp) && i_fast.p1_frac_q[L] == {9'b0, i_dut.p1_p_q.frac}))

  // fma_fast unpacks c a stage later.
  logic [31:0] fast_c;
  logic        c_zero;
  assign fast_c = i_fast.p1_c_q[L];
  assign c_zero = fast_c[30:23] == 8'h00;
  `KEPT(SameAddend, !begun_q || (
    i_dut.p1_c_q.sign == fast_c[31] && i_dut.p1_c_q.frac == fast_c[22:0]
    && i_dut.p1_c_q.exp == {c_zero, c_zero | (&fast_c[30:23]), fast_c[30:23]}))

  /// The possible values of an exponent: that of a zero, of a number or a product, of an infinity.
  function automatic logic possible(input logic signed [9:0] exp);
    return exp == 10'sh300 || exp == 10'sh1ff || (exp >= -10'sd125 && exp <= 10'sd382);
  endfunction
  `KEPT(ProductIsPossible, !begun_q || possible(i_dut.p1_p_q.exp))

  // P2, and the value that fma_lane is about to align
  logic [26:0] aligned;
  assign aligned = i_dut.p2_keep_q ? {i_dut.fine[32:7], i_dut.sticky} : '0;
  `KEPT(SameBig, !i_dut.p2_valid_q || (
    i_fast.p2_sign_q[L] == 32'(i_dut.p2_big_q.sign) && i_fast.p2_exp_q[L] == biased(i_dut.p2_big_q.exp)
    && i_fast.p2_frac_q[L] == {9'b0, i_dut.p2_big_q.frac} && i_fast.p2_pass_q[L] == 32'(i_dut.p2_pass_q)
    && i_fast.p2_subtract_q[L] == 32'(i_dut.p2_subtract_q)))
  `KEPT(SameSmall, !i_dut.p2_valid_q || i_fast.p2_small_q[L] == {5'b0, aligned})
  `KEPT(BigIsPossible, !i_dut.p2_valid_q || (
    possible(i_dut.p2_big_q.exp) && !((i_dut.p2_big_q.exp == 10'sh1ff || i_dut.p2_pass_q) && i_dut.p2_keep_q)))

  // P3, and the value that fma_lane is about to add
  `KEPT(SameSum, !i_dut.p3_valid_q || (
    i_fast.p3_sum_q[L] == {i_dut.sum, 4'b0} && i_fast.p3_subtract_q[L] == 32'(i_dut.p3_subtract_q)
    && i_fast.p3_sign_q[L] == 32'(i_dut.p3_big_q.sign) && i_fast.p3_pass_q[L] == 32'(i_dut.p3_pass_q)))
  `KEPT(SameExponent, !i_dut.p3_valid_q || i_fast.p3_exp_q[L] == biased(i_dut.p3_big_q.exp)
                       - {27'b0, i_dut.none16, i_dut.none8, i_dut.none4, 2'b0})
  `KEPT(AddedIsPossible, !i_dut.p3_valid_q || (
    possible(i_dut.p3_big_q.exp) && !((i_dut.p3_big_q.exp == 10'sh1ff || i_dut.p3_pass_q) && i_dut.p3_small_q != '0)))

  // P4, and the value that fma_lane is about to round
  logic [31:0] rounded;
  always_comb begin
    rounded = {i_dut.p4_sign_q & (i_dut.norm[27] | ~i_dut.p4_subtract_q), i_dut.rounded[30:0]};
    if (!i_dut.p4_pass_q && i_dut.huge) rounded[30:0] = 31'h7f800000;
    if (!i_dut.p4_pass_q && i_dut.tiny) rounded[30:0] = '0;
  end
  `KEPT(SameRounded, !i_dut.p4_valid_q || i_fast.p4_result_q[L] == rounded)

  `KEPT(SumIsPossible, !i_dut.p4_valid_q || (
    i_dut.p4_exp_q == 10'sh1ff || (i_dut.p4_exp_q >= -10'sd284 && i_dut.p4_exp_q <= 10'sd382)))
  // An infinity, a NaN and a value that passes unchanged are not rounded.
  `KEPT(SumIsExact, !i_dut.p4_valid_q || !(i_dut.p4_exp_q == 10'sh1ff || i_dut.p4_pass_q)
                    || (i_dut.p4_sum_q[27:26] == 2'b01 && i_dut.p4_sum_q[2:0] == '0))

  // Outputs
  `KEPT(DoneIsDone, !i_dut.p5_valid_q || done_q)
  `KEPT(SameResult, valid == fast_valid && (!done_q || result == fast_result[L]))
  `KEPT(SameA, !taken_q || fast_a[L] == {16'b0, lane_a})

  `COVER(SomethingLeaves, valid && result[30:23] != '0 && result[22:0] != '0)

endmodule
