/// Weighted mixtures of samples from several data sets.
#include "host/data/mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "host/data/data.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

using Parts = std::vector<std::uint64_t>;

Mixture mixture(std::vector<double> weights) { return Mixture(weights); }

TEST(Mixture, SingleSetIsItself) {
  const Mixture one = mixture({3});
  for (const std::uint64_t position : {0ULL, 1ULL, 9999ULL, 10000ULL, 123456789012ULL}) {
    EXPECT_EQ(one.at(position).set, 0U);
    EXPECT_EQ(one.at(position).position, position);
  }
}

TEST(Mixture, SharesAreWholePartsOfTenThousand) {
  EXPECT_EQ(mixture({0.29, 0.71}).parts(), (Parts{2900, 7100}));
  EXPECT_EQ(mixture({3, 1}).parts(), (Parts{7500, 2500}));
  EXPECT_EQ(mixture({1, 1, 1}).parts(), (Parts{3334, 3333, 3333}));
  EXPECT_EQ(mixture({1e9, 1e5}).parts(), (Parts{9999, 1}));
}

TEST(Mixture, AWeightThatIsLessThanAPartIsRefused) {
  try {
    mixture({1, 1e-5});
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_EQ(e.problem(), "1e-05 of 1.00001 is less than one sample in 10000");
  }
}

/// For many random weights, each set's samples occur in order, once each, and its share is right at every position.
TEST(Mixture, EachSetHasItsShareOfAnyFirstPositionsButForLessThanOne) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<double> weights(1 + random() % 9);
    for (double& weight : weights) weight = 1 + static_cast<double>(random() % 1000);
    const Mixture some = mixture(weights);
    ASSERT_EQ(std::accumulate(some.parts().begin(), some.parts().end(), std::uint64_t{0}), Mixture::kCycle);
    std::vector<std::uint64_t> taken(weights.size());
    for (std::uint64_t position = 0; position < 2 * Mixture::kCycle + 7; ++position) {
      const Mixture::Place place = some.at(position);
      ASSERT_EQ(place.position, taken[place.set]++) << "trial " << trial << ", position " << position;
      for (std::size_t set = 0; set < weights.size(); ++set) {
        const double exact = static_cast<double>((position + 1) * some.parts()[set]) / Mixture::kCycle;
        ASSERT_LT(std::abs(exact - static_cast<double>(taken[set])), 1) << "trial " << trial << ", set " << set;
      }
    }
  }
}

DataSet ids_from(TokenId first, int samples, double weight) {
  std::vector<TokenId> ids(static_cast<std::size_t>(2 * samples) + 1);
  std::iota(ids.begin(), ids.end(), first);
  return {std::make_shared<TokenSamples>(Tokens(ids), 2), weight};
}

TEST(TrainingData, EachSetHasEpochsOfItsOwn) {
  const TrainingData data({ids_from(0, 100, 1), ids_from(1000, 100, 3)},
                          {.seq = 2, .batch = 8, .micro_batch = 4, .shuffle = true, .seed = 7});
  EXPECT_EQ(data.samples(), 200U);
  EXPECT_EQ(data.tokens(), 402U);
  std::vector<std::uint64_t> first, second;
  for (std::uint64_t step = 0; step < 50; ++step) {
    int of_first = 0;
    for (int m = 0; m < 2; ++m) {
      const Batch batch = data.micro_batch(step, m);
      for (std::size_t at = 0; at < batch.inputs.size(); at += 2) {
        of_first += batch.inputs[at] < 1000;
        (batch.inputs[at] < 1000 ? first : second).push_back(batch.inputs[at]);
        EXPECT_EQ(batch.labels[at], batch.inputs[at] + 1);
      }
    }
    EXPECT_EQ(of_first, 2) << "of 8 samples, step " << step;
  }
  ASSERT_EQ(first.size(), 100U);  // one epoch of the first, three of the second
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 100U);
  for (int epoch = 0; epoch < 3; ++epoch)
    EXPECT_EQ(std::set(second.begin() + 100 * epoch, second.begin() + 100 * (epoch + 1)).size(), 100U);
  for (std::uint64_t& id : second) id -= 1000;
  second.resize(100);
  EXPECT_NE(first, second) << "sets of the same size are in orders of their own";
}

TEST(TrainingData, TheFirstSetAloneIsWhatItWas) {
  const SampleShape shape{.seq = 2, .batch = 4, .micro_batch = 4, .shuffle = true, .seed = 3};
  const auto samples = ids_from(0, 50, 1).samples;
  const TrainingData alone({{samples, 1}}, shape), with({{samples, 1}, ids_from(1000, 50, 1)}, shape);
  std::vector<TokenId> of_first;
  for (std::uint64_t step = 0; step < 10; ++step)
    for (const TokenId id : with.micro_batch(step, 0).inputs)
      if (id < 1000) of_first.push_back(id);
  std::vector<TokenId> all;
  for (std::uint64_t step = 0; step < 5; ++step) {
    const auto inputs = alone.micro_batch(step, 0).inputs;
    all.insert(all.end(), inputs.begin(), inputs.end());
  }
  EXPECT_EQ(of_first, all);
  EXPECT_NE(alone.checksum(), with.checksum());
}

}  // namespace
}  // namespace weft::data
