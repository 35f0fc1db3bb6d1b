/// Random shapes train on the RTL and on the functional model with the same bits.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/shapes/train.hpp"
#include "weft_lanes.hpp"

namespace weft::test::rtl_test {
namespace {

void many(int count, const Range& range) {
  Rng rng(test_seed());
  for (int n = 0; n < count; ++n) {
    Job job = random_legal_job(rng, range);
    while (!rtl_has(job.wafer.lanes)) job = random_legal_job(rng, range);
    std::cout << n << ": " << job << std::endl;
    SCOPED_TRACE(testing::Message() << job);
    std::vector<TrainedStep> model, rtl, threads;
    ASSERT_NO_THROW(model = train(job, [&](int) { return make_model_wafer(job.wafer); }));
    ASSERT_NO_THROW(rtl = train(job, [&](int) { return make_rtl_wafer(job.wafer); }));
    ASSERT_NO_THROW(threads = train(job, [&](int) { return make_model_wafer(job.wafer, job.wafer.cols); }));
    EXPECT_EQ(model, rtl);
    EXPECT_EQ(model, threads);
  }
}

TEST(Shapes, TwoSmallRandomOnesTrainOnTheRtlAsOnTheModel) { many(2, kForRtlSmall); }
TEST(ShapesLong, ThirtyRandomOnesTrainOnTheRtlAsOnTheModel) { many(30, kForRtl); }

}  // namespace
}  // namespace weft::test::rtl_test
