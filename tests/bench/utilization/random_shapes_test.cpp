/// The estimate of a micro-batch's cycles, compared with the RTL on random shapes.
#include "bench/utilization/random_shapes.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "sw/compiler/placement/space.hpp"
#include "tests/random.hpp"

namespace weft::bench {
namespace {

/// Also prints the error. `weft-bench --seed N estimate` has the phases of the same shapes.
void expect_near_rtl(unsigned n, std::int64_t most_work) {
  const RandomShape shape = random_shape(static_cast<unsigned>(test::test_seed()), n, most_work);
  const double ratio = estimated_over_rtl(shape);
  std::printf("estimated / RTL: %.3f on %s\n", ratio, shape.text().c_str());
  EXPECT_NEAR(ratio, 1, 0.05) << shape.text();
}

TEST(RandomShapes, AreEstimatedWithinFivePercent) {
  constexpr std::int64_t kLittle = 2'000'000;  // a second of RTL
  for (unsigned n = 0; n < 3; ++n) expect_near_rtl(n, kLittle);
}

TEST(RandomShapes, EveryThirdHasShortVectorsAndHeadsOverSeveralRows) {
  constexpr std::int64_t kLittle = 2'000'000;
  for (unsigned n = 2; n < 30; n += 3) {
    const RandomShape shape = random_shape(1, n, kLittle);
    const int beats = shape.plan.tokens_per_column / shape.wafer.lanes;
    EXPECT_GE(beats, 1) << shape.text();
    EXPECT_LE(beats, 3) << shape.text();
    EXPECT_GT(compiler::rows_per_head(shape.model.heads, shape.model.hidden / shape.model.heads, shape.wafer.rows,
                                      shape.model.head_unit()),
              1)
        << shape.text();
  }
}

class RandomShapesLong : public testing::TestWithParam<unsigned> {};

TEST_P(RandomShapesLong, AreEstimatedWithinFivePercent) { expect_near_rtl(GetParam(), kMostWork); }

INSTANTIATE_TEST_SUITE_P(Thirty, RandomShapesLong, testing::Range(0U, 30U));

}  // namespace
}  // namespace weft::bench
