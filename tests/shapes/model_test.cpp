/// Random shapes train on the functional model.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "tests/shapes/train.hpp"

namespace weft::test::model_test {
namespace {

void expect_training(const Job& job) {
  const int threads = 1 + job.model.seq % 3;
  const auto steps = train(job, [&](int) { return make_model_wafer(job.wafer, threads); });
  // An untrained model hardly prefers any token, except the current one if the head is tied.
  EXPECT_NEAR(steps[0].loss, std::log(job.model.vocab), 0.25 + 0.02 * job.model.hidden);
  for (const TrainedStep& step : steps) {
    EXPECT_TRUE(std::isfinite(step.loss));
    // LayerNorm of one feature is constant; with equally many labels of each kind, no gradient remains either.
    EXPECT_GT(step.gradient_norm, job.model.hidden > 1 ? 0 : -1);
    EXPECT_TRUE(std::isfinite(step.gradient_norm));
  }
  EXPECT_NE(steps[0].state_hash, steps[1].state_hash);
}

void many(int count, const Range& range) {
  Rng rng(test_seed());
  for (int n = 0; n < count; ++n) {
    const Job job = random_legal_job(rng, range);
    std::cout << n << ": " << job << std::endl;
    SCOPED_TRACE(testing::Message() << job);
    ASSERT_NO_THROW(expect_training(job));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Shapes, EightRandomOnesTrainOnTheModel) { many(8, kForModel); }
TEST(ShapesLong, AThousandRandomOnesTrainOnTheModel) { many(1000, kForModel); }
TEST(ShapesLong, FiftyRandomOnesOnLargeMeshesTrainOnTheModel) { many(50, kForLargeMeshes); }

}  // namespace
}  // namespace weft::test::model_test
