#include "host/memoryx/state_hash.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <vector>

namespace weft::memoryx {
namespace {

float flip(float x, int bit) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ (1U << bit)); }

TEST(StateHash, EveryBitCounts) {
  Pool alone(0);
  const auto store = make_dram_store(100);
  std::set<std::uint64_t> seen{state_hash(*store, alone)};
  for (const auto& vector : {store->weights(), store->first_moments(), store->second_moments()}) {
    for (float& x : vector) {
      for (int bit = 0; bit < 32; ++bit) {
        x = flip(x, bit);
        EXPECT_TRUE(seen.insert(state_hash(*store, alone)).second);
        x = flip(x, bit);
      }
    }
  }
}

TEST(StateHash, IsTheSameAsEver) {
  Pool alone(0);
  const auto store = make_dram_store(200003);
  for (std::size_t i = 0; i < 200003; ++i) {
    store->weights()[i] = static_cast<float>(i);
    store->first_moments()[i] = static_cast<float>(i) * 0.5F;
    store->second_moments()[i] = static_cast<float>(i % 977);
  }
  EXPECT_EQ(state_hash(*store, alone), 17516513229929077900U);
}

TEST(StateHash, AShardMayBeHashedPieceByPiece) {
  std::vector<float> values(1003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  ShardHash whole(5), pages(5);
  whole.add(values);
  for (std::size_t at = 0; at < values.size(); at += 48)
    pages.add(std::span(values).subspan(at, std::min<std::size_t>(48, values.size() - at)));
  EXPECT_EQ(whole.value(), pages.value());
}

TEST(StateHash, TwoChangedSignsDoNotCancel) {
  Pool alone(0);
  std::vector<float> values(1000, 1.0F);
  const std::uint64_t before = hash_floats(values, alone);
  for (std::size_t i = 1; i < values.size(); ++i) {
    values[0] = values[i] = -1.0F;
    EXPECT_NE(hash_floats(values, alone), before) << i;
    values[0] = values[i] = 1.0F;
  }
}

TEST(StateHash, OrderAndLengthCountAndThreadsDoNot) {
  Pool alone(0);
  std::vector<float> values(300001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const std::uint64_t hash = hash_floats(values, alone);
  for (const unsigned threads : {1U, 2U, 5U}) {
    Pool pool(threads);
    EXPECT_EQ(hash, hash_floats(values, pool)) << threads;
  }
  EXPECT_NE(hash, hash_floats(std::span(values).first(300000), alone));
  std::swap(values[70000], values[200000]);
  EXPECT_NE(hash, hash_floats(values, alone));
}

}  // namespace
}  // namespace weft::memoryx
