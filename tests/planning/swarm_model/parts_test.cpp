/// Clock, processors, threads and lines of the simulated swarm, in cases with obvious results.
#include <gtest/gtest.h>

#include <deque>
#include <limits>
#include <vector>

#include "host/planning/swarm_model/thread.hpp"

namespace weft::planning::swarm_model {
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
    clock.at(0, [&] { order.push_back(2); });  // late, hence runs at once
  });
  clock.at(2, [&] { order.push_back(4); });
  run(clock);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(clock.now(), 2);
}

/// End times of threads that start at 0 and have `seconds` of work each.
std::vector<double> ends(double processors, double slice, const std::vector<double>& seconds) {
  Clock clock;
  Cores cores(clock, processors, slice);
  std::deque<Thread> threads;
  std::vector<double> ends(seconds.size());
  double all = 0;
  for (std::size_t k = 0; k < seconds.size(); ++k) threads.emplace_back(cores);
  for (std::size_t k = 0; k < seconds.size(); ++k) {
    threads[k].add(seconds[k], [&, k] { ends[k] = clock.now(); });
    all += seconds[k];
  }
  run(clock);
  EXPECT_NEAR(cores.busy(), all, 1e-9);
  return ends;
}

/// On two processors the third thread waits for the first slice of the others.
TEST(ModelCores, AreSharedInSlices) {
  EXPECT_EQ(ends(2, 1, {2, 4, 4}), (std::vector<double>{2, 5, 5}));
  EXPECT_EQ(ends(1, 1, {2, 1, 3}), (std::vector<double>{4, 2, 6}));
  EXPECT_EQ(ends(8, 1, {2, 4, 4}), (std::vector<double>{2, 4, 4}));
}

/// Two thirds of a processor each until 3 s, then one each for the remaining 2 s.
TEST(ModelCores, AreSharedEvenlyIfSlicesAreShort) {
  const std::vector<double> some = ends(2, 1e-3, {2, 4, 4});
  EXPECT_NEAR(some[0], 3, 2e-3);
  EXPECT_NEAR(some[1], 5, 2e-3);
  EXPECT_NEAR(some[2], 5, 2e-3);
}

TEST(ModelCores, LeaveOthersTheirPart) {
  EXPECT_EQ(ends(1.5, 1, {3}), (std::vector<double>{4}));
  EXPECT_EQ(ends(0.5, 1, {3}), (std::vector<double>{6}));
}

/// The first thread has work until its slice is over, so the other one waits that long.
TEST(ModelThread, KeepsItsProcessorFromOnePieceToTheNext) {
  Clock clock;
  Cores cores(clock, 1, 1);
  Thread first(cores), second(cores);
  std::vector<double> ends;
  for (int k = 0; k < 3; ++k) first.add(0.5, [&] { ends.push_back(clock.now()); });
  second.add(0.25, [&] { ends.push_back(-clock.now()); });
  run(clock);
  EXPECT_EQ(ends, (std::vector<double>{0.5, 1, -1.25, 1.75}));
}

TEST(ModelThread, DoesOneAfterTheOther) {
  Clock clock;
  Cores cores(clock, 8, 1);
  Thread thread(cores);
  std::vector<double> ends;
  for (const double seconds : {1, 2, 3}) thread.add(seconds, [&] { ends.push_back(clock.now()); });
  run(clock);
  EXPECT_EQ(ends, (std::vector<double>{1, 3, 6}));
}

/// Two coroutines of a thread take turns, whatever the length of their pieces.
TEST(ModelCoroutine, WaitsBehindTheOtherBeforeEachPiece) {
  Clock clock;
  Cores cores(clock, 1, 100);
  Thread thread(cores);
  Coroutine first(thread), second(thread);
  std::vector<double> ends;
  for (int k = 0; k < 2; ++k) first.add(1, [&] { ends.push_back(clock.now()); });
  for (int k = 0; k < 2; ++k) second.add(0.25, [&] { ends.push_back(-clock.now()); });
  run(clock);
  EXPECT_EQ(ends, (std::vector<double>{1, -1.25, 2.25, -2.5}));
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
}  // namespace weft::planning::swarm_model
