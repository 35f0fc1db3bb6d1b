/// Constants of kernels that are computed in more than one operation.
#pragma once

#include <cstdint>
#include <string>

#include "sw/asm/program.hpp"
#include "sw/base/bf16.hpp"

namespace weft::compiler {

/// Defines NAME_HI and NAME_LO, two bf16 whose sum is x to about 16 bits, and the same negated with MINUS_ in front.
inline void split(assembler::Constants& constants, const std::string& name, double x) {
  const std::uint16_t hi = nearest_bf16(x), lo = nearest_bf16(x - as_float(widen(hi)));
  constants[name + "_HI"] = hi;
  constants[name + "_LO"] = lo;
  constants["MINUS_" + name + "_HI"] = hi ^ 0x8000;
  constants["MINUS_" + name + "_LO"] = lo ^ 0x8000;
}

}  // namespace weft::compiler
