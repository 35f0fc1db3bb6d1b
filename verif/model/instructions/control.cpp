/// Instructions that start and end threads and feed their sequencers.
#include "sw/machine/register_step.hpp"
#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

Outcome halt(Machine&, Thread& t, const Decoded&) {
  t.running = false;
  return Outcome::Done;
}

Outcome fork(Machine& m, Thread& t, const Decoded& decoded) {
  if (t.op.busy) return t.wait("its sequencer");
  if (m.psum.running) return t.wait("psum to be idle");
  m.psum.running = true;
  m.psum.pc = decoded.in.target;
  m.exchanged(t);
  ++t.pc;
  return Outcome::Done;
}

Outcome join(Machine& m, Thread& t, const Decoded&) {
  if (!m.psum.rests()) return t.wait("psum to be idle and done");
  ++t.pc;
  return Outcome::Done;
}

namespace {

/// Starts the thread's sequencer with an instruction that it already holds, and with the registers as they are now.
void start(Machine& m, Thread& t, const Decoded& decoded) {
  VectorOp& op = t.op;
  const isa::Instr& in = op.in;
  const auto csr = [&](isa::Csr c) { return t.csr[static_cast<std::size_t>(c)]; };
  op.busy = true, op.started = false, op.done = 0;
  op.rd = t.r[in.rd], op.ra = t.r[in.ra], op.rb = t.r[in.rb], op.rc = t.r[in.rc];
  op.vl = csr(isa::Csr::VL) & 255, op.rep = csr(isa::Csr::Rep), op.sta = csr(isa::Csr::Sta);
  op.stb = csr(isa::Csr::Stb), op.std = csr(isa::Csr::Std), op.idx = csr(isa::Csr::Idx),
  op.lmask = csr(isa::Csr::Lmask), op.str = csr(isa::Csr::Str);
  if (!op.vl) op.vl = 256;
  if (decoded.local) {
    m.work.steps += std::uint64_t{decoded.repeated ? op.rep : 1U} * static_cast<unsigned>(op.vl);
  } else {
    m.exchanged(t);
  }
  ++t.pc;
}

}  // namespace

Outcome accept(Machine& m, Thread& t, const Decoded& decoded) {
  if (t.op.busy) return t.wait("its sequencer");
  const isa::Instr& in = decoded.in;
  const std::uint32_t read = 1u << in.rd | 1u << in.ra | 1u << in.rb | 1u << in.rc;
  if (m.per_column.registers())
    if (const Outcome same = m.settle(t, read); same != Outcome::Done) return same;
  VectorOp& op = t.op;
  op.pc = t.pc, op.execute = decoded.execute, op.in = in;
  op.elementwise = decoded.elementwise, op.table = decoded.table;
  start(m, t, decoded);
  return Outcome::Done;
}

bool accept_again(Machine& m, Thread& t, int pc) {
  t.op.busy = false;
  t.pc = static_cast<std::uint16_t>(pc);
  const Decoded* next = &m.program[pc];
  const bool counts = next->in.op == isa::Opcode::Dbnz && next->registers[t.id];  // ends nearly every loop
  if (counts && !m.per_column.registers()) {
    if (++m.work.steps > kRunaway) m.fail(t.pc, "runs in an endless loop");
    t.pc = static_cast<std::uint16_t>(machine::dbnz_step(next->in, t.r, pc));
    next = &m.program[t.pc];
  }
  if (next->registers[t.id] && registers(m, t, *next) != Outcome::Done) return false;
  if ((t.pc ^ t.op.pc) & InstructionMemory::kMask) return false;
  const Decoded& decoded = m.program[t.pc];
  if (m.per_column.registers()) return accept(m, t, decoded) == Outcome::Done;
  start(m, t, decoded);
  return true;
}

namespace {

/// Halts with a flag. An instruction for the sequencer waits for the sequencer before it is checked.
Outcome halt_with(isa::Flag flag, Machine& m, Thread& t, isa::Opcode op) {
  const bool sequenced = (static_cast<int>(op) & 32) || op == isa::Opcode::Snd;
  if (sequenced && t.op.busy) return t.wait("its sequencer");
  m.flags.set(flag);
  t.running = false;
  return Outcome::Done;
}

}  // namespace

Outcome bad_instr(Machine& m, Thread& t, const Decoded& decoded) {
  return halt_with(isa::Flag::BadInstr, m, t, decoded.in.op);
}

Outcome bad_color(Machine& m, Thread& t, const Decoded& decoded) {
  return halt_with(isa::Flag::BadColor, m, t, decoded.in.op);
}

}  // namespace weft::model
