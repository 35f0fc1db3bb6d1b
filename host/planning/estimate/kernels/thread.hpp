/// A kernel's thread without the machine: its registers, and the effect of scalar instructions on them.
#pragma once

#include <array>
#include <cstdint>

#include "isa.hpp"

namespace weft {

inline constexpr double kInstruction = 2;  ///< cycles per instruction of a thread that runs alone

struct KernelThread {
  int row = 0, rows = 1;  ///< values that `csrr` returns
  std::uint16_t pc = 0;
  std::array<std::uint16_t, 16> r{}, csr{};

  /// Executes `in` and advances, if it is a scalar instruction. Otherwise returns false without an effect.
  bool scalar(const isa::Instr& in);
  void set(int rd, int value) {
    if (rd != 0) r[static_cast<std::size_t>(rd)] = static_cast<std::uint16_t>(value);
  }
  /// Beats of a vector: VL is modulo 256, and 0 means 256.
  int vl() const { return (csr[static_cast<std::size_t>(isa::Csr::VL)] + 255) % 256 + 1; }
};

}  // namespace weft
