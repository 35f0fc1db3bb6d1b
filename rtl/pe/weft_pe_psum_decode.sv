// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The common part of the beats of psum's vector instructions.
///
/// Addresses, counters, and the phases of vr are in the sequencer. Latency: none; outputs mean nothing without valid_i.
`include "weft_check.svh"

module weft_pe_psum_decode
  import weft_isa_pkg::*;
  import weft_num_pkg::*;
  import weft_pe_pkg::*;
  import weft_pe_seq_pkg::*;
(
  input  logic         valid_i,
  input  logic [31:0]  instr_i,
  output psum_state_e  first_o,
  /// Each beat takes words from the stream: two, or (vb) one for two lanes.
  output logic         in_o,
  output beat_t        beat_o
);

  always_comb begin
    beat_o = '0;
    first_o = PsIdle;
    in_o   = 1'b0;
    `WEFT_IF_ANY(valid_i) begin
      case (opcode(instr_i))
        OP_VS: begin
          first_o             = PsVs;
          in_o                = vpsum_in(instr_i);
          beat_o.read.c_one   = 1'b1;
          beat_o.finish.d_one = 1'b1;
          beat_o.read.c_re    = ~(in_o & (vpsum_vsop(instr_i) == VSOP_MOV));
          beat_o.lanes.c      = beat_o.read.c_re ? BeatCReg : BeatCZero;
          beat_o.lanes.use_x  = in_o;
          if (!in_o) beat_o.lanes.op = LaneMovC;
          else if (vpsum_vsop(instr_i) == VSOP_MAX) beat_o.lanes.op = LaneMax;
          else if (vpsum_vsop(instr_i) == VSOP_MOV) beat_o.lanes.op = LaneMovX;
          else beat_o.lanes.op = LaneAdd;
          beat_o.select.a     = BeatAStream;
          beat_o.finish.dest  = (vpsum_d(instr_i) == VSD_R) ? DestReg : (vpsum_d(instr_i) == VSD_M) ? DestMem : DestNone;
          beat_o.finish.sends = {vpsum_out(instr_i), 1'b0};
        end
        OP_VB: begin
          first_o             = PsVb;
          in_o                = vpsum_in(instr_i);
          beat_o.read.m_re    = ~in_o;
          beat_o.select.a     = in_o ? BeatAStream : BeatAMem;
          beat_o.lanes.c      = BeatCNegZero;
          beat_o.lanes.op     = LaneAdd;
          beat_o.lanes.early  = vpsum_out(instr_i);
          beat_o.finish.early = vpsum_out(instr_i);
          beat_o.finish.dest  = DestMem;
          beat_o.finish.sends = {vpsum_out(instr_i), 1'b0};
        end
        OP_VR: first_o = PsVrWait;
        OP_SND: begin
          first_o             = PsSnd;
          beat_o.select.a     = BeatAStream;
          beat_o.lanes.use_x  = 1'b1;
          beat_o.lanes.op     = LaneMovX;
          beat_o.finish.sends = 2'd1;
        end
        default: begin
          first_o          = PsLd;
          beat_o.read.m_re = 1'b1;
          beat_o.select.ld = 1'b1;
        end
      endcase
      beat_o.finish.cout = (opcode(instr_i) == OP_SND) ? scalar_color(instr_i) : vpsum_cout(instr_i);
    end
  end

endmodule
