/// Execution of one instruction that uses only registers and pc. Main's csrw to IDX is csrw_idx, because each lockstep
/// column may have its own value.
#pragma once

#include <array>
#include <cstdint>

#include "isa.hpp"
#include "verif/model/machine/program.hpp"

namespace weft::model {

/// Executes the instruction and returns the next pc.
inline int register_step(const isa::Instr& in, std::array<std::uint16_t, 16>& r, std::array<std::uint16_t, 16>& csr,
                         int pc) {
  using isa::Op;
  constexpr int kMask = InstructionMemory::kMask;
  const std::uint16_t a = r[in.ra], b = r[in.rb];
  const int next = (pc + 1) & kMask;
  int result = 0;
  switch (in.op) {
    case Op::Li:
      result = in.imm;
      break;
    case Op::Add:
      result = a + b;
      break;
    case Op::Sub:
      result = a - b;
      break;
    case Op::And:
      result = a & b;
      break;
    case Op::Or:
      result = a | b;
      break;
    case Op::Xor:
      result = a ^ b;
      break;
    case Op::Addi:
      result = a + in.imm;
      break;
    case Op::Shl:
      result = a << in.shamt;
      break;
    case Op::Shr:
      result = a >> in.shamt;
      break;
    case Op::Csrw:
      csr[static_cast<std::size_t>(in.csr)] = a;
      return next;
    case Op::Beq:
      return a == b ? in.target & kMask : next;
    case Op::Bne:
      return a != b ? in.target & kMask : next;
    case Op::Blt:
      return a < b ? in.target & kMask : next;
    case Op::Bge:
      return a >= b ? in.target & kMask : next;
    case Op::Dbnz:
      r[in.ra] = static_cast<std::uint16_t>(a - 1);
      r[0] = 0;
      return a != 1 ? in.target & kMask : next;
    case Op::Jal:
      r[in.rd] = static_cast<std::uint16_t>(next);
      r[0] = 0;
      return in.target & kMask;
    default:  // jr
      return a & kMask;
  }
  r[in.rd] = static_cast<std::uint16_t>(result);
  r[0] = 0;
  return next;
}

}  // namespace weft::model
