/// A seeded permutation that needs no table.
#pragma once

#include <bit>
#include <cstdint>

namespace weft::data {

/// Finalizer of splitmix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Position of `x`, from 0..size-1, in the permutation that `seed` selects.
///
/// A Feistel network permutes the numbers of an even count of bits; cycle walking until the number is below `size`
/// (fewer than four rounds on average) makes it a permutation of 0..size-1.
constexpr std::uint64_t permute(std::uint64_t x, std::uint64_t size, std::uint64_t seed) {
  const int half = (std::bit_width(size - 1) + 1) / 2;
  if (half == 0) return 0;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = x >> half, right = x & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (mix64(right ^ mix64(seed + round)) & mask);
      left = right;
      right = next;
    }
    x = left << half | right;
  } while (x >= size);
  return x;
}

}  // namespace weft::data
