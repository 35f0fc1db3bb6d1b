/// Table of instructions, and the threads that may execute them.
#include <array>

#include "verif/model/instructions/instructions.hpp"
#include "verif/model/numbers/elementwise.hpp"

namespace weft::model {

using isa::Op;

namespace {

struct Entry {
  Step step = nullptr;
  Execute execute = nullptr;
};

constexpr std::size_t kOpcodes = 64;

constexpr std::array<Entry, kOpcodes> table() {
  std::array<Entry, kOpcodes> t{};
  const auto set = [&t](Op op, Step step, Execute execute = nullptr) {
    t[static_cast<std::size_t>(op)] = {step, execute};
  };
  for (const Op op : {Op::Li, Op::Add, Op::Sub, Op::And, Op::Or, Op::Xor, Op::Addi, Op::Shl, Op::Shr, Op::Csrw, Op::Beq,
                      Op::Bne, Op::Blt, Op::Bge, Op::Dbnz, Op::Jal, Op::Jr})
    set(op, registers);
  set(Op::Ld, ld);
  set(Op::Csrr, csrr);
  set(Op::Mvp, mvp);
  set(Op::Rcv, rcv);
  set(Op::Snd, snd);
  set(Op::Halt, halt);
  set(Op::Fork, fork);
  set(Op::Join, join);
  set(Op::Vf, accept, vf);
  set(Op::Vaxs, accept, vaxs);
  set(Op::Vcr, accept, vcr);
  set(Op::Vdot, accept, vdot);
  set(Op::Vs, accept, vs);
  set(Op::Vb, accept, vb);
  set(Op::Vr, accept, vr);
  return t;
}

constexpr std::array<Entry, kOpcodes> kTable = table();

/// Checks that the thread may read (or write) the control register.
bool has(isa::Csr csr, int thread, bool write) {
  if (csr == isa::Csr::VL) return true;
  if (csr <= isa::Csr::Str) return thread == Thread::kMain;
  return !write && csr >= isa::Csr::Row && csr <= isa::Csr::Cols;
}

/// Checks that every field has a defined value for this thread.
bool fields_mean_something(const isa::Instr& in, int thread) {
  switch (in.op) {
    case Op::Csrr:
      return has(in.csr, thread, false);
    case Op::Csrw:
      return has(in.csr, thread, true);
    case Op::Vf:
      return in.asel != isa::ASel::MM || in.bsel != isa::BSel::R;
    case Op::Vaxs:
      if (in.put && !in.turn) return false;
      [[fallthrough]];
    case Op::Vdot:
      return in.asel == isa::ASel::M || in.asel == isa::ASel::OH;
    case Op::Vs:
      return in.vsop <= isa::VsOp::Mov && in.d <= isa::VsD::M &&
             !(in.gather && (in.in || !in.out || in.d != isa::VsD::N));
    default:
      return true;
  }
}

struct Colors {
  std::array<int, 2> color{};
  int count = 0;

  void use(int c) { color[static_cast<std::size_t>(count++)] = c; }
};

Colors colors_of(const isa::Instr& in) {
  Colors c;
  switch (in.op) {
    case Op::Rcv:
    case Op::Snd:
      c.use(in.color);
      break;
    case Op::Vs:
    case Op::Vb:
      if (in.in || in.gather) c.use(in.cin);
      if (in.out) c.use(in.cout);
      break;
    case Op::Vr:
      c.use(in.cin);
      c.use(in.cout);
      break;
    default:
      break;
  }
  return c;
}

/// The function of an instruction in a thread: the one in the table, or a halt with a flag.
Step step_of(const isa::Instr& in, int thread, int colors) {
  const isa::Info* info = in.legal ? isa::info(in.op) : nullptr;
  if (!info || !(thread == Thread::kMain ? info->main : info->psum)) return bad_instr;
  if (!fields_mean_something(in, thread)) return bad_instr;
  const Colors used = colors_of(in);
  bool built = true;
  for (int i = 0; i < used.count; ++i) {
    const int color = used.color[static_cast<std::size_t>(i)];
    if (color == static_cast<int>(isa::Color::W)) return bad_instr;
    built &= color < colors;
  }
  if (in.op == Op::Csrw && in.csr == isa::Csr::Idx) return csrw_idx;
  return built ? kTable[static_cast<std::size_t>(in.op)].step : bad_color;
}

}  // namespace

Decoded decode(std::uint32_t word, int colors) {
  Decoded d;
  d.in = isa::decode(word);
  for (const int thread : {Thread::kMain, Thread::kPsum}) {
    d.step[thread] = step_of(d.in, thread, colors);
    d.registers[thread] = d.step[thread] == registers;
  }
  if (!d.in.legal) return d;
  d.execute = kTable[static_cast<std::size_t>(d.in.op)].execute;
  if (d.in.op == Op::Vf && d.step[Thread::kMain] == accept)
    d.elementwise = elementwise(d.in), d.table = table_of(d.in.fn);
  return d;
}

}  // namespace weft::model
