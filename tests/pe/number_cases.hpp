/// Operands that find arithmetic bugs.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/random.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::test {

/// Zeros, ones, subnormals, the ends of the normal range, infinities, quiet and signalling NaN; both signs.
inline std::vector<std::uint32_t> corner_fp32() {
  std::vector<std::uint32_t> all;
  for (std::uint32_t v :
       {0x00000000u, 0x00000001u, 0x007fffffu, 0x00400000u, 0x00800000u, 0x00800001u, 0x00ffffffu, 0x01000000u,
        0x33800000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x40000000u, 0x4b7fffffu, 0x7effffffu, 0x7f000000u,
        0x7f7f0000u, 0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0x3f7f8000u, 0x3f808000u})
    for (std::uint32_t sign : {0u, 0x80000000u}) all.push_back(v | sign);
  return all;
}

inline std::vector<bf16> corner_bf16() {
  std::vector<bf16> all;
  for (unsigned v : {0x0000, 0x0001, 0x007f, 0x0080, 0x0081, 0x00ff, 0x1f80, 0x2000, 0x20ff, 0x3f7f, 0x3f80, 0x3f81,
                     0x3fff, 0x4000, 0x5f80, 0x5fff, 0x6000, 0x7f00, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7fff})
    for (unsigned sign : {0u, 0x8000u}) all.push_back(static_cast<bf16>(v | sign));
  return all;
}

/// Operands of a lane in one operation.
struct Operands {
  bf16 a, b;
  std::uint32_t c, x;
};

/// One case of a mix: uniform bits, ordinary magnitudes, near cancellation, the ends of the exponent range, specials.
inline Operands random_operands(Rng& random) {
  static const std::vector<std::uint32_t> words = corner_fp32();
  static const std::vector<bf16> halves = corner_bf16();
  const std::uint64_t r = random.next(), r2 = random.next();
  Operands o{static_cast<bf16>(r), static_cast<bf16>(r >> 16), static_cast<std::uint32_t>(r >> 32),
             static_cast<std::uint32_t>(r2)};
  const auto exponent = [](std::uint32_t bits, int e) {
    return (bits & 0x807fffff) | static_cast<std::uint32_t>(e < 0 ? 0 : e > 255 ? 255 : e) << 23;
  };
  const auto half_exponent = [&](bf16 bits, int e) {
    return static_cast<bf16>(exponent(static_cast<std::uint32_t>(bits) << 16, e) >> 16);
  };
  const auto near = [&](std::uint32_t target) {  // a few ulps, or a bit, off minus the target
    const std::uint32_t flipped = target ^ (random.below(4) ? 0x80000000 : 0);
    return random.below(2) ? flipped + random.below(9) - 4 : flipped ^ (1u << random.below(31));
  };
  switch (random.below(8)) {
    case 0:
      break;  // uniform bits
    case 1:
    case 2: {  // c within reach of the product
      const int ea = 90 + static_cast<int>(random.below(75)), eb = 90 + static_cast<int>(random.below(75));
      o.a = half_exponent(o.a, ea), o.b = half_exponent(o.b, eb);
      o.c = exponent(o.c, ea + eb - 127 - 28 + static_cast<int>(random.below(57)));
      o.x = exponent(o.x, static_cast<int>(o.c >> 23 & 0xff) - 28 + static_cast<int>(random.below(57)));
      break;
    }
    case 3:  // near cancellation
      o.a = half_exponent(o.a, 70 + static_cast<int>(random.below(115)));
      o.b = half_exponent(o.b, 70 + static_cast<int>(random.below(115)));
      o.c = near(model::mul_bits(o.a, o.b));
      o.x = near(o.c);
      break;
    case 4: {  // around the smallest normal number
      const int ea = 1 + static_cast<int>(random.below(126));
      o.a = half_exponent(o.a, ea);
      o.b = half_exponent(o.b, 127 - ea - 26 + static_cast<int>(random.below(56)));
      o.c = exponent(o.c, static_cast<int>(random.below(28)));
      o.x = random.below(2) ? near(o.c) : exponent(o.x, static_cast<int>(random.below(28)));
      if (random.below(4) == 0) o.c = near(0x00800000 | (o.x & 0x80000000));
      break;
    }
    case 5: {  // around overflow
      const int ea = 128 + static_cast<int>(random.below(127));
      o.a = half_exponent(o.a, ea);
      o.b = half_exponent(o.b, 381 - ea - 3 + static_cast<int>(random.below(6)));
      o.c = exponent(o.c, 228 + static_cast<int>(random.below(28)));
      o.x = exponent(o.x, 228 + static_cast<int>(random.below(28)));
      if (random.below(4) == 0) o.c = near(0x7f7fffff | (o.x & 0x80000000));
      break;
    }
    case 6:  // a corner among ordinary numbers
      o.a = half_exponent(o.a, 120 + static_cast<int>(random.below(15)));
      o.c = exponent(o.c, 115 + static_cast<int>(random.below(25)));
      switch (random.below(4)) {
        case 0:
          o.a = halves[random.below(static_cast<std::uint32_t>(halves.size()))];
          break;
        case 1:
          o.b = halves[random.below(static_cast<std::uint32_t>(halves.size()))];
          break;
        case 2:
          o.c = words[random.below(static_cast<std::uint32_t>(words.size()))];
          break;
        default:
          o.x = words[random.below(static_cast<std::uint32_t>(words.size()))];
          break;
      }
      break;
    default:  // equal magnitudes
      o.c = model::mul_bits(o.a, o.b) ^ (random.below(2) << 31);
      o.x = o.c ^ (random.below(2) << 31);
      break;
  }
  return o;
}

}  // namespace weft::test
