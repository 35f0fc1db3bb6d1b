/// The instructions that touch nothing but their thread's registers and pc.
#include "verif/model/instructions/registers.hpp"

#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

Outcome registers(Machine& m, Thread& t, const Decoded&) {
  int pc = t.pc & InstructionMemory::kMask;
  std::uint64_t steps = m.work.steps;
  for (const Decoded* d = &m.program[pc]; d->registers[t.id]; d = &m.program[pc]) {
    if (++steps > kRunaway) m.fail(static_cast<std::uint16_t>(pc), "runs in circles without end");
    pc = register_step(d->in, t.r, t.csr, pc);
  }
  m.work.steps = steps;
  t.pc = static_cast<std::uint16_t>(pc);
  return Outcome::Done;
}

}  // namespace weft::model
