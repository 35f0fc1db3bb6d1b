// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The common part of the beats of main's vector instructions.
///
/// Addresses, scalars and counters are in the sequencer. Latency: none; outputs mean nothing without valid_i.
`include "weft_check.svh"

module weft_pe_main_decode
  import weft_isa_pkg::*;
  import weft_num_pkg::*;
  import weft_pe_pkg::*;
(
  input  logic         valid_i,
  input  logic [31:0]  instr_i,
  output beat_t        beat_o
);

  logic two, from_memory;  // vf: two operands are vectors in memory; the second is c

  assign two         = vmain_asel(instr_i) == ASEL_MM;
  assign from_memory = two & (vmain_bsel(instr_i) != BSEL_MS);

  always_comb begin
    beat_o = '0;
    `WEFT_IF_ANY(valid_i) begin
      case (opcode(instr_i))
        OP_VF: begin
          beat_o.read.m_re  = vmain_asel(instr_i) != ASEL_S;
          beat_o.read.b_re  = vmain_bsel(instr_i) == BSEL_R;
          beat_o.read.c_re  = (vmain_csel(instr_i) == CSEL_R) & ~from_memory;
          beat_o.read.fma   = 1'b1;
          beat_o.read.n_re  = (vmain_bsel(instr_i) == BSEL_MS) | two;
          beat_o.select.a   = two ? BeatAMem : beat_a_e'(vmain_asel(instr_i));
          case (vmain_bsel(instr_i))
            BSEL_R:  beat_o.select.b = BeatBReg;
            BSEL_MS: beat_o.select.b = two ? BeatBMem : BeatBElement;
            BSEL_A:  beat_o.select.b = BeatBA;
            default: beat_o.select.b = BeatBScalar;
          endcase
          beat_o.lanes.fn   = sfu_fn_e'(2'(vmain_fn(instr_i)));
          beat_o.finish.sfu = vmain_fn(instr_i) >= FN_EXP;
          case (vmain_csel(instr_i))
            CSEL_Z:  beat_o.lanes.c = BeatCZero;
            CSEL_R:  beat_o.lanes.c = BeatCReg;
            CSEL_A:  beat_o.lanes.c = BeatCA;
            default: beat_o.lanes.c = BeatCScalar;
          endcase
          if (from_memory) beat_o.lanes.c = BeatCMem;
          case (vmain_fn(instr_i))
            FN_MAX:  beat_o.lanes.op = LaneMax;
            FN_GE:   beat_o.lanes.op = LaneGe;
            FN_SEL:  beat_o.lanes.op = LaneSel;
            default: beat_o.lanes.op = LaneAdd;
          endcase
        end
        OP_VAXS, OP_VDOT: begin
          beat_o.read.m_re = 1'b1;
          beat_o.read.c_re = 1'b1;
          beat_o.read.fma  = 1'b1;
          beat_o.select.a  = (vmain_asel(instr_i) == ASEL_OH) ? BeatAOneHot : BeatAMem;
          beat_o.read.n_re = opcode(instr_i) == OP_VDOT;
          beat_o.select.b  = (opcode(instr_i) == OP_VDOT) ? BeatBMem : BeatBScalar;
          beat_o.lanes.c   = BeatCReg;
          beat_o.lanes.op  = LaneAdd;
        end
        OP_VCR: begin
          beat_o.read.c_re = 1'b1;
          beat_o.select.a  = BeatAScalar;
          beat_o.lanes.c   = BeatCReg;
          beat_o.lanes.op  = LaneMovC;
        end
        default: begin  // ld
          beat_o.read.m_re = 1'b1;
          beat_o.select.ld = 1'b1;
        end
      endcase
      if (!beat_o.select.ld)
        beat_o.finish.dest = (opcode(instr_i) == OP_VF && vmain_dsel(instr_i) == DSEL_M) ? DestMem : DestReg;
    end
  end

endmodule
