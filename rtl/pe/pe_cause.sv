/// Stall reasons: exactly one cause for each thread and cycle, or that the thread issues (docs/stalls.md). No state.
///
/// Depends on registers of the PE alone, not on its inputs: while the PE sleeps, causes stay as they are.
`include "weft_check.svh"

module pe_cause
  import isa_pkg::*;
  import pe_scalar_pkg::*;
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
  input  logic    flying_i,
  input  logic    psum_flying_i,
  //
  output cause_e  main_o,
  output cause_e  psum_o
);

  logic psum_active, psum_works;
  assign psum_active = psum_state_i != StHalted;
  assign psum_works  = psum_active | ~psum_idle_i | psum_flying_i;

  always_comb begin
    if (!main_idle_i) begin
      if (main_issue_i)        main_o = CAUSE_ISSUED;
      else if (main_beat_i)    main_o = main_table_i ? CAUSE_TABLE : main_hold_i ? CAUSE_HAZARD : CAUSE_OTHER;
      else if (main_handoff_i) main_o = CAUSE_HANDOFF;
      else if (main_weight_i)  main_o = CAUSE_WEIGHT;
      else                     main_o = CAUSE_HAZARD;  // vdot: the entry of dy is in flight
    end else begin
      case (main_state_i)
        StHalted: main_o = psum_works ? CAUSE_JOIN : flying_i ? CAUSE_HAZARD : CAUSE_COMMAND;
        StFork:   main_o = psum_active ? CAUSE_JOIN : CAUSE_SCALAR;
        StJoin:   main_o = psum_works ? CAUSE_JOIN : CAUSE_SCALAR;
        StWord:   main_o = CAUSE_MEMORY;
        default:  main_o = CAUSE_SCALAR;
      endcase
    end
  end

  always_comb begin
    if (!psum_idle_i) begin
      if (psum_issue_i)     psum_o = CAUSE_ISSUED;
      else if (psum_beat_i) psum_o = psum_credit_i ? CAUSE_CREDIT : psum_table_i ? CAUSE_TABLE : CAUSE_HAZARD;
      else                  psum_o = psum_handoff_i ? CAUSE_HANDOFF : CAUSE_PSUM;
    end else begin
      case (psum_state_i)
        StHalted:  psum_o = CAUSE_ASLEEP;
        StWord:    psum_o = CAUSE_MEMORY;
        StReceive: psum_o = CAUSE_PSUM;
        default:   psum_o = CAUSE_SCALAR;
      endcase
    end
  end

  `WEFT_ASSERT(OneThreadIssues, !(main_o == CAUSE_ISSUED && psum_o == CAUSE_ISSUED))
  `WEFT_ASSERT(IssuedIsWhatIssues, (main_o == CAUSE_ISSUED) == main_issue_i && (psum_o == CAUSE_ISSUED) == psum_issue_i)
  `WEFT_ASSERT(OtherMeansPsumIssued, main_o != CAUSE_OTHER || psum_o == CAUSE_ISSUED)

endmodule
