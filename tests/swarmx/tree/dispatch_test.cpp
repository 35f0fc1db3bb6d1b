#include "host/swarmx/tree/dispatch.hpp"

#include <gtest/gtest.h>

#include "tests/swarmx/tree/dispatched.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
TEST(Dispatch, GivesMicroBatchesInOrderToMembersInOrder) {
  DispatchedRoot root;
  root.join(3);
  root.begin(7);
  EXPECT_EQ(root.next(), (Tasks{{0, 0, false}, {1, 1, false}, {2, 2, false}}));
  EXPECT_EQ(root.next(), (Tasks{{0, 3, false}, {1, 4, false}, {2, 5, false}}));
  EXPECT_EQ(root.next(), (Tasks{{0, 6, false}}));
  EXPECT_EQ(root.next(), Tasks{});
}

TEST(Dispatch, NoMemberHasMorePassesThanMayBeUnderWay) {
  DispatchedRoot root;
  root.join(2);
  root.begin(100);
  for (std::uint32_t n = 0; n < kPassesUnderWay; ++n) EXPECT_EQ(root.next().size(), 2U);
  EXPECT_EQ(root.next(), Tasks{});
  root.end(0, 0);
  EXPECT_EQ(root.next(), Tasks{});  // the other member has no room yet, and a pass covers all members
  root.end(0, 1);
  EXPECT_EQ(root.next().size(), 2U);
}

TEST(Dispatch, TaskOfALostMemberIsNextAndUnmergedIfPartlyIn) {
  DispatchedRoot root;
  root.join(2);
  root.begin(6);
  root.next();
  root.next();
  root.end(0, 0);
  root.contribute(1, 0);
  root.dispatch.remove_member(1, root.ledger);
  EXPECT_EQ(root.next(), (Tasks{{0, 1, true}}));
  EXPECT_EQ(root.next(), (Tasks{{0, 3, false}}));
  root.dispatch.join(7);
  EXPECT_EQ(root.next(), (Tasks{{0, 4, false}, {7, 5, false}}));
}

TEST(Dispatch, IncompleteTaskIsAssignedAgain) {
  DispatchedRoot root;
  root.join(1);
  root.begin(1);
  root.next();
  root.contribute(0, 0);
  root.dispatch.ended(0, 0, root.now, root.ledger);
  EXPECT_EQ(root.next(), (Tasks{{0, 0, true}}));
}

TEST(Dispatch, NoMemberIsLateBeforeADoneTask) {
  DispatchedRoot root;
  root.join(2);
  root.begin(2);
  root.next();
  root.now += 1h;
  EXPECT_TRUE(root.dispatch.take_late(root.now).empty());
}

TEST(Dispatch, ALateMembersTaskIsGivenToOneThatHasNothingToDo) {
  DispatchedRoot root({.straggler = 3, .shortest = 10ms});
  root.join(3);
  root.begin(3);
  root.next();
  root.now += 100ms;
  root.end(0, 0);
  root.now += 150ms;
  EXPECT_TRUE(root.dispatch.take_late(root.now).empty());
  root.end(0, 1);
  EXPECT_EQ(root.next(), Tasks{});
  root.now += 500ms;
  EXPECT_EQ(root.dispatch.take_late(root.now), std::vector<std::uint32_t>{2});
  EXPECT_TRUE(root.dispatch.take_late(root.now).empty());  // reported once
  EXPECT_EQ(root.next(), (Tasks{{0, 2, true}}));
  EXPECT_EQ(root.next(), Tasks{});  // one backup task is enough
  root.end(3, 2);
  EXPECT_EQ(root.ledger.missing(), 0U);
  // The next step does not wait for the late member until that member has finished its task.
  root.begin(4);
  EXPECT_EQ(root.next(), (Tasks{{0, 0, false}, {1, 1, false}}));
  root.dispatch.ended(0, 2, root.now, root.ledger);
  EXPECT_EQ(root.next(), (Tasks{{0, 2, false}, {1, 3, false}}));
  EXPECT_EQ(root.next(), Tasks{});
}

