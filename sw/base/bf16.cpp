#include "sw/base/bf16.hpp"

#include <cmath>
#include <limits>

#include "sw/base/exact_math.hpp"

namespace weft {

bf16 nearest_bf16(double x) {
  if (std::isnan(x)) return kNanBf16;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // [0.5, 1), so 8 significant bits are 0..256
  double rounded = std::isinf(x) ? x : std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
  if (std::abs(rounded) < std::numeric_limits<float>::min()) rounded = std::copysign(0.0, x);
  if (std::abs(rounded) > std::numeric_limits<float>::max())
    rounded = std::copysign(std::numeric_limits<double>::infinity(), x);
  return static_cast<bf16>(as_bits(static_cast<float>(rounded)) >> 16);
}

}  // namespace weft
