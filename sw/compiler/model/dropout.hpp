/// Numbers from which tiles compute the masks of dropout, and the masks themselves (docs/explanation/dropout.md).
#pragma once

#include <array>
#include <cstdint>

#include "sw/base/bf16.hpp"

namespace weft::compiler {

/// The numbers that a token, a feature or an operation contributes to a mask.
constexpr int kDropoutNumbers = 4;
/// A token's numbers as tiles have them: the first three follow the last one, so that each begins a round of four.
constexpr int kSentNumbers = 2 * kDropoutNumbers - 1;
using DropoutNumbers = std::array<bf16, kDropoutNumbers>;

/// A value of the flag with which tiles drop features; with 0 they keep all.
constexpr std::uint16_t kDrops = 0xffff;

/// The samples of a micro-batch: those of `step` (from 0) from number `first` on.
struct DropoutSamples {
  std::uint64_t step = 0, first = 0;
};

/// Numbers of a token, odd multiples of 1/512 in (-1/2, 1/2). `sample`: its number in the step.
DropoutNumbers token_numbers(std::uint64_t seed, std::uint64_t step, std::uint64_t sample, int position);
/// Numbers of a feature, multiples of 1/8 with a size of 16 to below 32.
DropoutNumbers feature_numbers(int feature);
/// Numbers of a network's n-th dropout, with the range of feature_numbers().
DropoutNumbers site_numbers(int site);

/// How a tile drops with probability p: a feature is kept if its random number is at most `below` * `factor`, and then
/// multiplied by `hi` + `lo`.
struct DropoutFactors {
  bf16 below = 0, factor = 0, hi = 0, lo = 0;
};
/// Throws std::invalid_argument unless 0 <= p < 1.
DropoutFactors dropout_factors(double p);

/// The feature of a query whose number is that of its weight of a key, by the key's position in a sequence of `seq`.
constexpr int weight_feature(int head, int key, int seq) { return head * seq + key; }

/// The random number of a feature of a token, in [-1/2, 1/2], with the bits that a tile computes.
double dropout_number(const DropoutNumbers& token, const DropoutNumbers& site, const DropoutNumbers& feature);
/// True if a tile keeps the feature.
bool is_kept(const DropoutFactors& factors, double number);

}  // namespace weft::compiler