/// Passes are sent ahead: a task's time begins when the previous task is done.
TEST(Dispatch, ATaskThatWaitedForTheOneBeforeIsNotLate) {
  DispatchedRoot root({.straggler = 3, .shortest = 10ms});
  root.join(1);
  root.begin(8);
  for (int n = 0; n < 8; ++n) root.next();
  for (std::uint32_t n = 0; n < 8; ++n) {
    root.now += 100ms;
    EXPECT_TRUE(root.dispatch.take_late(root.now).empty()) << n;
    root.end(n, n);
  }
  EXPECT_NEAR(root.dispatch.work(0).pace->count(), 0.1, 1e-9);
}

/// The stream may wait for data, or for weights.
TEST(Dispatch, StillStreamedTaskIsNotLate) {
  DispatchedRoot root({.straggler = 3, .shortest = 10ms});
  root.join(3);
  root.begin(6);
  root.next();
  root.now += 100ms;
  for (std::uint32_t member_id = 0; member_id < 3; ++member_id) root.end(0, member_id);
  EXPECT_EQ(root.given().size(), 3U);
  root.now += 10s;
  root.dispatch.streamed(root.now);
  EXPECT_TRUE(root.dispatch.take_late(root.now).empty());
  root.now += 100ms;
  root.end(1, 3);
  EXPECT_TRUE(root.dispatch.take_late(root.now).empty());
  root.end(1, 4);
  root.now += 60s;
  EXPECT_EQ(root.dispatch.take_late(root.now), std::vector<std::uint32_t>{2});
}

/// A mean over all members would follow the slow one, and no task would ever take three times as long.
TEST(Dispatch, TheUsualTimeIsTheMedianOfTheOthers) {
  DispatchedRoot root;
  root.join(3);
  for (int n = 0; n < 20; ++n) work(root, n < 10 ? 10ms : 90ms);
  EXPECT_NEAR(root.dispatch.work(2).usual->count(), 0.01, 1e-9);
  EXPECT_NEAR(root.dispatch.work(2).pace->count(), 0.09, 0.01);
  EXPECT_FALSE(root.dispatch.work(2).slow) << "a tenth of `shortest` is never slow";
}

TEST(Dispatch, ASlowMemberGetsTrialsAloneUntilItIsFast) {
  DispatchedRoot root;
  root.join(3);
  work(root, 10ms);
  work(root, 900ms);  // not late
  EXPECT_FALSE(root.dispatch.work(2).slow) << "a slow task proves nothing";
  work(root, 900ms);
  EXPECT_TRUE(root.dispatch.work(2).slow);
  EXPECT_FALSE(root.dispatch.work(0).slow || root.dispatch.work(1).slow);
  root.begin(4);
  const std::uint32_t first = root.pass;
  EXPECT_EQ(root.next(), (Tasks{{0, 0, false}, {1, 1, false}}));
  EXPECT_EQ(root.next(), (Tasks{{0, 2, false}, {1, 3, false}}));
  EXPECT_EQ(root.next(), Tasks{}) << "nothing is complete";
  for (const std::uint32_t micro_batch : {0, 1, 2, 3}) root.end(first + micro_batch / 2, micro_batch);
  EXPECT_EQ(root.ledger.missing(), 0U) << "the step waits for no trial";
  std::uint32_t trial = root.pass;
  EXPECT_EQ(root.next(), (Tasks{{2, 0, true}}));
  EXPECT_EQ(root.next(), Tasks{}) << "one trial at a time";
  root.now += 900ms;  // slow again: the next trial comes after a pause
  root.dispatch.ended(trial, 0, root.now, root.ledger);
  EXPECT_EQ(root.next(), Tasks{});
  root.now += 1s;
  trial = root.pass;
  EXPECT_EQ(root.next(), (Tasks{{2, 0, true}}));
  root.now += 10ms;
  root.dispatch.ended(trial, 0, root.now, root.ledger);
  EXPECT_FALSE(root.dispatch.work(2).slow);
  root.begin(3);
  EXPECT_EQ(root.next().size(), 3U);
}

