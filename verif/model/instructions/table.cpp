/// Table from opcodes to the functions of instructions. isa_legal.hpp decides which words a thread may execute.
#include <algorithm>
#include <array>

#include "isa_legal.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/numbers/elementwise.hpp"

namespace weft::model {

using isa::Opcode;

namespace {

struct Entry {
  Step step = nullptr;
  Execute execute = nullptr;
};

constexpr std::size_t kOpcodes = 64;

constexpr std::array<Entry, kOpcodes> table() {
  std::array<Entry, kOpcodes> t{};
  const auto set = [&t](Opcode op, Step step, Execute execute = nullptr) {
    t[static_cast<std::size_t>(op)] = {step, execute};
  };
  for (const isa::Info& info : isa::kInstrs)
    if (info.registers) set(info.op, registers);
  set(Opcode::Ld, ld);
  set(Opcode::Csrr, csrr);
  set(Opcode::Mvp, mvp);
  set(Opcode::Rcv, rcv);
  set(Opcode::Snd, snd);
  set(Opcode::Halt, halt);
  set(Opcode::Fork, fork);
  set(Opcode::Join, join);
#define WEFT_SET(op, function) set(Opcode::op, accept, function);
  WEFT_ISA_VECTORS(WEFT_SET)
#undef WEFT_SET
  return t;
}

constexpr std::array<Entry, kOpcodes> kTable = table();
static_assert(std::ranges::all_of(isa::kInstrs,
                                  [](const isa::Info& info) {
                                    return kTable[static_cast<std::size_t>(info.op)].step != nullptr;
                                  }),
              "an instruction has no function");

/// The function of an instruction in a thread: the one in the table, or a halt with a flag.
Step step_of(std::uint32_t word, const isa::Instr& in, int thread, int colors) {
  switch (isa::verdict(word, thread == Thread::kMain ? isa::Thread::Main : isa::Thread::Psum, colors)) {
    case isa::Verdict::BadInstr:
      return bad_instr;
    case isa::Verdict::BadColor:
      return bad_color;
    case isa::Verdict::Legal:
      break;
  }
  if (in.op == Opcode::Csrw && in.csr == isa::Csr::Idx) return csrw_idx;
  return kTable[static_cast<std::size_t>(in.op)].step;
}

}  // namespace

Decoded decode(std::uint32_t word, int colors) {
  Decoded d;
  d.in = isa::decode(word);
  for (const int thread : {Thread::kMain, Thread::kPsum}) {
    d.step[thread] = step_of(word, d.in, thread, colors);
    d.registers[thread] = d.step[thread] == registers;
  }
  if (!d.in.known) return d;
  const isa::Info& info = *isa::info(d.in.op);
  d.local = info.local, d.repeated = info.repeated;
  d.execute = kTable[static_cast<std::size_t>(d.in.op)].execute;
  if (d.in.op == Opcode::Vf && d.step[Thread::kMain] == accept)
    d.elementwise = elementwise(d.in), d.table = table_of(d.in.fn);
  return d;
}

}  // namespace weft::model
