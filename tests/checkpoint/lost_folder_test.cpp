/// A run was stopped while another run took its folder, and then writes a checkpoint: the folder must remain the other
/// run's.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>

#include "tests/checkpoint/train_run.hpp"

namespace {

std::function<void(const std::string& file)> before_fsync;  // called in the thread that calls fsync

}  // namespace

extern "C" int fsync(int fd) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  if (length > 0 && before_fsync) before_fsync(std::string(path, static_cast<std::size_t>(length)));
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace weft::checkpoint {
namespace {

namespace fs = std::filesystem;

class LostFolder : public TrainTest {
 protected:
  ~LostFolder() override { before_fsync = {}; }

  /// Calls `act` once, when the checkpoint of step 4 is synced to disk.
  void in_checkpoint_4(const std::function<void()>& act) {
    config_.runconfig.checkpoint_steps = 2;
    done_ = false;
    before_fsync = [this, act](const std::string& file) {
      if (file.find("/.checkpoint_4.") == std::string::npos || done_.exchange(true)) return;
      act();
    };
  }
  void put(const std::string& name, const std::string& text) const {
    write_text(folder_ / "new", text);
    fs::rename(folder_ / "new", folder_ / ("a/" + name));
  }

 private:
  std::atomic<bool> done_{false};  // several threads call fsync
};

TEST_F(LostFolder, GetsNoFileOfTheRunThatHadIt) {
  in_checkpoint_4([&] {
    put(".lock", "1 another\n");
    put("status.json", "theirs");
  });
  EXPECT_SAYS(refusal("a", 9), "had no .lock for a moment, and was taken by process 1");
  EXPECT_EQ(saved("a"), Names{"2"});
  EXPECT_EQ(text_of(folder_ / "a/status.json"), "theirs");
}

TEST_F(LostFolder, IsNotLostIfOnlyItsLockIsDeleted) {
  in_checkpoint_4([&] { fs::remove(folder_ / "a/.lock"); });
  run("a", 5);
  EXPECT_TRUE(fs::exists(file("a", 4)));
  run("whole", 5);
  expect_same_run("whole", "a", 5);
}

TEST_F(LostFolder, IsLeftWithTheStateIfNoFileStandsForItsLock) {
  const std::string lock = folder_ / "a/.lock", other = folder_ / "other";
  const auto expect_left = [&](const std::function<void()>& make_other) {
    fs::remove_all(folder_ / "a");
    fs::remove_all(folder_ / "a.lost1");
    make_other();
    // The run makes a lock that is missing, so `other` takes the place by a rename. A folder cannot replace a file.
    in_checkpoint_4([&] {
      while (::rename(other.c_str(), lock.c_str()) != 0) fs::remove(lock);
    });
    EXPECT_SAYS(refusal("a", 9), "has a .lock that is no longer a regular file; the state after step ");
    EXPECT_EQ(saved("a.lost1").size(), 1U);
  };
  expect_left([&] { ASSERT_EQ(::mkfifo(other.c_str(), 0600), 0); });
  expect_left([&] { fs::create_symlink("elsewhere", other); });
  expect_left([&] { fs::create_directory(other); });
}

}  // namespace
}  // namespace weft::checkpoint
