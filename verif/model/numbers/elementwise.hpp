/// Functions of vf, specialized by the location of their operands.
#pragma once

#include <cstdint>

#include "isa.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::model {

/// Checks that b, or c, is the second memory vector of a vf.
inline bool second_is_b(const isa::Instr& in) { return in.asel == isa::ASel::MM && in.bsel == isa::BSel::MS; }
inline bool second_is_c(const isa::Instr& in) { return in.asel == isa::ASel::MM && in.bsel != isa::BSel::MS; }

/// An operand: bf16 in memory, floats, or one value for all elements, as the instruction selects.
struct Operand {
  float value = 0;
  const void* from = nullptr;

  void scalar(std::uint16_t bits) { value = as_float(weft::widen(bits)); }
};

/// d[0 .. size) = fn(a, b, c), to floats at `to_r` or, if `to_m` is not null, to bf16 there. `table`: table_of(fn).
using Elementwise = void (*)(const Operand& a, const Operand& b, const Operand& c, const bf16* table, float* to_r,
                             std::uint16_t* to_m, int size);
/// The function of a vf. Operands a = OH and b = MS must be floats; b = R is rounded to bf16 on the way.
Elementwise elementwise(const isa::Instr& in);
/// The table of a table function, else null.
const bf16* table_of(isa::Fn fn);

}  // namespace weft::model
