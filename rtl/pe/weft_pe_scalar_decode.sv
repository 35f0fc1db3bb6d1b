// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Decodes an instruction of a thread: its first state, its operation, and the registers it reads. No state. Latency:
/// none. Outputs mean nothing without valid_i.
`include "weft_check.svh"

module weft_pe_scalar_decode
  import weft_isa_pkg::*;
  import weft_pe_scalar_pkg::*;
#(
  parameter int unsigned Built = weft_isa_pkg::DefaultColors  // colors
) (
  input  logic        valid_i,
  input  logic        psum_i,    // the thread
  input  logic [31:0] word_i,
  output state_e      first_o,   // the instruction's first state
  output scalar_op_t  op_o,
  output logic [3:0]  a_o,       // registers read as operands a and b
  output logic [3:0]  b_o
);

  op_e  op;
  logic bad_instr, bad_color;

  weft_pe_legal #(.Built(Built)) i_legal (
    .run_i(valid_i), .psum_i, .word_i, .bad_instr_o(bad_instr), .bad_color_o(bad_color)
  );

  assign op = op_e'(opcode(word_i));

  always_comb begin
    a_o = '0;
    b_o = '0;
    `WEFT_IF_ANY(valid_i) begin
      if (op[5]) begin
        a_o = psum_i ? vpsum_ra(word_i) : vmain_ra(word_i);
        b_o = psum_i ? vpsum_rd(word_i) : vmain_rb(word_i);
      end else if (op[4]) begin
        a_o = branch_ra(word_i);
        b_o = branch_rb(word_i);
      end else begin
        a_o = scalar_ra(word_i);
        b_o = scalar_rb(word_i);
      end
    end
  end

  always_comb begin
    first_o = StHalt;
    op_o    = '0;
    `WEFT_IF_ANY(valid_i) begin
      op_o.bad_instr = bad_instr;
      op_o.bad_color = bad_color;
      op_o.rd        = scalar_rd(word_i);  // a branch has this field in the same place
      first_o        = StQuick;
      op_o.second    = SecondReg;
      op_o.subtract  = op[4];
      op_o.left      = op == OP_SHL;
      case (op)
        OP_LI: begin
          op_o.from   = FromSecond;
          op_o.second = SecondImm;
        end
        OP_SUB:  op_o.subtract = 1'b1;
        OP_AND:  op_o.from = FromAnd;
        OP_OR:   op_o.from = FromOr;
        OP_XOR:  op_o.from = FromXor;
        OP_ADDI: op_o.second = SecondImm;
        OP_SHL, OP_SHR: begin
          op_o.from   = FromShift;
          op_o.second = SecondImm;
        end
        OP_CSRR: begin
          op_o.from   = FromSecond;
          op_o.second = SecondCsr;
        end
        OP_CSRW: op_o.csr_write = 1'b1;
        OP_LD: begin
          first_o     = StAddress;
          op_o.second = SecondImm;     // for the address; the word read replaces it
          op_o.from   = FromSecond;
        end
        OP_MVP: begin
          op_o.second = SecondZero;
          op_o.other  = 1'b1;
        end
        OP_RCV: begin
          first_o   = StReceive;
          op_o.from = FromSecond;
        end
        OP_SND:  first_o = StVector;
        OP_BEQ:  op_o.go = GoZero;
        OP_BNE:  op_o.go = GoNonzero;
        OP_BLT:  op_o.go = GoBorrow;
        OP_BGE:  op_o.go = GoNoBorrow;
        OP_DBNZ: begin
          op_o.second = SecondOne;
          op_o.go     = GoNonzero;
        end
        OP_JAL: begin
          op_o.from   = FromSecond;
          op_o.second = SecondNext;
          op_o.go     = GoAlways;
        end
        OP_JR:   op_o.go = GoTo;
        OP_FORK: first_o = StFork;
        OP_JOIN: first_o = StJoin;
        OP_HALT: first_o = StHalt;
        default: if (op[5]) first_o = StVector;
      endcase
      op_o.write = (~op[4] & (op != OP_CSRW)) | (op == OP_DBNZ) | (op == OP_JAL);
      if (bad_instr || bad_color) first_o = StHalt;
    end
  end

endmodule
