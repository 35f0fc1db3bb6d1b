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
TEST(HoldUps, HalfASecondInAllNamesTheMember) {
  EXPECT_EQ(steps_until_named(3, 950ms), 6);
  EXPECT_EQ(steps_until_named(10, 400ms), 20);
}

TEST(HoldUps, ATenthOfTheTimeIsForgiven) {
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

/// A member that stays slow is disconnected after a time, once for each such time; one that recovers is not.
TEST(Disconnected, IsAMemberThatStaysSlow) {
  DispatchedRoot root({.disconnect = 60s});
  root.join(3);
  for (int n = 0; n < 3; ++n) work(root, 20ms);
  while (!root.dispatch.work(2).slow) work(root, 900ms);
  EXPECT_TRUE(root.dispatch.take_stuck(root.now).empty());
  root.now += 59s;
  EXPECT_TRUE(root.dispatch.take_stuck(root.now).empty());
  root.now += 2s;
  EXPECT_EQ(root.dispatch.take_stuck(root.now), std::vector<std::uint32_t>{2});
  EXPECT_TRUE(root.dispatch.take_stuck(root.now).empty());
  root.dispatch.remove_member(0, root.ledger);
  root.dispatch.remove_member(1, root.ledger);
  root.now += 61s;
  EXPECT_TRUE(root.dispatch.take_stuck(root.now).empty()) << "no other is there";
}

/// A trial of a model whose stream is long would delay the others.
TEST(Disconnected, IsASlowMemberAtOnceWithoutTrials) {
  DispatchedRoot root({.disconnect = 60s});
  root.join(3);
  root.dispatch.set_trials(false);
  for (int n = 0; n < 3; ++n) work(root, 20ms);
  while (!root.dispatch.work(2).slow) work(root, 900ms);
  EXPECT_EQ(root.dispatch.take_stuck(root.now), std::vector<std::uint32_t>{2});
  EXPECT_TRUE(root.dispatch.take_stuck(root.now).empty());
  root.begin(1);
  root.now += 1s;
  const std::uint32_t pass = root.pass;
  ASSERT_EQ(root.next(), (Tasks{{0, 0, false}}));
  root.end(pass, 0);
  EXPECT_EQ(root.next(), Tasks{});
}

/// A node judges the tasks that its parent has given, as the root does, and gives none.
TEST(JudgedByANode, AreTheTasksThatItsParentGives) {
  DispatchedRoot node({.straggler = 3, .shortest = 500ms, .disconnect = 60s});
  node.join(2);
  for (std::uint32_t pass = 0; pass < 3; ++pass) {
    node.dispatch.assigned(pass, {{0, 2 * pass, false}, {1, 2 * pass + 1, false}}, node.now);
    node.dispatch.streamed(node.now);
    node.now += 20ms;
    node.dispatch.ended(pass, 2 * pass, node.now, node.ledger);
    if (pass == 2) break;
    node.dispatch.ended(pass, 2 * pass + 1, node.now, node.ledger);
  }
  node.now += 450ms;
  EXPECT_TRUE(node.dispatch.take_late(node.now).empty());
  node.now += 50ms;
  EXPECT_EQ(node.dispatch.take_late(node.now), std::vector<std::uint32_t>{1});
  EXPECT_TRUE(node.dispatch.is_left_out(1));
  EXPECT_FALSE(node.dispatch.is_left_out(0));
  node.dispatch.ended(2, 5, node.now, node.ledger);
  EXPECT_EQ(node.next(), Tasks{}) << "the parent gives it again";
}

}  // namespace
}  // namespace weft::swarmx
