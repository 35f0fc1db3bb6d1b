// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The types that the scalar core's stages exchange (docs/reference/pe.md, Scalar instructions).
/* verilator lint_off UNUSEDPARAM */  // no module uses all of a package
package weft_pe_scalar_pkg;

  /// State of a thread. Decode leads to the first state of its instruction. States that want the adder begin with 01,
  /// states that ask the sequencer with 100.
  typedef enum logic [3:0] {
    StHalted  = 4'd0,
    StFetch   = 4'd1,
    StDecode  = 4'd2,
    StHalt    = 4'd3,   // executes halt, or an illegal instruction
    StQuick   = 4'd4,   // arithmetic, branches, control registers: takes the adder
    StAddress = 4'd5,   // ld: takes the adder for its address
    StWrite   = 4'd6,   // ld, rcv: uses the adder's path to write its word
    StVector  = 4'd8,   // asks the thread's sequencer
    StAsk     = 4'd9,   // ld: asks the sequencer, too
    StWord    = 4'd10,  // ld: waits for its word
    StReceive = 4'd11,  // rcv: waits for its word
    StFork    = 4'd12,
    StJoin    = 4'd13
  } state_e;

  /// Source of a result.
  typedef enum logic [2:0] {
    FromSum    = 3'd0,
    FromShift  = 3'd1,
    FromAnd    = 3'd4,
    FromOr     = 3'd5,
    FromXor    = 3'd6,
    FromSecond = 3'd7
  } from_e;

  /// The second operand.
  typedef enum logic [2:0] {
    SecondZero = 3'd0,
    SecondReg  = 3'd1,
    SecondImm  = 3'd2,
    SecondOne  = 3'd3,
    SecondCsr  = 3'd4,
    SecondNext = 3'd5   // the address of the next instruction
  } second_e;

  /// Condition on which the program branches to the target.
  typedef enum logic [2:0] {
    GoNever   = 3'd0,
    GoZero    = 3'd1,  // a - b is 0
    GoNonzero = 3'd2,
    GoBorrow  = 3'd3,  // a < b, unsigned
    GoNoBorrow = 3'd4,
    GoAlways  = 3'd5,
    GoTo      = 3'd6   // always, to the address in register a
  } go_e;

  /// An instruction, decoded.
  typedef struct packed {
    logic    bad_instr;
    logic    bad_color;
    from_e   from;
    second_e second;
    logic    subtract;
    logic    left;       // shift
    go_e     go;
    logic    write;      // a quick instruction writes register rd
    logic    other;      // ... of psum, though it is main's (mvp)
    logic    csr_write;
    logic [3:0] rd;
  } scalar_op_t;

  /// State of a thread, for counters, reports and the debug chain.
  typedef struct packed {
    state_e      state;
    logic [9:0]  here;  // address of the instruction in execute
    logic [9:0]  next;  // address of the next one
    logic [15:0] b;     // second operand of the last instruction, or what ld read
  } thread_t;

endpackage
/* verilator lint_on UNUSEDPARAM */
