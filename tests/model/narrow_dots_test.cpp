/// Dot products of beats of four elements (verif/model/instructions/narrow_dots.hpp), compared with integer arithmetic.
#include "verif/model/instructions/narrow_dots.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "verif/model/numbers/numbers.hpp"

namespace weft::model {
namespace {

constexpr int kWidth = NarrowDots::kWidth;

/// bf16 with near exponents, so that sums cancel, and some of all kinds.
std::vector<std::uint16_t> some_values(std::mt19937& random, int size) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(size));
  for (auto& value : values) {
    const std::uint32_t bits = random();
    value = static_cast<std::uint16_t>(bits >> 28 ? (bits & 0x807f) | (120 + (bits >> 16) % 12) << 7 : bits);
  }
  return values;
}

/// Makes NaN canonical.
std::uint32_t without_payload(std::uint32_t bits) { return weft::is_nan(bits) ? 0x7fc00000 : bits; }

/// Compares the sums of all lanes of `n` features, and checks that nothing is stored past them.
template <int Outputs>
void expect_same(std::mt19937& random, int n, int beats) {
  SCOPED_TRACE(testing::Message() << Outputs << " outputs, " << n << " features, " << beats << " beats");
  constexpr int kPast = 32;  // elements that a vector may read past a feature
  std::vector<std::vector<std::uint16_t>> features, deltas;
  std::vector<std::vector<std::uint32_t>> words(Outputs);
  std::vector<std::vector<float>> sums(Outputs, std::vector<float>(static_cast<std::size_t>(n * kWidth + kWidth), 3));
  std::vector<const std::uint16_t*> x;
  for (int f = 0; f < n; ++f) features.push_back(some_values(random, beats * kWidth + kPast));
  for (const auto& feature : features) x.push_back(feature.data());
  NarrowDots::Deltas<Outputs> dy;
  dy.beats = beats;
  float* to[Outputs];
  for (std::size_t o = 0; o < Outputs; ++o) {
    deltas.push_back(some_values(random, beats * kWidth));
    for_terms(beats, [&](int beat, int last, auto alone) {
      for (int lane = 0; lane < kWidth; ++lane) {
        const auto at = [&](int b) { return std::uint32_t{deltas[o][static_cast<std::size_t>(b * kWidth + lane)]}; };
        words[o].push_back(weights(alone, at(beat), at(last)));
      }
    });
    dy.of[o] = words[o].data();
    to[o] = sums[o].data();
  }
  {
    const FlushDenormals mode;
    NarrowDots::sums(dy, x.data(), n, to);
  }
  for (std::size_t o = 0; o < Outputs; ++o) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(n * kWidth); ++k) {
      std::uint32_t expected = 0;
      for (std::size_t at = k % kWidth; at < deltas[o].size(); at += kWidth)
        expected = fma_bits(features[k / kWidth][at], deltas[o][at], expected);
      ASSERT_EQ(without_payload(as_bits(sums[o][k])), without_payload(expected)) << "output " << o << ", sum " << k;
    }
    for (std::size_t k = static_cast<std::size_t>(n * kWidth); k < sums[o].size(); ++k) EXPECT_EQ(sums[o][k], 3);
  }
}

TEST(NarrowDots, AreSumsInTheOrderOfBeats) {
  std::mt19937 random(5);
  for (int n = 1; n <= 20; ++n)
    for (int beats = 1; beats <= 9; ++beats) {
      expect_same<1>(random, n, beats);
      expect_same<2>(random, n, beats);
      expect_same<8>(random, n, beats);
    }
}

}  // namespace
}  // namespace weft::model
