/// The folder lock on file systems that have no locks.
#include "host/checkpoint/heartbeat_lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "host/checkpoint/file.hpp"
#include "tests/checkpoint/files.hpp"
#include "tests/says.hpp"

namespace weft::checkpoint {
namespace {

using namespace std::chrono_literals;

constexpr HeartbeatTimes kQuick{.beat = 20ms, .stale = 300ms};

struct HeartbeatLocked : testing::Test {
  TestFolder folder{"heartbeat_lock_test"};
  std::vector<std::string> said;

  std::string file() const { return folder / HeartbeatLock::kName; }
  std::optional<std::string> owner() {
    return HeartbeatLock::owner(
        folder.path(), [this](const std::string& line) { said.push_back(line); }, kQuick);
  }
  /// Writes the lock file of an owner on another host, who does not update it.
  void write_owner(const std::string& process = "7 1 another-machine") {
    write_text(file(), "0000000000000001 0123456789abcdef n2 " + process + "\n");
  }
};

TEST_F(HeartbeatLocked, HasOneOwnerWhoseHostAndProcessItNames) {
  EXPECT_EQ(owner(), std::nullopt);
  {
    const auto lock = HeartbeatLock::take(folder.path(), kQuick);
    ASSERT_NE(lock, nullptr);
    EXPECT_TRUE(lock->is_held());
    EXPECT_EQ(HeartbeatLock::take(folder.path(), kQuick), nullptr);
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    EXPECT_EQ(owner(), "process " + std::to_string(getpid()) + " on " + host);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{}) << "who ends leaves nothing";
}

TEST_F(HeartbeatLocked, IsKeptByAnOwnerOnAnotherHostWhoseFileChanges) {
  const auto lock = HeartbeatLock::take(folder.path(), kQuick);
  std::string text = text_of(file());
  const std::size_t machine = text.rfind(' ');
  Descriptor open(::open(file().c_str(), O_WRONLY));  // lock file, changed to name another machine
  ASSERT_EQ(::pwrite(open.get(), "X", 1, static_cast<off_t>(machine + 1)), 1);
  EXPECT_SAYS(owner().value_or("nobody"), "process " + std::to_string(getpid()) + " on ");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_SAYS(said[0], "waiting for a heartbeat, at most 0 s");
  EXPECT_TRUE(lock->is_held());
}

TEST_F(HeartbeatLocked, IsTakenFromAnOwnerOnAnotherHostWhoseFileDoesNotChange) {
  write_owner();
  EXPECT_EQ(owner(), std::nullopt);
  EXPECT_SAYS(said.at(0), "process 7 on n2 may have locked ");
  EXPECT_NE(HeartbeatLock::take(folder.path(), kQuick), nullptr);
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST_F(HeartbeatLocked, AFileThatSaysNothingIsWaitedForToo) {
  for (const char* text : {"", "x", "0 1 2 3", "\x1b[31m\n"}) {
    write_text(file(), text);
    EXPECT_EQ(owner(), std::nullopt) << text;
  }
  EXPECT_SAYS(said.back(), "another process may have locked");
}

TEST_F(HeartbeatLocked, IsTakenAtOnceFromAProcessOfThisHostThatIsGone) {
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = HeartbeatLock::take(folder.path(), kQuick);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(std::filesystem::exists(file()));
  EXPECT_EQ(owner(), std::nullopt);
  EXPECT_TRUE(said.empty()) << "nobody is waited for";
  EXPECT_FALSE(std::filesystem::exists(file()));
}

/// A dead process's id may be reused by another process.
TEST_F(HeartbeatLocked, AProcessIsTheSameOnlyIfItBeganWhenItDid) {
  EXPECT_TRUE(process_lives(getpid(), process_start(getpid())));
  EXPECT_FALSE(process_lives(getpid(), process_start(getpid()) + 1));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  EXPECT_FALSE(process_lives(child, process_start(child))) << "it has ended, and nobody has asked for its code";
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(process_lives(child, 0));
}

TEST_F(HeartbeatLocked, AnOwnerThatLostItKnowsAndLeavesTheNextOwnersFile) {
  auto lock = HeartbeatLock::take(folder.path(), kQuick);
  std::filesystem::remove(file());
  EXPECT_FALSE(lock->is_held());
  const auto next = HeartbeatLock::take(folder.path(), kQuick);
  ASSERT_NE(next, nullptr);
  EXPECT_FALSE(lock->is_held());
  lock.reset();
  EXPECT_TRUE(next->is_held());
}

TEST_F(HeartbeatLocked, IsFoundWhereTheFolderHasMoved) {
  std::filesystem::create_directory(folder / "a");
  const auto lock = HeartbeatLock::take(folder / "a", kQuick);
  std::filesystem::rename(folder / "a", folder / "b");
  EXPECT_TRUE(lock->is_held());
  EXPECT_TRUE(lock->is_held_in(folder / "b"));
  EXPECT_FALSE(lock->is_held_in(folder.path()));
}

}  // namespace
}  // namespace weft::checkpoint
