/// Instructions that use only their thread's registers and pc. Main's csrw to IDX is csrw_idx (scalar.cpp), because
/// each lockstep column may have its own value.
#include "sw/machine/register_step.hpp"
#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

namespace {

/// Executes instructions while some registers hold per-column values.
Outcome settle_registers(Machine& m, Thread& t) {
  for (; m.per_column.registers();) {
    const Decoded& decoded = m.program[t.pc];
    if (!decoded.registers[t.id]) return Outcome::Done;
    const machine::RegisterUse used = machine::register_use(decoded.in);
    if (const Outcome same = m.settle(t, used.reads); same != Outcome::Done) return same;
    if (++m.work.steps > kRunaway) m.fail(t.pc, "runs in an endless loop");
    t.pc = static_cast<std::uint16_t>(machine::register_step(decoded.in, t.r, t.csr, t.pc & InstructionMemory::kMask));
    m.per_column.drop(used.writes);
  }
  return Outcome::Done;
}

}  // namespace

Outcome registers(Machine& m, Thread& t, const Decoded&) {
  if (t.is_main() && m.per_column.registers())
    if (const Outcome outcome = settle_registers(m, t); outcome != Outcome::Done) return outcome;
  const Decoded* const program = &m.program[0];
  const int id = t.id;
  int pc = t.pc & InstructionMemory::kMask;
  std::uint64_t steps = m.work.steps;
  while (program[pc].registers[id]) {
    const isa::Instr& in = program[pc].in;
    if (++steps > kRunaway) m.fail(static_cast<std::uint16_t>(pc), "runs in an endless loop");
    if (in.op == isa::Opcode::Dbnz)  // ends nearly every loop
      pc = machine::dbnz_step(in, t.r, pc);
    else
      pc = machine::register_step(in, t.r, t.csr, pc);
  }
  m.work.steps = steps;
  t.pc = static_cast<std::uint16_t>(pc);
  return Outcome::Done;
}

}  // namespace weft::model
