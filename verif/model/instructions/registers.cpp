/// The instructions that touch nothing but their thread's registers and pc.
#include "verif/model/instructions/registers.hpp"

#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

Outcome registers(Machine& m, Thread& t, const Decoded&) {
  const Decoded* const program = &m.program[0];
  const int id = t.id;
  int pc = t.pc & InstructionMemory::kMask;
  std::uint64_t steps = m.work.steps;
  for (; program[pc].registers[id]; pc = register_step(program[pc].in, t.r, t.csr, pc))
    if (++steps > kRunaway) m.fail(static_cast<std::uint16_t>(pc), "runs in circles without end");
  m.work.steps = steps;
  t.pc = static_cast<std::uint16_t>(pc);
  return Outcome::Done;
}

}  // namespace weft::model
