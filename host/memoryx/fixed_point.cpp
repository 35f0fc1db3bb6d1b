#include "host/memoryx/fixed_point.hpp"

#include <algorithm>

#include "sw/base/invariant.hpp"

namespace weft::memoryx {

namespace {

constexpr auto kLimit = std::bit_cast<std::uint32_t>(kGradientLimit);

std::uint32_t size_of(std::uint32_t word) { return word & 0x7FFFFFFFU; }

/// Converts a word below kGradientLimit. Adding 1.5 * 2^52 to a double below 2^51 in size leaves its nearest integer in
/// the low bits.
std::int64_t fixed(std::uint32_t word) {
  constexpr double kScale = 1ULL << kGradientBits, kMagic = 0x1.8p52;
  const double scaled = static_cast<double>(std::bit_cast<float>(word)) * kScale;
  return std::bit_cast<std::int64_t>(scaled + kMagic) - std::bit_cast<std::int64_t>(kMagic);
}

/// Index of the first word that is too large, or words.size(). `largest` is the size of the largest word. Without the
/// sign, the bits of fp32 order like integers, and infinity and NaN are the largest.
std::size_t first_of(std::span<const std::uint32_t> words, std::uint32_t largest) {
  if (largest < kLimit) return words.size();
  const auto bad = std::ranges::find_if(words, [](std::uint32_t word) { return size_of(word) >= kLimit; });
  return static_cast<std::size_t>(bad - words.begin());
}

/// sum[i] += value(i). Returns false if a sum wrapped.
template <class Value>
bool add(std::span<std::int64_t> sum, Value value) {
  std::int64_t* __restrict to = sum.data();
  std::uint64_t wrapped = 0;  // the top bit is set if a sum wrapped
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const auto a = static_cast<std::uint64_t>(to[i]), b = static_cast<std::uint64_t>(value(i));
    wrapped |= (a ^ (a + b)) & (b ^ (a + b));
    to[i] = static_cast<std::int64_t>(a + b);
  }
  return wrapped >> 63 == 0;
}

}  // namespace

std::size_t to_fixed(std::span<const std::uint32_t> words, std::span<std::int64_t> out) {
  invariant(words.size() == out.size(), "fixed point: one result per word");
  const std::uint32_t* __restrict in = words.data();
  std::int64_t* __restrict to = out.data();
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    largest = std::max(largest, size_of(in[i]));
    to[i] = fixed(in[i]);
  }
  return first_of(words, largest);
}

std::size_t first_unfixed(std::span<const std::uint32_t> words) {
  std::uint32_t largest = 0;
  for (const std::uint32_t word : words) largest = std::max(largest, size_of(word));
  return first_of(words, largest);
}

bool add_fixed(std::span<std::int64_t> sum, std::span<const std::int64_t> values) {
  invariant(sum.size() == values.size(), "fixed point: sums are of the same length");
  const std::int64_t* __restrict from = values.data();
  return add(sum, [from](std::size_t i) { return from[i]; });
}

bool add_fixed(std::span<std::int64_t> sum, std::span<const std::uint32_t> words) {
  invariant(sum.size() == words.size(), "fixed point: sums are of the same length");
  const std::uint32_t* __restrict from = words.data();
  return add(sum, [from](std::size_t i) { return fixed(from[i]); });
}

}  // namespace weft::memoryx
