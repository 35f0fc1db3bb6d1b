/// The functions of vf, specialised for where their operands are.
#pragma once

#include <cstdint>

#include "isa.hpp"
#include "verif/model/numbers.hpp"

namespace weft::model {

/// A vf whose second vector in memory is b, or c.
inline bool second_is_b(const isa::Instr& in) { return in.asel == isa::ASel::MM && in.bsel == isa::BSel::MS; }
inline bool second_is_c(const isa::Instr& in) { return in.asel == isa::ASel::MM && in.bsel != isa::BSel::MS; }

/// An operand: bf16 in memory, floats, or one value for all. The instruction says which.
struct Operand {
  float value = 0;
  const void* from = nullptr;

  void scalar(std::uint16_t bits) { value = as_float(weft::widen(bits)); }
};

/// d[0 .. size) = fn(a, b, c), to floats at `to_r` or, if `to_m` is not null, to bf16 there. `table`: table_of(fn).
using Elementwise = void (*)(const Operand& a, const Operand& b, const Operand& c, const bf16* table, float* to_r,
                             std::uint16_t* to_m, int size);
/// What a vf does. It wants a = OH and b = MS as floats; b = R is rounded to bf16 on the way.
Elementwise elementwise(const isa::Instr& in);
/// Of a table function its values, else null.
const bf16* table_of(isa::Fn fn);

}  // namespace weft::model