/// A link that is slow every other second is not trusted after one fast task.
TEST(Dispatch, AMemberThatIsSlowAgainNeedsMoreTrials) {
  DispatchedRoot root;
  root.join(2);
  std::uint32_t trials = 0;
  const auto step = [&](std::chrono::milliseconds last) {
    root.begin(2);
    const bool slow = root.dispatch.work(1).slow;
    const std::uint32_t pass = root.pass;
    const Tasks tasks = root.next();
    root.now += 10ms;
    root.end(pass, 0);
    if (slow) {  // member 0 does both
      if (const std::uint32_t next = root.pass; !root.next().empty()) root.end(next, 1);
      root.now += 40s;
      const std::uint32_t trial = root.pass;
      root.begin(1);  // with a complete micro-batch in the ledger
      root.contribute(0, 0), root.contribute(0, 1);
      for (const Task& task : root.next()) {
        ++trials;
        root.now += last;
        root.dispatch.ended(trial, task.micro_batch, root.now, root.ledger);
      }
    } else {
      root.now += last - 10ms;
      if (tasks.size() == 2) root.end(pass, 1);
    }
  };
  step(10ms);
  for (const std::uint32_t wanted : {1U, 2U, 4U}) {
    for (int n = 0; n < 3; ++n) step(900ms);
    ASSERT_TRUE(root.dispatch.work(1).slow);
    trials = 0;
    for (int n = 0; n < 40 && root.dispatch.work(1).slow; ++n) step(10ms);
    EXPECT_EQ(trials, wanted);
  }
}

/// A node's sums wait for the slowest member: all tasks of a pass end at once, at the root.
TEST(Dispatch, AMemberWhoseResultsWaitForOthersIsNotSlow) {
  DispatchedRoot root({.straggler = 3, .shortest = 10ms});
  root.join(2);
  root.begin(2);
  root.next();
  root.now += 10ms;
  root.dispatch.returned(0, 0, root.now);
  root.now += 900ms;
  EXPECT_EQ(root.dispatch.take_late(root.now), std::vector<std::uint32_t>{1});
  root.dispatch.returned(0, 1, root.now);
  for (const std::uint32_t micro_batch : {0, 1}) root.end(0, micro_batch);
  EXPECT_FALSE(root.dispatch.work(0).slow);
  EXPECT_NEAR(root.dispatch.work(0).pace->count(), 0.01, 1e-9);
  EXPECT_TRUE(root.dispatch.work(1).slow);
  EXPECT_NEAR(root.dispatch.work(1).pace->count(), 0.91, 1e-9);
}

TEST(Dispatch, IfAllMembersAreSlowNoneIsLeftOut) {
  DispatchedRoot root;
  root.join(3);
  work(root, 10ms);
  for (int n = 0; n < 3; ++n) work(root, 900ms);
  ASSERT_TRUE(root.dispatch.work(2).slow);
  root.dispatch.remove_member(0, root.ledger);
  root.dispatch.remove_member(1, root.ledger);
  root.begin(1);
  EXPECT_EQ(root.next(), (Tasks{{2, 0, false}}));
}

TEST(Dispatch, SaysWhatAMemberIsAtAndWhatOneThatLeftHasDone) {
  DispatchedRoot root;
  root.join(2);
  root.begin(4);
  root.next();
  root.next();
  root.now += 10ms;
  root.end(0, 1);
  const auto work = root.dispatch.work(1);
  EXPECT_EQ(work.done, 1U);
  ASSERT_TRUE(work.next);
  EXPECT_EQ(work.next->micro_batch, 3U);
  EXPECT_TRUE(work.since == root.now);
  EXPECT_FALSE(work.idle);
  root.now += 10ms;
  root.end(1, 3);
  EXPECT_TRUE(root.dispatch.work(1).idle == root.now);
  EXPECT_EQ(root.dispatch.work(1).waits.count(), 0);
  root.now += 250ms;
  root.begin(4);
  root.next();
  EXPECT_FALSE(root.dispatch.work(1).idle);
  EXPECT_EQ(root.dispatch.work(1).waits, 250ms);
  root.dispatch.remove_member(1, root.ledger);
  EXPECT_EQ(root.dispatch.work(1).waits, 250ms);
  EXPECT_EQ(root.dispatch.work(1).done, 2U);
  EXPECT_FALSE(root.dispatch.work(1).next);
  root.begin(4);
  EXPECT_TRUE(root.dispatch.work(0).over);
}

TEST(Dispatch, WithoutAFactorNoMemberIsEverLate) {
  DispatchedRoot root({.straggler = 0});
  root.join(2);
  root.begin(2);
  root.next();
  root.now += 10ms;
  root.end(0, 0);
  root.now += 24h;
  EXPECT_TRUE(root.dispatch.take_late(root.now).empty());
  EXPECT_EQ(root.next(), Tasks{});
}

}  // namespace
}  // namespace weft::swarmx
