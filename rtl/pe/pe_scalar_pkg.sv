/// What the scalar core's stages tell each other (docs/pe.md, The scalar core).
/* verilator lint_off UNUSEDPARAM */  // nobody uses all of a package
package pe_scalar_pkg;

  /// Who does an instruction.
  typedef enum logic [2:0] {
    UnitHalt   = 3'd0,  // nobody: the thread halts; so do illegal instructions
    UnitQuick  = 3'd1,  // arithmetic, branches, control registers: always ready
    UnitVector = 3'd2,  // the thread's sequencer
    UnitLd     = 3'd3,  // ... which then brings a word
    UnitRcv    = 3'd4,
    UnitFork   = 3'd5,
    UnitJoin   = 3'd6
  } unit_e;

  /// Where a result comes from.
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

  /// When the program goes to the target.
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
    unit_e   unit;
    from_e   from;
    second_e second;
    logic    subtract;
    logic    left;       // shift
    go_e     go;
    logic    write;      // a quick one writes register rd
    logic    other;      // ... of psum, though it is main's (mvp)
    logic    csr_write;
    logic [3:0] rd;
  } scalar_op_t;

endpackage
/* verilator lint_on UNUSEDPARAM */
