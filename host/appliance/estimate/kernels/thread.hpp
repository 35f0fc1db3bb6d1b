/// A thread of a kernel without a machine: its registers, and what scalar instructions do to them.
#pragma once

#include <array>
#include <cstdint>

#include "isa.hpp"

namespace weft {

inline constexpr double kInstruction = 2;  ///< cycles, of a thread that is alone

struct KernelThread {
  int row = 0, rows = 1;  ///< what `csrr` says
  std::uint16_t pc = 0;
  std::array<std::uint16_t, 16> r{}, csr{};

  /// Does `in` and goes on to the next instruction, if it needs nothing but this; false: it is another, and nothing is
  /// done.
  bool scalar(const isa::Instr& in);
  void set(int rd, int value) {
    if (rd != 0) r[static_cast<std::size_t>(rd)] = static_cast<std::uint16_t>(value);
  }
  /// Beats of a vector: VL counts modulo 256, and 0 is 256.
  int vl() const { return (csr[static_cast<std::size_t>(isa::Csr::VL)] + 255) % 256 + 1; }
};

}  // namespace weft
