/// Samples that a program gives.
#include "host/data/given_samples.hpp"

#include <gtest/gtest.h>

#include "host/data/data.hpp"

namespace weft::data {
namespace {

using Ids = std::vector<TokenId>;

TEST(GivenSamples, AStepReadsThoseThatWereGivenLast) {
  const auto samples = std::make_shared<GivenSamples>(2);
  std::vector<DataSet> sets;
  sets.push_back({samples});
  TrainingData data(std::move(sets), {.seq = 2, .batch = 4, .micro_batch = 2});
  data.set_position(7, 100);  // a run that continues
  samples->give(data.position(6), {.inputs = Ids(8, 9), .labels = Ids(8, 9)});
  samples->give(data.position(7), {.inputs = {1, 2, 3, 4, 5, 6, 7, 8}, .labels = {2, 3, 4, 5, 6, 7, 8, kNoLabel}});
  const Batch last = data.micro_batch(7, 1);
  EXPECT_EQ(data.micro_batch(7, 0).inputs, (Ids{1, 2, 3, 4}));
  EXPECT_EQ(last.inputs, (Ids{5, 6, 7, 8}));
  EXPECT_EQ(last.labels, (Ids{6, 7, 8, kNoLabel}));
}

TEST(GivenSamples, AnEvaluationTakesAsManyAsThereAre) {
  const auto samples = std::make_shared<GivenSamples>(1);
  samples->give(0, {.inputs = {1, 2, 3}, .labels = {2, 3, 4}});
  const EvalData data(samples, 2, 3);
  EXPECT_EQ(data.micro_batches(), 2);
  EXPECT_EQ(data.micro_batch(1).labels, (Ids{4}));
}

}  // namespace
}  // namespace weft::data
