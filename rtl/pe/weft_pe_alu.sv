// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The scalar core's arithmetic: one adder for sums, addresses and comparisons, and a multiplier that shifts. No state.
/// Latency: none. Outputs mean nothing without valid_i.
`include "weft_check.svh"

module weft_pe_alu
  import weft_pe_scalar_pkg::*;
(
  input  logic        valid_i,
  /* verilator lint_off UNUSEDSIGNAL */  // fields that are not arithmetic
  input  scalar_op_t  op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [15:0] sum_o,
  output logic [15:0] result_o,
  /// The program branches to its target.
  output logic        go_o
);

  logic [15:0] logical;
  logic [31:0] product;  // a * 2^b: its low half is a << b; of a * 2^(16-b) the high half is a >> b
  logic        carry;

  always_comb begin
    product  = '0;
    logical  = '0;
    carry    = 1'b0;
    sum_o    = '0;
    result_o = '0;
    go_o     = 1'b0;
    `WEFT_IF_ANY(valid_i) begin
      {carry, sum_o} = {1'b0, a_i} + {1'b0, b_i ^ {16{op_i.subtract}}} + {16'b0, op_i.subtract};

      `WEFT_IF_ANY(op_i.from == FromShift)
        product = {16'b0, a_i} * {15'b0, op_i.left ? 17'h1 << b_i[3:0] : 17'h10000 >> b_i[3:0]};

      case (op_i.from[1:0])
        FromAnd[1:0]: logical = a_i & b_i;
        FromOr[1:0]:  logical = a_i | b_i;
        FromXor[1:0]: logical = a_i ^ b_i;
        default:      logical = b_i;
      endcase

      if (op_i.from[2]) result_o = logical;
      else if (op_i.from[0]) result_o = op_i.left ? product[15:0] : product[31:16];
      else result_o = sum_o;

      case (op_i.go)
        GoZero:     go_o = sum_o == '0;
        GoNonzero:  go_o = sum_o != '0;
        GoBorrow:   go_o = ~carry;
        GoNoBorrow: go_o = carry;
        GoAlways, GoTo: go_o = 1'b1;
        default: ;
      endcase
    end
  end

endmodule
