/// rcv and snd: words that psum receives and sends one by one.
///
/// In lockstep the row's chain on WEST is evaluated at once: rcv takes from WEST what the neighbour's psum sends. If
/// every psum that takes 0 sends 0 on, all of them take 0, because the last column takes 0.
#include <algorithm>

#include "sw/machine/register_step.hpp"
#include "verif/model/edge/west.hpp"
#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

namespace {

constexpr int kWest = static_cast<int>(isa::Color::West);

/// Checks that psum, having taken 0 for this rcv, sends 0 on WEST next, with only register instructions in between.
bool sends_zero_on(const Machine& m, const Thread& t, const isa::Instr& rcv) {
  constexpr int kPatience = 64;  // instructions
  auto r = t.r, csr = t.csr;
  r[rcv.rd] = 0;
  int pc = (t.pc + 1) & InstructionMemory::kMask;
  for (int n = 0; n < kPatience; ++n) {
    const Decoded& next = m.program[pc];
    if (next.in.op == isa::Opcode::Snd && next.in.color == kWest) return !r[next.in.ra];
    if (!next.registers[Thread::kPsum]) return false;
    pc = machine::register_step(next.in, r, csr, pc);
  }
  return false;
}

Outcome received(Machine& m, Thread& t, const isa::Instr& in, std::uint32_t word) {
  if (in.rd) t.r[in.rd] = static_cast<std::uint16_t>(word);
  m.exchanged(t);
  ++t.pc;
  return Outcome::Done;
}

}  // namespace

Outcome rcv(Machine& m, Thread& t, const Decoded& decoded) {
  if (t.op.busy) return t.wait("its sequencer");
  const isa::Instr& in = decoded.in;
  if (in.color == kWest && m.in_lockstep()) {
    if (!m.ports.along_row(kWest) || !sends_zero_on(m, t, in))
      return t.not_in_lockstep("a rcv of a word on WEST that is not 0");
    m.west_zero = true;
    return received(m, t, in, 0);
  }
  if (in.color == kWest && m.place.last_column()) return received(m, t, in, 0);
  Stream* from = m.ports.in(in.color);
  if (!from) return t.not_in_lockstep("a rcv of words that do not arrive in lockstep");
  if (!from->words()) return t.wait("a word of its color");
  const auto value = static_cast<std::uint16_t>(from->front(0));
  const int columns = m.place.columns.count;
  for (int col = 1; col < columns; ++col)
    if (static_cast<std::uint16_t>(from->front(col)) != value) return m.differs(t, {t.pc, -1, value}, col);
  if (m.parts > 1) m.scalars.push_back({t.pc, -1, value});
  from->take(1, 1);
  return received(m, t, in, value);
}

namespace {

/// A snd accepted by the sequencer; op.ra is its word.
Outcome send_later(Machine& m, VectorOp& op) {
  if (m.ports.room(op.in.color) <= 0) return op.wait(Waiting::kRoom);
  const std::uint32_t word = op.ra;
  m.ports.send(op.in.color, &word, 1, 1);
  return Outcome::Done;
}

}  // namespace

Outcome snd(Machine& m, Thread& t, const Decoded& decoded) {
  if (t.op.busy) return t.wait("its sequencer");
  if (const Outcome same = m.settle(t, 1u << decoded.in.ra); same != Outcome::Done) return same;
  const int color = decoded.in.color;
  const std::uint16_t value = t.r[decoded.in.ra];
  if (color == kWest && m.in_lockstep()) {
    if (!m.west_zero) return t.not_in_lockstep("a snd on WEST without a rcv");
    m.west_zero = false;
    m.ports.along_row(kWest)->word(0);
  } else {
    if (const Outcome can = m.ports.can_send(color); can != Outcome::Done) return t.cannot_send(can);
    if (m.ports.room(color) <= 0) {
      t.op = {};
      t.op.busy = true, t.op.pc = t.pc, t.op.execute = send_later, t.op.in = decoded.in, t.op.ra = value;
    } else {
      auto* words = reinterpret_cast<std::uint32_t*>(m.scratch.a.data());
      std::fill_n(words, m.place.columns.count, value);
      m.ports.send(color, words, 1, 1);
    }
  }
  m.count(1, false);
  m.exchanged(t);
  ++t.pc;
  return Outcome::Done;
}

}  // namespace weft::model
