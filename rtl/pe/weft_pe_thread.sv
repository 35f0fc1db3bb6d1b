// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// State of one thread of the scalar core, and the instruction it executes (pe_scalar).
///
/// ```
///              ┌─────────────────────────────── quick_i ◄─┐
///              ▼                                          │
///   Fetch ─► Decode ─┬─► Quick ───────────────────────────┤
///     ▲              ├─► Address ─ quick_i ─► Ask ─ taken_i ─► Word ─ word_valid_i ─► Write
///     │              ├─► Receive ─ word_valid_i ─► Write ─┘
///     ├── taken_i ◄──┼── Vector
///     ├─── done_i ◄──┼── Fork, Join
///     └── start_i ◄──┼── Halted
///                    └─► Halt ─► Halted          (and Quick, if refused_i)
/// ```
///
/// A quick instruction ends when it gets the adder (quick_i); its successor's address is on the instruction memory's
/// port in the same cycle. Any other instruction ends when it is done, and its successor is fetched later. ld uses the
/// adder for its address, asks the sequencer, and waits for its word; rcv waits for its word; both then write the word
/// like a quick instruction.
///
/// `halt_i` stops the thread before its next instruction: it stays in Fetch. There, and while the thread is halted,
/// `inject_i` leads to Decode, of whatever word_i is then. `give_up_i` halts the thread in any state
/// (docs/reference/debug_chain.md).
///
/// pc_o is the address to fetch in Fetch, of the word in Decode, and of the successor while one executes.
`include "weft_check.svh"

module weft_pe_thread
  import weft_pe_scalar_pkg::*;
#(
  parameter int unsigned PcBits = 10
) (
  input  logic              clk_i,
  input  logic              rst_i,
  // while halted
  input  logic              start_i,
  input  logic [PcBits-1:0] start_pc_i,
  // the debug chain
  input  logic              halt_i,
  input  logic              inject_i,
  input  logic              give_up_i,
  // fetch, not while halt_i
  input  logic              fetched_i,
  output logic [PcBits-1:0] pc_o,
  input  logic [PcBits-1:0] pc_next_i,     // pc_o + 1, in Decode
  // decode
  input  state_e            first_i,
  input  scalar_op_t        op_i,
  input  logic [31:0]       word_i,
  input  logic [15:0]       a_i,
  input  logic [15:0]       b_i,
  // execute
  output state_e            state_o,
  output scalar_op_t        op_o,          // operation that executes, or executed last
  output logic [31:0]       word_o,
  output logic [15:0]       a_o,
  output logic [15:0]       b_o,
  output logic              quick_o,       // wants the adder
  input  logic              quick_i,       // has it
  input  logic [15:0]       sum_i,
  input  logic [PcBits-1:0] target_i,      // the successor of a quick instruction
  input  logic              taken_i,       // the sequencer takes the request
  input  logic              word_valid_i,  // the word of ld or rcv
  input  logic [15:0]       word_data_i,
  input  logic              done_i,        // the condition of fork or join holds
  input  logic              refused_i,     // the quick instruction is illegal at this moment
  //
  output logic [PcBits-1:0] here_o,        // the instruction that executes, or did last
  output logic              step_o         // this clock edge changes something
);

  state_e            state_q, state_d;
  scalar_op_t        op_q;
  logic [PcBits-1:0] pc_q, here_q;
  logic [31:0]       word_q;
  logic [15:0]       a_q, b_q;
  logic              ends;

  assign quick_o = state_q[3:2] == StQuick[3:2];  // or StAddress, StWrite
  assign ends    = quick_i & (state_q != StAddress);

  always_comb begin
    state_d = state_q;
    case (state_q)
      StHalted:         if (inject_i) state_d = StDecode; else if (start_i) state_d = StFetch;
      StFetch:          if (fetched_i || inject_i) state_d = StDecode;
      StDecode:         state_d = first_i;
      StHalt:           state_d = StHalted;
      StQuick, StWrite: if (refused_i) state_d = StHalted; else if (quick_i) state_d = halt_i ? StFetch : StDecode;
      StAddress:        if (quick_i) state_d = StAsk;
      StVector:         if (taken_i) state_d = StFetch;
      StAsk:            if (taken_i) state_d = StWord;
      StWord:           if (word_valid_i) state_d = StWrite;
      StReceive:        if (word_valid_i) state_d = StWrite;
      default:          if (done_i) state_d = StFetch;  // fork, join
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || give_up_i) state_q <= StHalted;
    else state_q <= state_d;
  end

  // Registers change only together with the state. Reads come before writes.
  always_ff @(posedge clk_i) begin
    `WEFT_IF_ANY(step_o) begin
      if (state_q == StDecode) begin
        here_q <= pc_q;
        op_q   <= op_i;
        word_q <= word_i;
        a_q    <= a_i;
        b_q    <= b_i;
      end
      if (state_q == StAddress && quick_i) a_q <= sum_i;
      if (word_valid_i) b_q <= word_data_i;
      if (start_i) pc_q <= start_pc_i;
      else if (state_q == StDecode) pc_q <= pc_next_i;
      else if (ends) pc_q <= target_i;
    end
  end

  assign state_o = state_q;
  assign pc_o    = pc_q;
  assign op_o    = op_q;
  assign word_o  = word_q;
  assign a_o     = a_q;
  assign b_o     = b_q;
  assign here_o  = here_q;
  assign step_o  = state_d != state_q;

  `WEFT_ASSUME(StartsOnlyWhileHalted, !start_i || state_q == StHalted)
  `WEFT_ASSUME(AdderOnlyIfAskedFor, !quick_i || quick_o)
  `WEFT_ASSUME(WordsAreAskedFor, !word_valid_i || state_q == StWord || state_q == StReceive)

endmodule
