// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Status of main's sequencer for counters, debuggers and traces: the kind of its instruction, and the reasons of its
/// wait. No state.
module weft_pe_main_status
  import weft_pe_pkg::*;
  import weft_pe_seq_pkg::*;
(
  input  main_state_e state_i,
  input  logic        weight_i,    // the next weight, or the end of the stream, has arrived,
  input  logic        cr_waits_i,  // but is the end of the stream, and waits for room in MP
  input  logic        group_i,     // vdot: the next group has arrived
  input  logic        mp_room_i,
  input  logic        pm_valid_i,
  output main_mode_e  mode_o,
  output main_wait_t  wait_o
);

  always_comb begin
    case (state_i)
      MsVf:               mode_o = MainVf;
      MsVaxsWait, MsVaxs: mode_o = MainVaxs;
      MsVcr, MsVcrReset:  mode_o = MainVcr;
      MsVdotWait, MsVdot: mode_o = MainVdot;
      MsLd:               mode_o = MainLd;
      default:            mode_o = MainIdle;
    endcase
  end

  always_comb begin
    wait_o.weight = (state_i == MsVaxsWait) | (state_i == MsVdotWait);
    case (state_i)
      MsVdotWait:        wait_o.handoff = ~(mp_room_i & pm_valid_i);
      MsVaxsWait:        wait_o.handoff = weight_i & cr_waits_i;
      MsVcr, MsVcrReset: wait_o.handoff = ~mp_room_i;
      default:           wait_o.handoff = 1'b0;
    endcase
    wait_o.lacks_w = wait_o.weight & ~((state_i == MsVaxsWait) ? weight_i : group_i);
  end

endmodule
