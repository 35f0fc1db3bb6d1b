#include "host/planning/estimate/kernels/thread.hpp"

namespace weft {

bool KernelThread::scalar(const isa::Instr& in) {
  using isa::Op;
  const int a = r[in.ra], b = r[in.rb];
  const auto next = static_cast<std::uint16_t>(pc + 1);
  const auto put = [&](int value) { return set(in.rd, value), pc = next, true; };
  const auto branch = [&](bool taken) { return pc = taken ? in.target : next, true; };
  switch (in.op) {
    case Op::Li:
      return put(in.imm);
    case Op::Add:
      return put(a + b);
    case Op::Sub:
      return put(a - b);
    case Op::And:
      return put(a & b);
    case Op::Or:
      return put(a | b);
    case Op::Xor:
      return put(a ^ b);
    case Op::Addi:
      return put(a + in.imm);
    case Op::Shl:
      return put(a << in.shamt);
    case Op::Shr:
      return put(a >> in.shamt);
    case Op::Csrr:
      return put(in.csr == isa::Csr::Row    ? row
                 : in.csr == isa::Csr::Rows ? rows
                                            : csr[static_cast<std::size_t>(in.csr)]);
    case Op::Csrw:
      return csr[static_cast<std::size_t>(in.csr)] = static_cast<std::uint16_t>(a), pc = next, true;
    case Op::Beq:
      return branch(a == b);
    case Op::Bne:
      return branch(a != b);
    case Op::Blt:
      return branch(a < b);
    case Op::Bge:
      return branch(a >= b);
    case Op::Dbnz:
      return set(in.ra, a - 1), branch(r[in.ra] != 0);
    case Op::Jal:
      return set(in.rd, next), branch(true);
    case Op::Jr:
      return pc = static_cast<std::uint16_t>(a), true;
    default:
      return false;
  }
}

}  // namespace weft
