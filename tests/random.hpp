/// Random numbers for tests: a test is determined by one printed seed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace weft::test {

/// The seed of a random test: WEFT_SEED of the environment, or a fixed one; printed.
inline std::uint64_t test_seed() {
  const char* text = std::getenv("WEFT_SEED");
  const std::uint64_t value = text ? std::strtoull(text, nullptr, 0) : 20240229;
  std::printf("WEFT_SEED=%llu\n", static_cast<unsigned long long>(value));
  return value;
}

/// The output function of splitmix64: injective, and without visible patterns.
inline std::uint64_t mix(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// splitmix64.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15); }

  /// 0..n-1
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }

  /// True with a probability of `percent` in a hundred.
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace weft::test
