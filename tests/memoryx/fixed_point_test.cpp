#include "host/memoryx/fixed_point.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace weft::memoryx {
namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(FixedPoint, RoundsEachValueToTheNearestMultiple) {
  std::mt19937_64 random(1);
  std::vector<std::uint32_t> words(10000);
  for (std::uint32_t& word : words) {
    const double size = std::exp2(std::uniform_real_distribution<double>(-60, 10.9)(random));
    word = bits(static_cast<float>((random() & 1) != 0 ? size : -size));
  }
  words[0] = 0;
  words[1] = bits(std::nextafter(kGradientLimit, 0.0F));
  words[2] = bits(-std::nextafter(kGradientLimit, 0.0F));
  words[3] = bits(0x1p-41F);  // a tie, rounded to even
  words[4] = bits(0x3p-41F);
  words[5] = 1;  // subnormal
  std::vector<std::int64_t> fixed(words.size());
  ASSERT_EQ(to_fixed(words, fixed), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double exact = static_cast<double>(std::bit_cast<float>(words[i])) * 0x1p40;
    EXPECT_EQ(fixed[i], std::llrint(exact)) << i;
  }
}

TEST(FixedPoint, TheLargestSumStaysInRange) {
  std::vector<std::uint32_t> words(1, bits(std::nextafter(kGradientLimit, 0.0F)));
  std::vector<std::int64_t> fixed(1);
  ASSERT_EQ(to_fixed(words, fixed), 1U);
  std::int64_t total = 0;
  EXPECT_FALSE(__builtin_mul_overflow(fixed[0], static_cast<std::int64_t>(kMaxContributions), &total));
}

TEST(FixedPoint, FindsTheFirstValueOutOfRange) {
  for (const float bad : {kGradientLimit, -kGradientLimit, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN()}) {
    for (const std::size_t at : {0U, 17U, 99U}) {
      std::vector<std::uint32_t> words(100, bits(1.0F));
      words[at] = bits(bad);
      words[99] = bits(bad);
      std::vector<std::int64_t> fixed(words.size());
      EXPECT_EQ(to_fixed(words, fixed), at) << bad;
    }
  }
}

TEST(FixedPoint, ConvertsAnyIntegerToDoubleAsACastDoes) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const auto value = static_cast<std::int64_t>(random()) >> (random() % 64);
    ASSERT_EQ(to_double(value), static_cast<double>(value));
  }
  EXPECT_EQ(to_double(std::numeric_limits<std::int64_t>::min()), -0x1p63);
  EXPECT_EQ(to_double(std::numeric_limits<std::int64_t>::max()), 0x1p63);
}

}  // namespace
}  // namespace weft::memoryx
