/// Clock, processors, threads and lines of the simulated swarm, where the answer is plain.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "host/swarmx/model/thread.hpp"

namespace weft::swarm_model {
namespace {

void run(Clock& clock) {
  while (clock.next()) {
  }
}

TEST(ModelClock, KeepsTheOrderOfWhatHappensAtOnce) {
  Clock clock;
  std::vector<int> order;
  clock.at(2, [&] { order.push_back(3); });
  clock.at(1, [&] {
    order.push_back(1);
    clock.at(0, [&] { order.push_back(2); });  // is late, and comes at once
  });
  clock.at(2, [&] { order.push_back(4); });
  run(clock);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(clock.now(), 2);
}

/// Two processors, three threads of 2, 4 and 4 seconds from the begin: two thirds of a processor each until 3 s, then
/// one each for the 2 s that are left.
TEST(ModelCores, ShareEvenly) {
  Clock clock;
  Cores cores(clock, 2);
  std::vector<double> ends;
  for (const double seconds : {2, 4, 4}) cores.work(seconds, [&] { ends.push_back(clock.now()); });
  run(clock);
  ASSERT_EQ(ends.size(), 3U);
  EXPECT_DOUBLE_EQ(ends[0], 3);
  EXPECT_DOUBLE_EQ(ends[1], 5);
  EXPECT_DOUBLE_EQ(ends[2], 5);
  EXPECT_DOUBLE_EQ(cores.busy(), 10);
}

/// A second thread comes at 1 s, when 3 of the first's 4 are left: both have half a processor until 7 s.
TEST(ModelCores, TakeBackWhatTheyGaveWhenAnotherComes) {
  Clock clock;
  Cores cores(clock, 1);
  double first = 0, second = 0;
  cores.work(4, [&] { first = clock.now(); });
  clock.at(1, [&] { cores.work(5, [&] { second = clock.now(); }); });
  run(clock);
  EXPECT_DOUBLE_EQ(first, 7);
  EXPECT_DOUBLE_EQ(second, 9);
}

TEST(ModelThread, DoesOneAfterTheOther) {
  Clock clock;
  Cores cores(clock, 8);
  Thread thread(cores);
  std::vector<double> ends;
  for (const double seconds : {1, 2, 3}) thread.add(seconds, [&] { ends.push_back(clock.now()); });
  run(clock);
  EXPECT_EQ(ends, (std::vector<double>{1, 3, 6}));
}

TEST(ModelLine, HasABandwidthAndALatency) {
  Clock clock;
  Line line(clock, 10, 0.5), endless(clock, std::numeric_limits<double>::infinity(), 0.25);
  std::vector<double> arrived;
  line.send(20, [&] { arrived.push_back(clock.now()); });
  line.send(10, [&] { arrived.push_back(clock.now()); });
  endless.send(1e9, [&] { arrived.push_back(clock.now()); });
  run(clock);
  EXPECT_EQ(arrived, (std::vector<double>{0.25, 2.5, 3.5}));
}

}  // namespace
}  // namespace weft::swarm_model
