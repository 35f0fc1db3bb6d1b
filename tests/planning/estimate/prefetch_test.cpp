/// Messages of an op that are sent before the op begins.
#include "host/planning/estimate/prefetch.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Ahead, AnOpThatWaitsForTheValveIsShorterBehindOneThatNeedsItLittle) {
  Ahead ahead;
  EXPECT_EQ(ahead.take(5, 100, 1000, 50, 1050), 1000);  // nothing was sent ahead
  EXPECT_EQ(ahead.take(3000, 400, 3100, 50, 200), 3100 - (400 - 50)) << "as many as there is room for";
}

TEST(Ahead, NoFurtherThanItTakesWithoutTheValve) {
  Ahead ahead;
  ahead.take(5, 100, 1000, 50, 1050);
  EXPECT_EQ(ahead.take(3000, 400, 3100, 50, 3000), 3000);
  ahead.take(5, 100, 1000, 50, 1050);
  EXPECT_EQ(ahead.take(3000, 400, 3100, 50, 3150), 3100) << "it does not wait for the valve";
}

TEST(Ahead, NoMoreThanTheValveHadTimeFor) {
  Ahead ahead;
  ahead.take(5, 100, 205, 50, 255);
  EXPECT_EQ(ahead.take(3000, 400, 3100, 50, 200), 3100 - (200 - 50));
}

TEST(Ahead, AShortOpBetweenTakesLittleOfThatTime) {
  Ahead ahead;
  ahead.take(5, 100, 1000, 50, 1050);
  ahead.take(5, 100, 20, 50, 70);
  EXPECT_EQ(ahead.take(3000, 400, 3100, 50, 200), 3100 - (400 - 50));
}

TEST(Ahead, BehindOneThatKeepsTheValveBusyThereIsNothing) {
  Ahead ahead;
  ahead.take(5, 100, 1000, 50, 1050);
  ahead.take(3000, 400, 3100, 50, 200);
  EXPECT_EQ(ahead.take(3000, 400, 3100, 450, 200), 3100);
}

TEST(Ahead, CommandsHaveRoomOfEachRow) {
  Op op;
  op.commands.resize(20);
  const OpTraffic traffic(op, {.rows = 4, .cols = 2});
  EXPECT_EQ(Ahead::room(traffic, {.rows = 4, .cols = 2}), 10);
}

}  // namespace
}  // namespace weft
