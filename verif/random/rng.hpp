/// Random numbers and random operands, determined by one seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

namespace weft::random {

/// Random generator (splitmix64).
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15); }
  /// A number in 0..n-1.
  int below(int n) { return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(n) >> 32); }
  /// A number in first..last.
  int between(int first, int last) { return first + below(last - first + 1); }
  /// True with a probability of `percent`.
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  T any(std::initializer_list<T> of) {
    return of.begin()[below(static_cast<int>(of.size()))];
  }
  /// An index, with a probability proportional to its weight.
  int weighted(std::initializer_list<int> weights) {
    int sum = 0, n = 0;
    for (const int w : weights) sum += w;
    int at = below(sum);
    for (const int w : weights) {
      if ((at -= w) < 0) return n;
      ++n;
    }
    return n;
  }

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

/// The generator for case `number` of a run.
inline Rng rng_of(std::uint64_t seed, std::uint64_t number) { return Rng(Rng::mix(seed) ^ Rng::mix(~number)); }

/// A random bf16: a number near 1, a corner case (zero, subnormal, smallest or largest number, infinity, NaN), or any
/// bits.
inline std::uint16_t any_bf16(Rng& rng) {
  const auto sign = static_cast<std::uint16_t>(rng.chance(50) ? 0x8000 : 0);
  switch (rng.weighted({6, 3, 1})) {
    case 0:
      return static_cast<std::uint16_t>(sign | rng.between(0x3e00, 0x4180));
    case 1:
      return sign | rng.any<std::uint16_t>({0, 1, 0x7f, 0x80, 0x81, 0x3f80, 0x3f7f, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0,
                                            0x7fff, 0x4000, 0x0040, 0x2000, 0x5f00});
    default:
      return static_cast<std::uint16_t>(rng.next());
  }
}

/// A random 16-bit number: small, a corner case, a bf16, any, or an address in a memory of so many elements, often at
/// its end.
inline std::uint16_t any_number(Rng& rng, int lanes, int elements) {
  const int words = elements / lanes;
  switch (rng.weighted({3, 2, 6, 5, 2, 1})) {
    case 0:
      return static_cast<std::uint16_t>(rng.below(20));
    case 1:
      return rng.any<std::uint16_t>({0, 1, 2, 255, 256, 257, 0x7fff, 0x8000, 0xfffe, 0xffff});
    case 2:
      return any_bf16(rng);
    case 3:
      return static_cast<std::uint16_t>(rng.below(words) * lanes);
    case 4:
      return static_cast<std::uint16_t>(rng.any({elements, 65536}) - rng.between(-2, 6) * lanes +
                                        (rng.chance(20) ? 1 : 0));
    default:
      return static_cast<std::uint16_t>(rng.next());
  }
}

}  // namespace weft::random
