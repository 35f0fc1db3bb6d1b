// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Next state of main's sequencer when its candidate issues or, while there is none, when a weight or a group arrives
/// (pe_main_seq). No state; outputs follow from registers, so they are ready before it is known whether the candidate
/// issues.
module weft_pe_main_fsm
  import weft_pe_seq_pkg::*;
(
  input  main_state_e state_i,
  input  logic        last_i,         // the last words of the vector; interleaved, of all vectors
  input  logic        weight_ends_i,  // vaxs: the last words of the weight's vector
  input  logic        fetch_i,        // the candidate only fetches what it reads
  // vf
  input  logic        last_row_i,     // the last repetition
  // vaxs
  input  logic        weight_i,       // the next weight, or the end of the stream, has arrived
  input  logic        first_i,        // ... and is the instruction's first one
  // vdot
  input  logic        group_empty_i,
  input  logic        group_last_i,   // the last group
  input  logic        last_index_i,
  //
  output main_state_e after_o,
  output move_e       move_o,
  /// The instruction ends with this step.
  output logic        ends_o
);

  function automatic move_e weight();
    return (last_i | first_i) ? MoveWeight : MoveInterleave;
  endfunction

  always_comb begin
    after_o = state_i;
    move_o  = MoveNext;
    ends_o  = 1'b0;
    case (state_i)
      MsVf: if (last_i) begin
        move_o  = MoveRow;
        ends_o  = last_row_i;
      end
      MsVaxsWait: begin
        after_o = MsVaxs;
        move_o  = weight();
      end
      MsVaxs: if (weight_ends_i) begin
        after_o = weight_i ? MsVaxs : MsVaxsWait;
        move_o  = weight();
        if (~weight_i) move_o = MoveStay;  // the accumulators advance with the weight
      end
      MsVcr: begin
        after_o = MsVcrReset;
        move_o  = MoveStay;
      end
      MsVcrReset: begin
        after_o = MsVcr;
        ends_o  = last_i;
      end
      MsVdotWait: begin
        after_o = group_empty_i ? MsVdotWait : MsVdot;
        move_o  = MoveGroup;
        ends_o  = group_empty_i & group_last_i;
      end
      MsVdot: begin
        after_o = (last_i && last_index_i) ? MsVdotWait : MsVdot;
        move_o  = last_index_i ? MoveColumn : MoveIndex;
        ends_o  = last_i & last_index_i & group_last_i;
      end
      MsLd:    ends_o = 1'b1;
      default: ;
    endcase
    if (fetch_i) begin
      after_o = state_i;
      move_o  = MoveStay;
      ends_o  = 1'b0;
    end
  end

endmodule
