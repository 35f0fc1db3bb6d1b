#include "host/memoryx/fixed_point.hpp"

#include <algorithm>

#include "host/memoryx/invariant.hpp"

namespace weft {

std::size_t to_fixed(std::span<const std::uint32_t> words, std::span<std::int64_t> out) {
  invariant(words.size() == out.size(), "fixed point: one result per word");
  constexpr double kScale = 1ULL << kGradientBits;
  // Adding 1.5 * 2^52 to a double below 2^51 in size leaves its nearest integer in the low bits.
  constexpr double kMagic = 0x1.8p52;
  constexpr auto kMagicBits = std::bit_cast<std::int64_t>(kMagic);
  const std::uint32_t* __restrict in = words.data();
  std::int64_t* __restrict to = out.data();
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    largest = std::max(largest, in[i] & 0x7FFFFFFFU);
    const double scaled = static_cast<double>(std::bit_cast<float>(in[i])) * kScale;
    to[i] = std::bit_cast<std::int64_t>(scaled + kMagic) - kMagicBits;
  }
  // Without the sign, the bits of fp32 order like integers, and infinity and NaN are the largest.
  constexpr auto kLimit = std::bit_cast<std::uint32_t>(kGradientLimit);
  if (largest < kLimit) return words.size();
  const auto bad = std::find_if(words.begin(), words.end(), [](auto word) { return (word & 0x7FFFFFFFU) >= kLimit; });
  return static_cast<std::size_t>(bad - words.begin());
}

bool add_fixed(std::span<std::int64_t> sum, std::span<const std::int64_t> values) {
  invariant(sum.size() == values.size(), "fixed point: sums are of the same length");
  std::int64_t* __restrict to = sum.data();
  const std::int64_t* __restrict from = values.data();
  std::uint64_t wrapped = 0;  // its top bit
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const auto a = static_cast<std::uint64_t>(to[i]), b = static_cast<std::uint64_t>(from[i]);
    wrapped |= (a ^ (a + b)) & (b ^ (a + b));
    to[i] = static_cast<std::int64_t>(a + b);
  }
  return wrapped >> 63 == 0;
}

}  // namespace weft
