/// Single moves of a PE, for debuggers: the loop of run() with a return after each move.
#include "sw/machine/register_step.hpp"
#include "verif/model/pe/pe.hpp"

namespace weft::model {

/// As the instruction's own function, but of a sequence of register instructions it executes only the first.
Outcome Pe::one(Thread& t) {
  const Decoded& decoded = machine.program[t.pc];
  if (!decoded.registers[t.id]) return decoded.step[t.id](machine, t, decoded);
  if (++machine.work.steps > kRunaway) machine.fail(t.pc, "runs in an endless loop");
  t.pc = static_cast<std::uint16_t>(machine::register_step(decoded.in, t.r, t.csr, t.pc & InstructionMemory::kMask));
  return Outcome::Done;
}

bool Pe::move(ModelMove& moved) {
  const bool psum_ran = machine.psum.running;
  const auto did = [&](const Thread& t, ModelMove::What what, unsigned pc = 0) {
    moved.what = what;
    moved.did = static_cast<std::uint16_t>(pc & InstructionMemory::kMask);
    moved.ends = what == ModelMove::What::Part && !t.op.busy;
    moved.thread = t.id;
    const bool stepped = what != ModelMove::What::Part;
    moved.arrives[Thread::kMain] = machine.main.running && stepped && t.is_main();
    moved.arrives[Thread::kPsum] = machine.psum.running && stepped && (!t.is_main() || !psum_ran);
    moved.pc[Thread::kMain] = machine.main.pc & InstructionMemory::kMask;
    moved.pc[Thread::kPsum] = machine.psum.pc & InstructionMemory::kMask;
    any_ = true;
    sequenced_ = what == ModelMove::What::Part;
    return true;
  };
  for (;;) {
    Thread& t = psum_next_ ? machine.psum : machine.main;
    if (t.op.busy && !sequenced_) {
      const std::uint64_t beats = machine.work.beats;
      machine.work.moved = false;
      sequence(t.op);
      moved.beats = machine.work.beats - beats;
      if (machine.work.moved) return did(t, ModelMove::What::Part, t.op.pc);
    }
    if (t.running) {
      const unsigned pc = t.pc;
      if (one(t) == Outcome::Done) return did(t, ModelMove::What::Instruction, pc);
    } else if (t.is_main() && take_command()) {
      return did(t, ModelMove::What::Command);
    }
    sequenced_ = false;
    psum_next_ = !psum_next_;
    if (psum_next_) continue;
    if (!any_) return false;
    any_ = false;
  }
}

}  // namespace weft::model
