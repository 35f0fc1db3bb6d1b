/// A rank that waits for the root counts as making progress, however long the wait.
#include "host/swarmx/memory/frame_credits.hpp"
#include "tests/swarmx/memory/parted.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

#ifdef __SANITIZE_THREAD__
constexpr auto kSilence = 3s;  // under TSan a rank is too slow to be heard every second
#else
constexpr auto kSilence = 1s;
#endif

struct StillPart : Parted {
  StillPart() { options.silence = kSilence; }  // ten of them are a hang
};

/// The rank's chunks wait for the disk, the update waits for the chunks, and the op for the update.
TEST_F(StillPart, ARootWhoseDiskIsSlowIsWaitedFor) {
  const Results one = expected(3);
  start(1);
  memory->start();
  EXPECT_EQ(train(*swarm, *memory, 0, 1).hashes[0], one.hashes[0]);
  std::atomic<int> chunks = 0;
  const auto slow = [&](int, std::uint64_t, std::span<const float>) {
    if (chunks++ == 0) std::this_thread::sleep_for(12 * kSilence);
  };
  const auto snapshot = memory->snapshot(slow, [] {});
  const Results rest = train(*swarm, *memory, 1, 2);
  EXPECT_EQ(rest.hashes, (std::vector{one.hashes[1], one.hashes[2]}));
  snapshot->wait();
  EXPECT_GT(chunks, 8) << "as many as are sent unasked";
  EXPECT_EQ(stood, 0);
}

TEST_F(StillPart, ARootThatHasNothingToDoIsWaitedFor) {
  start(2);
  memory->start();
  const Results one = expected(2);
  EXPECT_EQ(train(*swarm, *memory, 0, 1).hashes[0], one.hashes[0]);
  memory->snapshot([](int, std::uint64_t, std::span<const float>) {}, [] {})->wait();
  std::this_thread::sleep_for(12 * kSilence);
  EXPECT_EQ(train(*swarm, *memory, 1, 1).hashes[0], one.hashes[1]);
  EXPECT_EQ(stood, 0);
}

TEST_F(StillPart, AnUpdateGetsOnWithEachShard) {
  memoryx::MemoryX part(plan, memoryx);
  std::atomic<std::uint64_t> count = 0;
  part.count_progress(count);
  part.begin_step(1);
  part.squares(1);
  EXPECT_EQ(count, 3U);
  part.apply(0, 1, {});
  part.finish_update();
  EXPECT_EQ(count, 6U);
}

TEST(FrameCredits, AreOwedAsFarAsThereAreSome) {
  ProgressWatchdog watchdog;
  const ProgressWatchdog::Reading reads(&watchdog);
  FrameCredits credits(2, &watchdog);
  EXPECT_TRUE(watchdog.pending());
  EXPECT_TRUE(credits.take());
  EXPECT_TRUE(watchdog.pending());
  EXPECT_TRUE(credits.take());
  EXPECT_FALSE(watchdog.pending());
  credits.add(1);
  EXPECT_TRUE(watchdog.pending());
  EXPECT_TRUE(credits.take());
  credits.close();
  credits.close();
  EXPECT_FALSE(watchdog.pending());
  watchdog.expect();
  EXPECT_TRUE(watchdog.pending()) << "and nothing of it is left";
}

}  // namespace
}  // namespace weft::swarmx
