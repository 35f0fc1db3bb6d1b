// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Stall reasons: exactly one for each thread and cycle, or that the thread issues (docs/explanation/stalls.md). No
/// state.
///
/// Depends on registers of the PE alone, not on its inputs: while the PE sleeps, reasons stay as they are.
`include "weft_check.svh"

module weft_pe_stall_reason
  import weft_isa_pkg::*;
  import weft_pe_scalar_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_i,
  // main: its core, its sequencer, its candidate
  input  state_e  main_state_i,
  input  logic    main_idle_i,     // the sequencer has nothing to do
  input  logic    main_beat_i,     // there is a candidate
  input  logic    main_issue_i,
  input  logic    main_hold_i,     // the candidate waits for beats in flight,
  input  logic    main_table_i,    // and for table functions
  input  logic    main_handoff_i,  // there is no candidate, for lack of a handoff,
  input  logic    main_weight_i,   // or of a message of W
  // psum
  input  state_e  psum_state_i,
  input  logic    psum_idle_i,
  input  logic    psum_beat_i,
  input  logic    psum_issue_i,
  input  logic    psum_credit_i,   // no room in the out queue
  input  logic    psum_table_i,
  input  logic    psum_handoff_i,
  // beats in flight
  input  logic    in_flight_i,
  input  logic    psum_in_flight_i,
  //
  output stall_e  main_o,
  output stall_e  psum_o
);

  logic psum_active, psum_works;
  assign psum_active = psum_state_i != StHalted;
  assign psum_works  = psum_active | ~psum_idle_i | psum_in_flight_i;

  always_comb begin
    if (!main_idle_i) begin
      if (main_issue_i)        main_o = STALL_ISSUED;
      else if (main_beat_i)    main_o = main_table_i ? STALL_TABLE : main_hold_i ? STALL_HAZARD : STALL_OTHER;
      else if (main_handoff_i) main_o = STALL_HANDOFF;
      else if (main_weight_i)  main_o = STALL_WEIGHT;
      else                     main_o = STALL_HAZARD;  // vdot: the entry of dy is in flight
    end else begin
      case (main_state_i)
        StHalted: main_o = psum_works ? STALL_JOIN : in_flight_i ? STALL_HAZARD : STALL_COMMAND;
        StFork:   main_o = psum_active ? STALL_JOIN : STALL_SCALAR;
        StJoin:   main_o = psum_works ? STALL_JOIN : STALL_SCALAR;
        StWord:   main_o = STALL_MEMORY;
        default:  main_o = STALL_SCALAR;
      endcase
    end
  end

  always_comb begin
    if (!psum_idle_i) begin
      if (psum_issue_i)     psum_o = STALL_ISSUED;
      else if (psum_beat_i) psum_o = psum_credit_i ? STALL_CREDIT : psum_table_i ? STALL_TABLE : STALL_HAZARD;
      else                  psum_o = psum_handoff_i ? STALL_HANDOFF : STALL_PSUM;
    end else begin
      case (psum_state_i)
        StHalted:  psum_o = STALL_ASLEEP;
        StWord:    psum_o = STALL_MEMORY;
        StReceive: psum_o = STALL_PSUM;
        default:   psum_o = STALL_SCALAR;
      endcase
    end
  end

  `WEFT_ASSERT(OneThreadIssues, !(main_o == STALL_ISSUED && psum_o == STALL_ISSUED))
  `WEFT_ASSERT(IssuedIsWhatIssues, (main_o == STALL_ISSUED) == main_issue_i && (psum_o == STALL_ISSUED) == psum_issue_i)
  `WEFT_ASSERT(OtherMeansPsumIssued, main_o != STALL_OTHER || psum_o == STALL_ISSUED)

endmodule
