/// Execution of one instruction that uses only its thread's registers and pc (`registers` in isa::Info): the one
/// definition for the functional model, the deadlock check and the estimate of kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa.hpp"

namespace weft::machine {

/// Executes a dbnz and returns the next pc.
constexpr int dbnz_step(const isa::Instr& in, std::array<std::uint16_t, 16>& r, int pc) {
  constexpr int kMask = isa::kIDepth - 1;
  const std::uint16_t before = r[in.ra];
  r[in.ra] = static_cast<std::uint16_t>(before - 1);
  r[0] = 0;
  return before != 1 ? in.target & kMask : (pc + 1) & kMask;
}

/// Executes the instruction and returns the next pc.
constexpr int register_step(const isa::Instr& in, std::array<std::uint16_t, 16>& r, std::array<std::uint16_t, 16>& csr,
                            int pc) {
  using isa::Opcode;
  constexpr int kMask = isa::kIDepth - 1;
  const std::uint16_t a = r[in.ra], b = r[in.rb];
  const int next = (pc + 1) & kMask;
  int result = 0;
  switch (in.op) {
    case Opcode::Li:
      result = in.imm;
      break;
    case Opcode::Add:
      result = a + b;
      break;
    case Opcode::Sub:
      result = a - b;
      break;
    case Opcode::And:
      result = a & b;
      break;
    case Opcode::Or:
      result = a | b;
      break;
    case Opcode::Xor:
      result = a ^ b;
      break;
    case Opcode::Addi:
      result = a + in.imm;
      break;
    case Opcode::Shl:
      result = a << in.shamt;
      break;
    case Opcode::Shr:
      result = a >> in.shamt;
      break;
    case Opcode::Csrw:
      csr[static_cast<std::size_t>(in.csr)] = a;
      return next;
    case Opcode::Beq:
      return a == b ? in.target & kMask : next;
    case Opcode::Bne:
      return a != b ? in.target & kMask : next;
    case Opcode::Blt:
      return a < b ? in.target & kMask : next;
    case Opcode::Bge:
      return a >= b ? in.target & kMask : next;
    case Opcode::Dbnz:
      return dbnz_step(in, r, pc);
    case Opcode::Jal:
      r[in.rd] = static_cast<std::uint16_t>(next);
      r[0] = 0;
      return in.target & kMask;
    case Opcode::Jr:
      return a & kMask;
    default:
      return -1;
  }
  r[in.rd] = static_cast<std::uint16_t>(result);
  r[0] = 0;
  return next;
}

static_assert(std::ranges::all_of(isa::kInstrs,
                                  [](const isa::Info& info) {
                                    isa::Instr in;
                                    in.op = info.op;
                                    std::array<std::uint16_t, 16> r{}, csr{};
                                    return (register_step(in, r, csr, 0) >= 0) == info.registers;
                                  }),
              "sw/isa/isa.py and register_step disagree about the instructions that use registers and pc only");

/// Registers that such an instruction reads and writes (bit by register).
struct RegisterUse {
  std::uint32_t reads = 0, writes = 0;
};

constexpr RegisterUse register_use(const isa::Instr& in) {
  const auto bit = [](int reg) { return std::uint32_t{1} << reg; };
  if (in.op == isa::Opcode::Dbnz) return {bit(in.ra), bit(in.ra)};
  return {bit(in.ra) | bit(in.rb), bit(in.rd)};  // a field that the instruction does not have is r0
}

}  // namespace weft::machine
