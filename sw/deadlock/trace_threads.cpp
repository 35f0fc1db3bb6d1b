/// Reader: scalar instructions, on known and unknown numbers.
#include <algorithm>

#include "sw/deadlock/trace.hpp"

namespace weft::check {

using isa::Csr;
using isa::Op;
using Kind = Event::Kind;

namespace {
constexpr std::uint64_t kEndless = 1u << 24;  // instructions between two messages of W

/// True if the thread may read (or write) the control register.
bool has(Csr csr, bool psum, bool write) {
  if (csr == Csr::VL) return true;
  if (csr <= Csr::Str) return !psum;
  return !write && csr >= Csr::Row && csr <= Csr::Cols;
}

/// True if the thread may run the instruction and every field has a meaning (docs/pe.md, Edge cases). Colors are
/// checked elsewhere.
bool legal(const isa::Instr& in, bool psum) {
  const isa::Info* info = in.legal ? isa::info(in.op) : nullptr;
  if (!info || !(psum ? info->psum : info->main)) return false;
  switch (in.op) {
    case Op::Csrr:
      return has(in.csr, psum, false);
    case Op::Csrw:
      return has(in.csr, psum, true);
    case Op::Vf:
      return in.asel != isa::ASel::MM || in.bsel != isa::BSel::R;
    case Op::Vaxs:
    case Op::Vdot:
      return in.asel == isa::ASel::M || in.asel == isa::ASel::OH;
    case Op::Vs:
      return in.vsop <= isa::VsOp::Mov && in.d <= isa::VsD::M &&
             !(in.gather && (in.in || !in.out || in.d != isa::VsD::N));
    default:
      return true;
  }
}

}  // namespace

/// Runs one thread from a start to its halt. A part of psum is read when it is forked.
void Reader::run(bool psum, std::uint16_t pc) {
  std::vector<Event>& events = psum ? trace_.psum : trace_.main;
  std::size_t sequenced = 0;  // events of the instruction that is still in its sequencer while the core continues
  for (;;) {
    pc &= kMask;
    if (++steps_ > kEndless) wrong(psum, pc, "runs and comes to no end");
    const isa::Instr& in = decoded_[pc];
    if (!legal(in, psum)) wrong(psum, pc, "an illegal instruction halts it");
    const std::size_t before = events.size();
    if (in.op == Op::Halt) break;
    if (static_cast<int>(in.op) & 32 || in.op == Op::Snd) {
      vector(psum, in, pc++);
      sequenced = events.size() - before;
      continue;
    }
    if (in.op == Op::Ld || in.op == Op::Rcv) sequenced = 0;
    if (in.op == Op::Fork || in.op == Op::Join || in.op == Op::Mvp) {
      if (in.op == Op::Fork) {
        loaded_.assign(loaded_.size(), false);
        events.push_back({.kind = Kind::Fork, .pc = pc});
        forked_ = psum_may_run_ = true;
        run(true, in.target);
      } else if (in.op == Op::Join) {
        events.push_back({.kind = Kind::Join, .pc = pc});
        psum_may_run_ = false;
      } else {
        if (psum_may_run_) wrong(psum, pc, "psum may still run: no join stands between");
        if (in.rd) psum_.r[in.rd] = main_.r[in.ra];
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

Reader::Next Reader::scalar(bool psum, const isa::Instr& in, std::uint16_t& pc) {
  Thread& t = psum ? psum_ : main_;
  const Value a = t.r[in.ra], b = t.r[in.rb];
  const bool both = a.known && b.known;
  const auto set = [&](int rd, Value v) {
    if (rd) t.r[static_cast<std::size_t>(rd)] = v;
  };
  const auto word = [](int v, bool known) { return Value{static_cast<std::uint16_t>(v), known}; };
  const auto branch = [&](bool taken) { pc = taken ? in.target & kMask : static_cast<std::uint16_t>(pc + 1); };
  const auto know = [&](bool known) {
    if (!known) unknown(psum, pc, "a branch depends on what is computed, or on what no command has set");
  };
  switch (in.op) {
    case Op::Li:
      set(in.rd, {in.imm, true});
      break;
    case Op::Add:
      set(in.rd, word(a.v + b.v, both));
      break;
    case Op::Sub:
      set(in.rd, word(a.v - b.v, both));
      break;
    case Op::And:
      set(in.rd, word(a.v & b.v, both));
      break;
    case Op::Or:
      set(in.rd, word(a.v | b.v, both));
      break;
    case Op::Xor:
      set(in.rd, word(a.v ^ b.v, both));
      break;
    case Op::Addi:
      set(in.rd, word(a.v + in.imm, a.known));
      break;
    case Op::Shl:
      set(in.rd, word(a.v << in.shamt, a.known));
      break;
    case Op::Shr:
      set(in.rd, word(a.v >> in.shamt, a.known));
      break;
    case Op::Ld: {
      const std::uint16_t address = static_cast<std::uint16_t>(a.v + in.imm);
      Value v;
      if (a.known) {
        v = address < memory_.size() ? memory_[address] : Value{0, true};
        if (psum && v.known && address < memory_.size()) loaded_[address] = true;
      }
      set(in.rd, v);
      break;
    }
    case Op::Csrr:
      switch (in.csr) {
        case Csr::Row:
          set(in.rd, word(row_, true));
          break;
        case Csr::Rows:
          set(in.rd, word(shape_.rows, true));
          break;
        case Csr::Cols:
          set(in.rd, word(shape_.cols, true));
          break;
        case Csr::Col:
          if (col_ < 0 && shape_.cols > 1) throw ColumnsDiffer{};
          set(in.rd, word(std::max(col_, 0), true));
          break;
        case Csr::Flags:
          set(in.rd, {});
          break;
        default:
          set(in.rd, t.csr[at(in.csr)]);
      }
      break;
    case Op::Csrw:
      t.csr[at(in.csr)] = a;
      break;
    case Op::Rcv:
      color(in.color, pc, true);
      trace_.psum.push_back({.kind = Kind::Take, .pc = pc, .cin = in.color, .takes = 1, .not_last = in.color == 3});
      set(in.rd, {});
      break;
    case Op::Beq:
      know(both);
      return branch(a.v == b.v), Next::Goes;
    case Op::Bne:
      know(both);
      return branch(a.v != b.v), Next::Goes;
    case Op::Blt:
      know(both);
      return branch(a.v < b.v), Next::Goes;
    case Op::Bge:
      know(both);
      return branch(a.v >= b.v), Next::Goes;
    case Op::Dbnz:
      know(a.known);
      set(in.ra, word(a.v - 1, true));
      return branch(static_cast<std::uint16_t>(a.v - 1) != 0), Next::Goes;
    case Op::Jal:
      set(in.rd, word((pc + 1) & kMask, true));
      return branch(true), Next::Goes;
    case Op::Jr:
      pc = number(psum, a, pc, "where it jumps") & kMask;
      return Next::Goes;
    default:
      wrong(psum, pc, "an illegal instruction halts it");
  }
  ++pc;
  return Next::Goes;
}

}  // namespace weft::check
