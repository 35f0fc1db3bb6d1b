#include "host/data/data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "host/data/permutation.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

std::vector<TokenId> count(int n) {
  std::vector<TokenId> tokens(n);
  std::iota(tokens.begin(), tokens.end(), TokenId{0});
  return tokens;
}

TEST(TrainingData, WithoutShuffleSamplesComeInOrder) {
  const TrainingData data(count(100), {.seq = 4, .batch = 6, .micro_batch = 2});
  EXPECT_EQ(data.samples(), 24U);
  EXPECT_EQ(data.micro_batches(), 3);
  const Batch b = data.micro_batch(1, 2);  // samples 10 and 11
  EXPECT_EQ(b.inputs, (std::vector<TokenId>{40, 41, 42, 43, 44, 45, 46, 47}));
  EXPECT_EQ(b.labels, (std::vector<TokenId>{41, 42, 43, 44, 45, 46, 47, 48}));
}

TEST(TrainingData, WrapsAfterTheLastWholeSample) {
  const TrainingData data(count(12), {.seq = 4, .batch = 3, .micro_batch = 3});  // 2 samples, 3 tokens unused
  EXPECT_EQ(data.samples(), 2U);
  EXPECT_EQ(data.micro_batch(0, 0).inputs, (std::vector<TokenId>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(data.micro_batch(1, 0).inputs[0], 4);
}

TEST(TrainingData, ABatchAfterAnotherContinuesWithTheSampleThatFollows) {
  TrainingData data(count(100), {.seq = 4, .batch = 2, .micro_batch = 1});
  data.set_position(3, 15);  // three steps of five samples each
  EXPECT_EQ(data.position(3), 15U);
  EXPECT_EQ(data.position(5), 19U);
  EXPECT_EQ(data.micro_batch(4, 1).inputs, (std::vector<TokenId>{72, 73, 74, 75}));
  EXPECT_EQ(data.micro_batch_at(17, 1).inputs, data.micro_batch(4, 1).inputs);
  data.set_position(10, 3);  // fewer samples than steps of two samples would use
  EXPECT_EQ(data.micro_batch(11, 0).inputs[0], 20);
}

TEST(TrainingData, ExactlyOneSampleNeedsItsLastLabel) {
  EXPECT_EQ(TrainingData(count(5), {.seq = 4}).samples(), 1U);
  EXPECT_THROW(TrainingData(count(4), {.seq = 4}), Refusal);
  EXPECT_THROW(TrainingData(Tokens(), {.seq = 4}), Refusal);
}

TEST(TrainingData, AShuffledEpochTakesEachSampleOnceInAnOrderOfItsOwn) {
  const TrainingData data(count(1000), {.seq = 3, .shuffle = true, .seed = 7});
  std::vector<std::uint64_t> first, second;
  for (std::uint64_t k = 0; k < data.samples(); ++k) {
    first.push_back(data.sample_at(k).position);
    second.push_back(data.sample_at(data.samples() + k).position);
  }
  EXPECT_NE(first, second);
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), data.samples());
  EXPECT_EQ(std::set(second.begin(), second.end()).size(), data.samples());
}

TEST(TrainingData, TheOrderDependsOnTheSeedAlone) {
  const SampleShape shape{.seq = 3, .batch = 8, .micro_batch = 4, .shuffle = true, .seed = 7};
  const TrainingData a(count(1000), shape), b(count(1000), shape);
  EXPECT_EQ(a.micro_batch(90, 1).inputs, b.micro_batch(90, 1).inputs);
  SampleShape other = shape;
  other.seed = 8;
  EXPECT_NE(a.micro_batch(0, 0).inputs, TrainingData(count(1000), other).micro_batch(0, 0).inputs);
  SampleShape cut = shape;  // a different micro-batch size gives the same samples in a step
  cut.micro_batch = 8;
  std::vector<TokenId> joined = a.micro_batch(5, 0).inputs;
  const auto rest = a.micro_batch(5, 1).inputs;
  joined.insert(joined.end(), rest.begin(), rest.end());
  EXPECT_EQ(joined, TrainingData(count(1000), cut).micro_batch(5, 0).inputs);
}

TEST(Permute, IsAPermutationOfEverySize) {
  for (std::uint64_t size = 1; size < 200; ++size) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t x = 0; x < size; ++x) seen.insert(permute(x, size, size));
    ASSERT_EQ(seen.size(), size);
    ASSERT_LT(*seen.rbegin(), size);
  }
}

TEST(TrainingData, SamplesMayCrossThePiecesOfACorpus) {
  Tokens pieces;
  for (const auto& piece : {std::vector<TokenId>{0, 1, 2}, {}, {3}, {4, 5, 6, 7, 8, 9, 10, 11}}) pieces.append(piece);
  const TrainingData whole(count(12), {.seq = 4, .batch = 2, .micro_batch = 2}),
      cut(pieces, {.seq = 4, .batch = 2, .micro_batch = 2});
  EXPECT_EQ(whole.micro_batch(0, 0).inputs, cut.micro_batch(0, 0).inputs);
  EXPECT_EQ(whole.micro_batch(0, 0).labels, cut.micro_batch(0, 0).labels);
}

TEST(EvalData, TakesEachWholeSampleOnceAndEndsWithARest) {
  const EvalData data(count(24), 4, 2, 1000);  // 5 samples, 3 unused tokens
  EXPECT_EQ(data.samples(), 5U);
  ASSERT_EQ(data.micro_batches(), 3);
  EXPECT_EQ(data.micro_batch(1).inputs, (std::vector<TokenId>{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(data.micro_batch(2).inputs, (std::vector<TokenId>{16, 17, 18, 19}));
  EXPECT_EQ(data.micro_batch(2).labels, (std::vector<TokenId>{17, 18, 19, 20}));
  EXPECT_EQ(EvalData(count(24), 4, 2, 4).micro_batches(), 2);
  EXPECT_EQ(EvalData(count(24), 4, 2, 3).micro_batch(1).inputs, (std::vector<TokenId>{8, 9, 10, 11}));
  EXPECT_THROW(EvalData(count(4), 4, 2, 1), Refusal);
}

}  // namespace
}  // namespace weft::data
