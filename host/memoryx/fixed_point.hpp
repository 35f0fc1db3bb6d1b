/// Gradients as 64-bit fixed point, so that their sum does not depend on the order of additions.
///
/// One wafer's gradient for one micro-batch is fp32; it is converted once, by to_fixed, to multiples of 2^-40, wherever
/// it first meets another value: at a node or in MemoryX. A value must be below 2^11 in size; as fp32 has 24 bits, it
/// is then at most 2^51 - 2^27 after scaling. A sum of at most 4096 of them is below 2^12 * 2^51 = 2^63: as long as a
/// parameter gets no more than 4096 contributions in a step (ExactSum checks that bound before the first one), no
/// addition on any node of the tree can wrap.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "host/memoryx/diverged.hpp"

namespace weft::memoryx {

inline constexpr int kGradientBits = 40;                  ///< fraction bits
inline constexpr float kGradientLimit = 2048.0F;          ///< exclusive bound of |g| of one micro-batch
inline constexpr std::uint64_t kMaxContributions = 4096;  ///< micro-batches times uses of a parameter, per step

/// A gradient that is infinite, not a number or too large to be summed exactly; `what()` names the tensor.
struct GradientOverflow : Diverged {
  using Diverged::Diverged;
};

/// out[i] = round to nearest even(value of fp32 bits words[i] * 2^40). Returns words.size(), or the index of the first
/// word that is infinite, not a number or not below kGradientLimit; `out` is then unspecified.
std::size_t to_fixed(std::span<const std::uint32_t> words, std::span<std::int64_t> out);

/// Returns words.size() if to_fixed accepts all words, otherwise the index of the first one that it rejects.
std::size_t first_unfixed(std::span<const std::uint32_t> words);

/// sum[i] += values[i]. Returns false if a sum wrapped, which values sent by wafers cannot cause; `sum` is then
/// unspecified.
[[nodiscard]] bool add_fixed(std::span<std::int64_t> sum, std::span<const std::int64_t> values);
/// A square of sums: sum[i][j] += values[j * stride + i]. Returns as above.
inline constexpr std::size_t kSquare = 8;
[[nodiscard]] bool add_square(const std::array<std::int64_t*, kSquare>& sum, const std::int64_t* values,
                              std::size_t stride);
/// Overload for words that to_fixed accepts.
[[nodiscard]] bool add_fixed(std::span<std::int64_t> sum, std::span<const std::uint32_t> words);

/// Equivalent to static_cast<double>, but AVX2, which lacks such an instruction, can convert four values at once: the
/// two halves become the mantissas of 2^84 + 2^63 + high and 2^52 + low; only the last addition rounds.
inline double to_double(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const auto low = std::bit_cast<double>((bits & 0xFFFFFFFFU) | 0x4330000000000000U);
  const auto high = std::bit_cast<double>((bits >> 32) ^ 0x4530000080000000U);
  return (high - std::bit_cast<double>(0x4530000080100000U)) + low;
}

}  // namespace weft::memoryx
