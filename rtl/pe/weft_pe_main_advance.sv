// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Step condition of main's sequencer: the sequencer takes a step when its candidate issues or, while there is no
/// candidate, when a weight or a group arrives. pe_main_fsm selects the next state. No state.
module weft_pe_main_advance
  import weft_pe_seq_pkg::*;
(
  input  main_state_e state_i,
  input  logic        issue_i,       // the candidate issues
  input  logic        weight_ends_i, // vaxs: the last words of the weight's vector
  input  logic        ends_i,        // the step ends the instruction
  // vaxs
  input  logic        weight_i,      // the next weight, or the end of the stream, has arrived and need not wait
  input  logic        weight_cr_i,   // ... the end of the stream
  // vdot
  input  logic        group_i,       // the next group has arrived and need not wait
  input  logic        group_take_i,  // a list takes the next index
  //
  output logic        alone_o,       // a step without a beat
  output logic        weight_take_o,
  output logic        done_o         // the instruction is done
);

  always_comb begin
    alone_o       = 1'b0;
    weight_take_o = 1'b0;
    done_o        = issue_i & ends_i;
    case (state_i)
      MsVaxsWait: begin
        alone_o       = weight_i;
        weight_take_o = alone_o;
        done_o        = alone_o & weight_cr_i;
      end
      MsVaxs: begin
        weight_take_o = weight_i & issue_i & weight_ends_i;
        done_o        = weight_take_o & weight_cr_i;
      end
      MsVdotWait: begin
        alone_o       = group_i;
        weight_take_o = group_take_i;
        done_o        = alone_o & ends_i;
      end
      MsVdot: weight_take_o = group_take_i;
      default: ;
    endcase
  end

endmodule
