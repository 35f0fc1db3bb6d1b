/// The weight of the first of two losses: labels of the step divided by its classes.
#include "host/data/class_weight.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "host/data/data.hpp"
#include "host/data/given_samples.hpp"
#include "sw/base/token_id.hpp"

namespace weft::data {
namespace {

TEST(ClassWeight, IsThatOfAWholeStepInEachOfItsMicroBatches) {
  const TokenId both = with_class(3, 1), token = with_class(4, kNoLabel);
  auto samples = std::make_shared<GivenSamples>(2);
  samples->give(
      0, {.inputs = {1, 2, 3, 4, 5, 6, 7, 8}, .labels = {both, token, token, kNoLabel, both, token, token, token}});
  std::vector<DataSet> sets;
  sets.push_back({samples});
  const TrainingData data(std::move(sets), {.seq = 2, .batch = 4, .micro_batch = 1, .two_losses = true});
  for (int m = 0; m < 4; ++m) EXPECT_EQ(data.micro_batch(0, m).class_weight, 3.5F);
  std::vector<DataSet> plain;
  plain.push_back({samples});
  const TrainingData one(std::move(plain), {.seq = 2, .batch = 4, .micro_batch = 1});
  EXPECT_EQ(one.micro_batch(0, 0).class_weight, 1);
}

TEST(ClassWeight, AsksForTheSamplesOfAStepOnce) {
  ClassWeight weight;
  int asked = 0;
  const auto samples = [&] {
    ++asked;
    return Batch{.inputs = {1, 2}, .labels = {with_class(1, kNoLabel), with_class(1, kNoLabel)}};
  };
  EXPECT_EQ(weight.of(4, samples), 1);  // no class
  EXPECT_EQ(weight.of(4, samples), 1);
  EXPECT_EQ(asked, 1);
  weight.of(8, samples);
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace weft::data
