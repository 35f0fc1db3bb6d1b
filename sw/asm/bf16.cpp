#include <bit>
#include <cmath>
#include <limits>

#include "sw/asm/symbols.hpp"

namespace weft::assembler {

std::uint16_t bf16_bits(double x) {
  if (std::isnan(x)) return 0x7fc0;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // [0.5, 1), so 8 significant bits are 0..256
  double rounded = std::isinf(x) ? x : std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
  if (std::abs(rounded) < std::numeric_limits<float>::min()) rounded = std::copysign(0.0, x);
  if (std::abs(rounded) > std::numeric_limits<float>::max())
    rounded = std::copysign(std::numeric_limits<double>::infinity(), x);
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(rounded)) >> 16);
}

}  // namespace weft::assembler
