#include "verif/model/pe/pe.hpp"

#include "verif/model/instructions/gemm_loop.hpp"
#include "verif/model/instructions/gradient_loop.hpp"
#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

bool Pe::run(bool patient) {
  patient_ = patient;
  bool any = false;
  do {
    machine.work.moved = false;
    stopped_ = nullptr;
    run(machine.main);
    run(machine.psum);
    any |= machine.work.moved;
  } while (machine.work.moved);
  return any;
}

namespace {

/// main is at a vaxs whose weights have all arrived.
bool may_be_in_gemm(const Machine& m) {
  const VectorOp& op = m.main.op;
  return m.parts && op.busy && op.in.op == isa::Opcode::Vaxs && !op.started && m.w.run(0);
}

/// main is at a vdot whose indices have all arrived.
bool may_be_in_gradient(const Machine& m) {
  const VectorOp& op = m.main.op;
  return m.parts && op.busy && op.in.op == isa::Opcode::Vdot && m.w.run(0);
}

/// Instructions that may run while dot products are deferred: they use R only through the dot products.
bool leaves_dots(isa::Opcode op) { return op == isa::Opcode::Vdot || op == isa::Opcode::Vr || op == isa::Opcode::Vb; }

}  // namespace

void Pe::run(Thread& t) {
  for (;;) {
    if (t.is_main() && may_be_in_gemm(machine) && run_gemm() && patient_) return;
    if (t.is_main() && may_be_in_gradient(machine)) run_gradient();
    if (t.op.busy) sequence(t.op);
    if (t.running) {
      const Decoded& decoded = machine.program[t.pc];
      const Outcome outcome = decoded.step[t.id](machine, t, decoded);
      if (outcome == Outcome::NotInLockstep) stopped_ = t.waits;
      if (outcome != Outcome::Done) return;
    } else if (!t.is_main() || !take_command()) {
      return;
    }
    machine.work.moved = true;
  }
}

/// Executes outputs of a GEMM as long as both threads have what they need. Returns true if the next output lacks only
/// its partial sum.
bool Pe::run_gemm() {
  catch_up(machine);
  for (;;) {
    if (machine.mp.any() || !machine.psum.op.busy) run(machine.psum);
    const GemmRun ran = gemm_loop(machine);
    if (ran.waits_for_sum || ran.outputs == 0 || !may_be_in_gemm(machine)) return ran.waits_for_sum;
  }
}

/// Executes outputs of a gradient pass as long as both threads have what they need.
void Pe::run_gradient() {
  if (machine.products.any()) add_products(machine);
  do {
    if (!reach_reduction()) run(machine.psum);
  } while (gradient_output(machine) && accept_again(machine, machine.main, machine.main.pc) &&
           may_be_in_gradient(machine));
}

/// Executes psum up to its next vr, which its sequencer then holds. Returns false if psum waits or has halted before.
bool Pe::reach_reduction() {
  Thread& t = machine.psum;
  while (!t.op.busy || t.op.in.op != isa::Opcode::Vr) {
    if (t.op.busy) {
      sequence(t.op);
      if (t.op.busy) return false;
    } else {
      const Decoded& decoded = machine.program[t.pc];
      if (!t.running || decoded.step[t.id](machine, t, decoded) != Outcome::Done) return false;
    }
    machine.work.moved = true;
  }
  return true;
}

void Pe::sequence(VectorOp& op) {
  if (machine.deferred_dots.any() && !leaves_dots(op.in.op)) make_dots(machine);
  if (machine.products.any() && op.in.op != isa::Opcode::Vf) add_products(machine);
  switch (op.execute(machine, op)) {
    case Outcome::Done:
      op.busy = false;
      machine.work.moved = true;
      return;
    case Outcome::NotInLockstep:
      stopped_ = op.waits;
      return;
    case Outcome::Waits:
      return;
  }
}

/// At rest: executes the next message of W, if there is one.
bool Pe::take_command() {
  Inbox& w = machine.w;
  if (w.empty() || !rests()) return false;
  catch_up(machine);
  if (!w.control()) {
    machine.flags.set(isa::Flag::BadCommand);
    w.drop(1);
    return true;
  }
  if (commands.accept(w.front_control()) == Outcome::NotInLockstep) {
    stopped_ = machine.main.waits;
    return false;
  }
  w.take_control();
  return true;
}

void Pe::reset() {
  machine.flags = {};
  machine.work = {};
  machine.mp = {};
  machine.pm = {};
  machine.w.clear();
  machine.forget();
  machine.deferred_dots.clear();
  machine.products.n = 0;
  for (Thread* t : {&machine.main, &machine.psum}) {
    t->running = false;
    t->csr = {};
    t->op = {};
  }
  machine.per_column.drop_idx();
  commands.reset();
  stopped_ = nullptr;
  psum_next_ = sequenced_ = any_ = false;
}

}  // namespace weft::model
