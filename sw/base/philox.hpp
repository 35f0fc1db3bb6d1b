/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): random numbers as a function of
/// a counter and a key, with no state.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// 128 random bits. Distinct counters of a key give distinct results.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kFirst = 0xD2511F53, kSecond = 0xCD9E8D57;
  constexpr std::uint32_t kFirstStep = 0x9E3779B9, kSecondStep = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = kFirst * counter[0], b = kSecond * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += kFirstStep, key[1] += kSecondStep;
  }
  return counter;
}

}  // namespace weft
