#include "host/memoryx/fixed_point.hpp"

#include <algorithm>
#include <cstring>

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

using Eight = std::uint64_t __attribute__((vector_size(8 * kSquare)));

/// Transposes a square. A step interleaves the elements of vectors i and i + 4; the lower halves go to vector 2 i, the
/// upper halves to 2 i + 1.
void transpose(std::array<Eight, kSquare>& v) {
  for (int step = 0; step < 3; ++step) {
    std::array<Eight, kSquare> w;
    for (std::size_t i = 0; i < kSquare / 2; ++i) {
      w[2 * i] = __builtin_shufflevector(v[i], v[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
      w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    v = w;
  }
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

bool add_square(const std::array<std::int64_t*, kSquare>& sum, const std::int64_t* values, std::size_t stride) {
  std::array<Eight, kSquare> rows;
  for (std::size_t j = 0; j < kSquare; ++j) std::memcpy(&rows[j], values + j * stride, sizeof rows[j]);
  transpose(rows);
  Eight wrapped{};  // the top bit is set if a sum wrapped
  for (std::size_t i = 0; i < kSquare; ++i) {
    Eight a;
    std::memcpy(&a, sum[i], sizeof a);
    const Eight b = rows[i], total = a + b;
    wrapped |= (a ^ total) & (b ^ total);
    std::memcpy(sum[i], &total, sizeof total);
  }
  std::uint64_t any = 0;
  for (std::size_t j = 0; j < kSquare; ++j) any |= wrapped[j];
  return any >> 63 == 0;
}

bool add_fixed(std::span<std::int64_t> sum, std::span<const std::uint32_t> words) {
  invariant(sum.size() == words.size(), "fixed point: sums are of the same length");
  const std::uint32_t* __restrict from = words.data();
  return add(sum, [from](std::size_t i) { return fixed(from[i]); });
}

}  // namespace weft::memoryx
