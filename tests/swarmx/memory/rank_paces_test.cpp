#include "host/swarmx/memory/rank_paces.hpp"

#include <gtest/gtest.h>

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

/// Three ranks; each update takes rank 2 the time `last`, the others a second.
struct ThreeRanks {
  void update(std::chrono::milliseconds last) {
    for (std::size_t rank = 0; rank < 3; ++rank) paces.sent(rank, {.type = FrameType::Apply}, now);
    for (std::size_t rank = 0; rank < 3; ++rank)
      paces.received(rank, {.type = FrameType::Done}, now + (rank == 2 ? last : 1000ms));
    now += last;
  }
  RankPaces paces{3, 3};
  RankPaces::Time now{};
};

TEST(RankPaces, NameARankThatTakesThreeTimesAsLong) {
  ThreeRanks ranks;
  for (int n = 0; n < 3; ++n) ranks.update(2500ms);
  EXPECT_EQ(ranks.paces.slow_part(2, ranks.now), "");
  for (int n = 0; n < 9; ++n) ranks.update(4000ms);
  EXPECT_EQ(ranks.paces.slow_part(2, ranks.now), "an update takes 3.9 s, on other ranks 1 s");
  EXPECT_EQ(ranks.paces.slow_part(0, ranks.now), "");
  for (int n = 0; n < 5; ++n) ranks.update(1000ms);
  EXPECT_EQ(ranks.paces.slow_part(2, ranks.now), "") << "it has recovered";
}

TEST(RankPaces, NameARankBeforeItsAnswer) {
  ThreeRanks ranks;
  ranks.update(1000ms);
  ranks.paces.sent(2, {.type = FrameType::Norm}, ranks.now);
  EXPECT_EQ(ranks.paces.slow_part(2, ranks.now + 100s), "") << "no other rank has answered such a request";
  for (const std::size_t rank : {0, 1}) {
    ranks.paces.sent(rank, {.type = FrameType::Norm}, ranks.now);
    ranks.paces.received(rank, {.type = FrameType::Norm}, ranks.now + 10ms);
  }
  EXPECT_EQ(ranks.paces.slow_part(2, ranks.now + 1s), "") << "a second is not slow";
  EXPECT_EQ(ranks.paces.slow_part(2, ranks.now + 5s), "sums of squares take 5 s, on other ranks 0.01 s");
}

}  // namespace
}  // namespace weft::swarmx
