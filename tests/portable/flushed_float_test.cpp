/// Operations at the lower end of the normal range (sw/base/flushed_float.hpp).
#include "sw/base/flushed_float.hpp"

#include <gtest/gtest.h>

#include "verif/model/numbers/numbers.hpp"

namespace weft::test {
namespace {

constexpr float kSmallest = 0x1p-126F;

// The operands pass through these functions, so that the compiler evaluates nothing before FlushDenormals is in force.
[[gnu::noinline]] float product(float a, float b) { return static_cast<float>(FlushedFloat(a) * FlushedFloat(b)); }
[[gnu::noinline]] float quotient(float a, float b) { return static_cast<float>(FlushedFloat(a) / FlushedFloat(b)); }
[[gnu::noinline]] float difference(float a, float b) { return static_cast<float>(FlushedFloat(a) - FlushedFloat(b)); }
[[gnu::noinline]] float nearest(double x) { return static_cast<float>(static_cast<FlushedFloat>(x)); }

// (1 - d) (1 + d) = 1 - d^2. In 24 bits, a number rounds up to the smallest normal one from half a unit of 2^-24 below
// it on: for d = 2^-13, but not for d = 2^-12. Rounded to a multiple of 2^-149 both become the smallest normal number.
TEST(FlushedFloat, AResultIsRoundedBeforeItIsFlushed) {
  const model::FlushDenormals mode;
  EXPECT_EQ(product(1 - 0x1p-13F, kSmallest * (1 + 0x1p-13F)), kSmallest);
  EXPECT_EQ(as_bits(product(-(1 - 0x1p-13F), kSmallest * (1 + 0x1p-13F))), as_bits(-kSmallest));
  EXPECT_EQ(as_bits(product(1 - 0x1p-12F, kSmallest * (1 + 0x1p-12F))), 0u);
  EXPECT_EQ(as_bits(product(-(1 - 0x1p-12F), kSmallest * (1 + 0x1p-12F))), 0x80000000u);
  EXPECT_EQ(nearest(0x1p-126 - 0x1p-151), kSmallest);
  EXPECT_EQ(as_bits(nearest(-0x1.ffffff7p-127)), as_bits(-kSmallest));
  EXPECT_EQ(as_bits(nearest(-0x1.fffffefp-127)), 0x80000000u);
  EXPECT_EQ(as_bits(nearest(0x1p-126 - 0x1p-150)), 0u);
}

TEST(FlushedFloat, ASubnormalCountsAsZeroOfItsSign) {
  const model::FlushDenormals mode;
  const float subnormal = as_float(0x007fffff);
  EXPECT_EQ(as_bits(product(-subnormal, 0x1p100F)), 0x80000000u);
  EXPECT_EQ(quotient(1, subnormal), INFINITY);
  EXPECT_EQ(as_bits(quotient(0x1.8p-126F, -2)), 0x80000000u);
  EXPECT_EQ(quotient(0x1p-125F, 2), kSmallest);
  EXPECT_EQ(as_bits(difference(0x1.8p-126F, 0x1p-126F)), 0u);
  EXPECT_EQ(as_bits(difference(0x1p-126F, 0x1.8p-126F)), 0x80000000u);
  EXPECT_EQ(difference(1, subnormal), 1);
}

}  // namespace
}  // namespace weft::test
