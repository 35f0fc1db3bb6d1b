/// Where one thread of the scalar core is, and what it executes (pe_scalar).
///
/// ```
///            ┌──────────────── quick_i ────────────────┐
///            ▼                                         │
///   Halted ─► Fetch ─fetched_i─► Decode ─► Execute ────┤
///      ▲        ▲                             │        │
///      │        └─────────── done_i ──────────┘        │
///      └───────────────────── halt ────────────────────┘
/// ```
///
/// A quick instruction (one that never waits) goes when it gets the adder: quick_i; its successor's address is on the
/// instruction memory's port in the same cycle. Any other goes when it is done (done_i), and its successor is fetched
/// later. ld uses the adder for its address, asks the sequencer, and waits for its word; rcv waits for its word; both then
/// write it like a quick instruction.
///
/// pc_o is the address to fetch in Fetch, of the word in Decode, and of the successor in Execute.
`include "weft_check.svh"

module pe_thread
  import pe_scalar_pkg::*;
#(
  parameter int unsigned PcBits = 10
) (
  input  logic              clk_i,
  input  logic              rst_i,
  // while halted
  input  logic              start_i,
  input  logic [PcBits-1:0] start_pc_i,
  // fetch
  output logic              fetch_o,
  input  logic              fetched_i,
  output logic [PcBits-1:0] pc_o,
  input  logic [PcBits-1:0] pc_next_i,     // pc_o + 1, in Decode
  // decode
  output logic              decode_o,
  input  scalar_op_t        op_i,
  input  logic [31:0]       word_i,
  input  logic [15:0]       a_i,
  input  logic [15:0]       b_i,
  // execute
  output scalar_op_t        op_o,          // in any other state: UnitHalt
  output logic [31:0]       word_o,
  output logic [15:0]       a_o,
  output logic [15:0]       b_o,
  output logic              quick_o,       // wants the adder
  output logic              last_o,        // and ends with it
  input  logic              quick_i,       // has it
  input  logic [15:0]       sum_i,
  input  logic [PcBits-1:0] target_i,      // the successor of a quick instruction
  output logic              ask_o,         // has something for its sequencer
  input  logic              taken_i,       // which takes it
  output logic              word_wait_o,   // ld or rcv waits for its word
  input  logic              word_valid_i,
  input  logic [15:0]       word_data_i,
  input  logic              done_i,        // what fork and join wait for is there
  input  logic              refused_i,     // the instruction is illegal here and now
  //
  output logic              active_o,
  output logic [PcBits-1:0] here_o,        // the instruction it is at, for traces
  output logic              step_o
);

  typedef enum logic [1:0] {
    Halted  = 2'd0,
    Fetch   = 2'd1,
    Decode  = 2'd2,
    Execute = 2'd3
  } state_e;

  // Of ld and rcv: ld's address, ld's question, the word, its write.
  typedef enum logic [1:0] {
    Address = 2'd0,
    Ask     = 2'd1,
    Wait    = 2'd2,
    Write   = 2'd3
  } phase_e;

  state_e            state_q;
  phase_e            phase_q;
  scalar_op_t        op_q;
  logic [PcBits-1:0] pc_q, here_q;
  logic [31:0]       word_q;
  logic [15:0]       a_q, b_q;
  logic              execute, halt, finished;

  logic              takes_word, ends;

  assign execute    = state_q == Execute;
  assign takes_word = (op_q.unit == UnitLd) | (op_q.unit == UnitRcv);
  assign ends       = quick_i & last_o;

  always_comb begin
    op_o        = op_q;
    if (!execute) begin
      op_o.unit      = UnitHalt;
      op_o.bad_instr = 1'b0;
      op_o.bad_color = 1'b0;
    end
    quick_o     = 1'b0;
    ask_o       = 1'b0;
    word_wait_o = 1'b0;
    last_o      = 1'b0;
    if (execute) begin
      quick_o     = (op_q.unit == UnitQuick) | (takes_word & ((phase_q == Address) | (phase_q == Write)));
      last_o      = (op_q.unit == UnitQuick) | (phase_q == Write);
      ask_o       = (op_q.unit == UnitVector) | (takes_word & (phase_q == Ask));
      word_wait_o = takes_word & (phase_q == Wait);
    end
  end

  assign halt     = execute & ((op_q.unit == UnitHalt) | refused_i);
  assign finished = (op_q.unit == UnitVector) ? execute & taken_i : execute & done_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= Halted;
    end else begin
      case (state_q)
        Halted:  if (start_i) state_q <= Fetch;
        Fetch:   if (fetched_i) state_q <= Decode;
        Decode:  state_q <= Execute;
        default: begin
          if (halt) state_q <= Halted;
          else if (finished) state_q <= Fetch;
          else if (ends) state_q <= Decode;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) pc_q <= start_pc_i;
    else if (decode_o) pc_q <= pc_next_i;
    else if (ends) pc_q <= target_i;
  end

  always_ff @(posedge clk_i) begin
    if (decode_o) begin
      here_q <= pc_q;
      op_q   <= op_i;
      word_q <= word_i;
      phase_q <= (op_i.unit == UnitRcv) ? Wait : Address;
      a_q    <= a_i;
      b_q    <= b_i;
    end else if (execute && takes_word) begin
      if (quick_i) a_q <= sum_i;
      if (word_wait_o && word_valid_i) b_q <= word_data_i;
      if (quick_i && phase_q == Address) phase_q <= Ask;
      if (ask_o && taken_i) phase_q <= Wait;
      if (word_wait_o && word_valid_i) phase_q <= Write;
    end
  end

  assign fetch_o  = state_q == Fetch;
  assign decode_o = state_q == Decode;
  assign pc_o     = pc_q;
  assign word_o   = word_q;
  assign a_o      = a_q;
  assign b_o      = b_q;
  assign here_o   = execute ? here_q : pc_q;
  assign active_o = state_q != Halted;
  assign step_o   = start_i | fetch_o | decode_o | quick_i | halt | finished | (ask_o & taken_i) | (word_wait_o & word_valid_i);

  `WEFT_ASSUME(StartsOnlyWhileHalted, !start_i || state_q == Halted)
  `WEFT_ASSUME(AdderOnlyIfAskedFor, !quick_i || quick_o)

endmodule
