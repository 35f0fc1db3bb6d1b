/// Reader: scalar instructions, on known and unknown numbers.
#include <algorithm>

#include "sw/deadlock/trace.hpp"
#include "sw/machine/register_step.hpp"

namespace weft::deadlock {

using isa::Csr;
using isa::Opcode;
using Kind = Event::Kind;

namespace {
constexpr std::uint64_t kEndless = 1u << 24;  // instructions between two messages of W

}  // namespace

/// Runs one thread from a start to its halt. A part of psum is read when it is forked.
void Reader::run(bool psum, std::uint16_t pc) {
  std::vector<Event>& events = psum ? trace_.psum : trace_.main;
  std::size_t sequenced = 0;  // events of the instruction that is still in its sequencer while the core continues
  for (;;) {
    pc &= kMask;
    if (++steps_ > kEndless) wrong(psum, pc, "runs without an end");
    const isa::Instr& in = decoded_[pc];
    check_legal(psum, pc);
    const std::size_t before = events.size();
    if (in.op == Opcode::Halt) break;
    if (static_cast<int>(in.op) & 32 || in.op == Opcode::Snd) {
      vector(psum, in, pc++);
      sequenced = events.size() - before;
      continue;
    }
    if (in.op == Opcode::Ld || in.op == Opcode::Rcv) sequenced = 0;
    if (in.op == Opcode::Fork || in.op == Opcode::Join || in.op == Opcode::Mvp) {
      if (in.op == Opcode::Fork) {
        loaded_.assign(loaded_.size(), false);
        events.push_back({.kind = Kind::Fork, .pc = pc});
        forked_ = psum_may_run_ = true;
        run(true, in.target);
      } else if (in.op == Opcode::Join) {
        events.push_back({.kind = Kind::Join, .pc = pc});
        psum_may_run_ = false;
      } else {
        if (psum_may_run_) wrong(psum, pc, "psum may still run: there is no join in between");
        psum_.set(in.rd, main_.reg(in.ra));
      }
      ++pc;
      continue;
    }
    scalar(psum, in, pc);
  }
  if (!psum) return;
  // psum's core may halt while the last instruction is still in its sequencer.
  events.insert(events.end() - static_cast<std::ptrdiff_t>(sequenced), {.kind = Kind::Halted, .pc = pc});
  events.push_back({.kind = Kind::End, .pc = pc});
}

/// Reports an instruction that the machine does not execute.
void Reader::check_legal(bool psum, std::uint16_t pc) const {
  const isa::Verdict verdict = verdicts_[pc][psum];
  if (verdict == isa::Verdict::Legal) return;
  const std::uint32_t word = code_[pc];
  if (isa::fields_legal(word, psum ? isa::Thread::Psum : isa::Thread::Main))
    for (const isa::ColorUse& use : isa::kColorUses)
      if (use.op == decoded_[pc].op && use.used(word)) color(static_cast<int>(use.field.of(word)), pc, use.taken);
  wrong(psum, pc, "an illegal instruction halts the thread");
}

void Reader::scalar(bool psum, const isa::Instr& in, std::uint16_t& pc) {
  Thread& t = psum ? psum_ : main_;
  switch (in.op) {
    case Opcode::Ld: {
      const Value a = t.reg(in.ra);
      const auto address = static_cast<std::uint16_t>(a.v + in.imm);
      Value v;
      if (a.known) {
        v = address < memory_.size() ? memory_[address] : Value{0, true};
        if (psum && v.known && address < memory_.size()) loaded_[address] = true;
      }
      t.set(in.rd, v);
      break;
    }
    case Opcode::Csrr:
      t.set(in.rd, control(psum, in.csr));
      break;
    case Opcode::Rcv:
      trace_.psum.push_back({.kind = Kind::Take, .pc = pc, .cin = in.color, .takes = 1, .not_last = in.color == 3});
      t.set(in.rd, {});
      break;
    default:
      if (!isa::info(in.op)->registers) unknown(psum, pc, kUnknownEffects);
      return registers(psum, in, pc);
  }
  ++pc;
}

Reader::Value Reader::control(bool psum, Csr csr) const {
  const auto number = [](int v) { return Value{static_cast<std::uint16_t>(v), true}; };
  switch (csr) {
    case Csr::Row:
      return number(row_);
    case Csr::Rows:
      return number(shape_.rows);
    case Csr::Cols:
      return number(shape_.cols);
    case Csr::Col:
      if (col_ < 0 && shape_.cols > 1) throw ColumnsDiffer{};
      return number(std::max(col_, 0));
    case Csr::Flags:
      return {};
    default:
      return (psum ? psum_ : main_).control(csr);
  }
}

void Reader::registers(bool psum, const isa::Instr& in, std::uint16_t& pc) {
  Thread& t = psum ? psum_ : main_;
  const machine::RegisterUse use = machine::register_use(in);
  const bool known = (t.known & use.reads) == use.reads;
  if (!known && (isa::info(in.op)->branches))
    unknown(psum, pc, "a branch depends on a computed value, or on one that no command has set");
  if (in.op == Opcode::Jr) number(psum, t.reg(in.ra), pc, "the jump target");
  pc = static_cast<std::uint16_t>(machine::register_step(in, t.r, t.csr, pc));
  const auto mark = [known](auto& set, std::uint32_t which) { set = known ? set | which : set & ~which; };
  if (in.op == Opcode::Csrw) mark(t.csr_known, 1u << at(in.csr));
  mark(t.known, use.writes & ~1u);
}

}  // namespace weft::deadlock
