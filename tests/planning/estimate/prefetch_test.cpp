/// Messages of an op that are sent before the op begins.
#include "host/planning/estimate/prefetch.hpp"

#include <gtest/gtest.h>

namespace weft::planning {
namespace {

TEST(Prefetch, AnOpThatWaitsForTheValveIsShorterBehindOneThatNeedsItLittle) {
  Prefetch prefetch;
  EXPECT_EQ(prefetch.next_op(5, 100, 1000, 50, 1050), 1000);  // nothing was sent ahead
  EXPECT_EQ(prefetch.next_op(3000, 400, 3100, 50, 200), 3100 - (400 - 50)) << "as many as there is room for";
}

TEST(Prefetch, NoFurtherThanItTakesWithoutTheValve) {
  Prefetch prefetch;
  prefetch.next_op(5, 100, 1000, 50, 1050);
  EXPECT_EQ(prefetch.next_op(3000, 400, 3100, 50, 3000), 3000);
  prefetch.next_op(5, 100, 1000, 50, 1050);
  EXPECT_EQ(prefetch.next_op(3000, 400, 3100, 50, 3150), 3100) << "it does not wait for the valve";
}

TEST(Prefetch, NoMoreThanTheValveHadTimeFor) {
  Prefetch prefetch;
  prefetch.next_op(5, 100, 205, 50, 255);
  EXPECT_EQ(prefetch.next_op(3000, 400, 3100, 50, 200), 3100 - (200 - 50));
}

TEST(Prefetch, AShortOpBetweenTakesLittleOfThatTime) {
  Prefetch prefetch;
  prefetch.next_op(5, 100, 1000, 50, 1050);
  prefetch.next_op(5, 100, 20, 50, 70);
  EXPECT_EQ(prefetch.next_op(3000, 400, 3100, 50, 200), 3100 - (400 - 50));
}

TEST(Prefetch, BehindOneThatKeepsTheValveBusyThereIsNothing) {
  Prefetch prefetch;
  prefetch.next_op(5, 100, 1000, 50, 1050);
  prefetch.next_op(3000, 400, 3100, 50, 200);
  EXPECT_EQ(prefetch.next_op(3000, 400, 3100, 450, 200), 3100);
}

TEST(Prefetch, CommandsHaveRoomOfEachRow) {
  compiler::Op op;
  op.commands.resize(20);
  const OpTraffic traffic(op, {.rows = 4, .cols = 2});
  EXPECT_EQ(Prefetch::room(traffic, {.rows = 4, .cols = 2}), 10);
}

}  // namespace
}  // namespace weft::planning
