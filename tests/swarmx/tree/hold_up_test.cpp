/// A member that is slow only now and then is named if others wait for it, for a time that is a share of all time.
#include <gtest/gtest.h>

#include "tests/swarmx/tree/dispatched.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

/// Steps in which members 0 and 1 need 20 ms, and member 2 needs that or, each `every`-th time, `slow`. Returns the
/// number of steps until it is named; 0: not within 200.
int steps_until_named(int every, std::chrono::milliseconds slow) {
  DispatchedRoot root;
  root.join(3);
  for (int n = 0; n < 3; ++n) work(root, 20ms);
  for (int n = 1; n <= 200; ++n) {
    work(root, n % every == 0 ? slow : 20ms);
    if (root.dispatch.work(2).slow) return n;
  }
  return 0;
}

/// A process that is stopped for most of each second does every third or fourth task slowly: none is late, and no three
/// in a row are slow.
TEST(HoldUps, OfHalfASecondInAllNameTheMember) {
  EXPECT_EQ(steps_until_named(3, 950ms), 6);
  EXPECT_EQ(steps_until_named(10, 400ms), 20);
}

TEST(HoldUps, OfATenthOfTheTimeAreForgiven) {
  EXPECT_EQ(steps_until_named(50, 150ms), 0);  // 50 ms too much in 1.1 s
}

/// All members would be slow otherwise, when the root has no data for a while.
TEST(HoldUps, AreNoneWhileNoMemberIsIdle) {
  DispatchedRoot root;
  root.join(3);
  for (int n = 0; n < 3; ++n) work(root, 20ms);
  for (int n = 0; n < 5; ++n) {
    root.begin(3);
    const std::uint32_t pass = root.pass;
    const Tasks tasks = root.next();
    root.now += 900ms;
    for (const Task& task : tasks) root.end(pass, task.micro_batch);
  }
  for (const std::uint32_t member_id : {0, 1, 2}) EXPECT_FALSE(root.dispatch.work(member_id).slow) << member_id;
}

/// A task that others wait for is copied as soon as its member is known to hold them up, long before a second.
TEST(HoldUps, MakeTheTaskLate) {
  DispatchedRoot root;
  root.join(3);
  for (int n = 0; n < 3; ++n) work(root, 20ms);
  work(root, 700ms);
  root.begin(3);
  const std::uint32_t pass = root.pass;
  root.next();
  root.now += 20ms;
  for (const std::uint32_t micro_batch : {0, 1}) root.end(pass, micro_batch);
  root.now += 50ms;
  EXPECT_TRUE(root.dispatch.take_late(root.now).empty());
  root.now += 100ms;
  EXPECT_EQ(root.dispatch.take_late(root.now), std::vector<std::uint32_t>{2});
  EXPECT_EQ(root.next(), (Tasks{{0, 2, true}}));
}

/// After a recovery one hold-up of 0.2 s is enough.
TEST(HoldUps, AreToleratedLessAfterARecovery) {
  DispatchedRoot root;
  root.join(3);
  for (int n = 0; n < 3; ++n) work(root, 20ms);
  while (!root.dispatch.work(2).slow) work(root, 900ms);
  root.begin(2);
  const std::uint32_t pass = root.pass;
  root.next();
  for (const std::uint32_t micro_batch : {0, 1}) root.end(pass, micro_batch);
  root.now += 1s;
  const std::uint32_t trial = root.pass;
  ASSERT_EQ(root.next(), (Tasks{{2, 0, true}}));
  root.now += 20ms;
  root.dispatch.ended(trial, 0, root.now, root.ledger);
  ASSERT_FALSE(root.dispatch.work(2).slow);
  work(root, 450ms);
  EXPECT_TRUE(root.dispatch.work(2).slow);
}

}  // namespace
}  // namespace weft::swarmx
