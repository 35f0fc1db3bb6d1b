#include "host/memoryx/normal_rng.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "host/memoryx/store.hpp"

namespace weft::memoryx {
namespace {

TEST(NormalRng, HasTheMomentsOfTheNormalDistribution) {
  const NormalRng normal(7, "wte.weight");
  constexpr int kCount = 1000000;
  double sum = 0;
  double square = 0;
  double fourth = 0;
  int beyond_two = 0;
  for (int k = 0; k < kCount; ++k) {
    const double x = normal(static_cast<std::uint64_t>(k));
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
    beyond_two += std::fabs(x) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.004);
  EXPECT_NEAR(square / kCount, 1, 0.006);
  EXPECT_NEAR(fourth / kCount, 3, 0.04);
  EXPECT_NEAR(beyond_two / 1e6, 0.0455, 0.001);
}

TEST(NormalRng, InvertsTheDistribution) {
  for (const double p : {1e-15, 1e-9, 0.001, 0.075, 0.3, 0.5, 0.8, 0.95, 0.999, 1 - 1e-9}) {
    EXPECT_NEAR(0.5 * std::erfc(-inverse_normal(p) / std::sqrt(2.0)) / p, 1, 1e-12) << p;
  }
}

// Values from this implementation: they must never change, on any platform, or earlier runs could not be repeated.
TEST(NormalRng, KeepsItsNumbersForEver) {
  const NormalRng normal(1, "h.0.attn.c_attn.weight");
  EXPECT_EQ(normal.bits(0), 8663988000331695462U);
  EXPECT_EQ(static_cast<float>(normal(0)), -0x1.37a4ecp-4F);
  EXPECT_EQ(static_cast<float>(normal(1000000)), 0x1.f8336cp-3F);
}

TEST(NormalRng, StartOfATensorDependsOnItsNameAndSeedOnly) {
  const compiler::TensorInfo a{"a", {100, 1000}, 0, 100000, true, 0.02F, 0};
  compiler::TensorInfo b{"b", {7}, 0, 7, false, 0, 1.0F};
  Pool alone(0), three(3);
  const auto one = make_dram_store(100007);
  const auto two = make_dram_store(100007);
  initialise(std::vector{a, compiler::TensorInfo{"b", {7}, 100000, 7, false, 0, 1.0F}}, 5, alone, *one);
  initialise(std::vector{b, compiler::TensorInfo{"a", {100, 1000}, 7, 100000, true, 0.02F, 0}}, 5, three, *two);
  double square = 0;
  for (std::size_t i = 0; i < 100000; ++i) {
    ASSERT_EQ(one->weights()[i], two->weights()[i + 7]);
    square += static_cast<double>(one->weights()[i]) * one->weights()[i];
  }
  EXPECT_NEAR(std::sqrt(square / 100000), 0.02, 0.0002);
  EXPECT_EQ(one->weights()[100003], 1.0F);
  initialise(std::vector{a}, 6, alone, *two);
  EXPECT_NE(one->weights()[0], two->weights()[0]);
}

}  // namespace
}  // namespace weft::memoryx
