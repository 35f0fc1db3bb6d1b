/// The functions of vf, specialised for where their operands are.
#pragma once

#include <cstdint>

#include "isa.hpp"
#include "verif/model/numbers.hpp"

namespace weft::model {

/// Where an operand comes from: memory (widened on the way), floats, floats rounded to bf16, or one value for all.
struct Operand {
  enum Kind { kMemory, kFloats, kRounded, kScalar } kind = kScalar;
  float value = 0;
  const void* from = nullptr;

  void memory(const std::uint16_t* p) { kind = kMemory, from = p; }
  void floats(const float* p) { kind = kFloats, from = p; }
  void rounded(const float* p) { kind = kRounded, from = p; }
  void scalar(std::uint16_t bits) { kind = kScalar, value = as_float(weft::widen(bits)); }
};

/// d[0 .. size) = fn(a, b, c), to floats at `to_r` or, if `to_m` is not null, to bf16 there. Rounded is only b, c is
/// not. `table`: table_of(fn).
using Elementwise = void (*)(const Operand& a, const Operand& b, const Operand& c, const bf16* table, float* to_r,
                             std::uint16_t* to_m, int size);
Elementwise elementwise(isa::Fn fn, Operand::Kind a, Operand::Kind b, Operand::Kind c);
/// Of a table function its values, else null.
const bf16* table_of(isa::Fn fn);

}  // namespace weft::model
