/// System calls made and their failures: the calls are intercepted here and forwarded to the real ones.
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "tests/checkpoint/files.hpp"

namespace {

std::vector<std::string> synced;  // paths, in order
int lock_error = 0;               // error of flock; 0: forwarded to the real call

}  // namespace

extern "C" int fsync(int fd) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  if (length > 0) synced.emplace_back(path, static_cast<std::size_t>(length));
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

extern "C" int flock(int fd, int operation) noexcept {
  if (lock_error != 0) {
    errno = lock_error;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_flock, fd, operation));
}

namespace weft::checkpoint {
namespace {

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

std::size_t place(const std::string& path) {
  return static_cast<std::size_t>(std::ranges::find(synced, path) - synced.begin());
}

TEST(SystemCalls, TheParentsOfNewFoldersAreOnDisk) {
  const TestFolder folder("system_calls_parent_test");
  synced.clear();
  const ModelFolder model(folder / "a/b", 0);
  EXPECT_LT(place(folder.path()), synced.size());
  EXPECT_LT(place(folder / "a"), synced.size());
}

TEST(SystemCalls, AFileIsOnDiskBeforeItsNameAndItsNameBeforeTheEnd) {
  const TestFolder folder("system_calls_file_test");
  AtomicFile file(folder / "a");
  synced.clear();
  file.commit();
  ASSERT_EQ(synced.size(), 2U);
  EXPECT_TRUE(synced[0].starts_with(folder / ".a.weft-part.")) << synced[0];
  EXPECT_EQ(synced[1], folder.path());
}

TEST(SystemCalls, AFileSystemWithoutLocksHasAFileWithAHeartbeatInstead) {
  const TestFolder folder("system_calls_lock_test");
  for (const int error : {ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL}) {
    lock_error = error;
    std::string said;
    {
      ModelFolder model(folder / "a", 0, [&](const std::string& line) { said += line; });
      EXPECT_EQ(said, (folder / "a/.lock.held") + " is the lock of this run, with a heartbeat, since its file " +
                          "system has no file locks (" + std::generic_category().message(error) + ")");
      EXPECT_EQ(folder.names("a"), (std::vector<std::string>{".lock", ".lock.held"}));
      EXPECT_EQ(model.check(), ModelFolder::Fate::Ours);
      const std::string own = refusal_of([&] { ModelFolder second(folder / "a", 0); });
      EXPECT_NE(own.find(": is in use by process " + std::to_string(getpid()) + " on "), std::string::npos) << own;
      lock_error = 0;  // a host with working locks respects the other's file
      EXPECT_EQ(refusal_of([&] { ModelFolder second(folder / "a", 0); }), own);
      lock_error = error;
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "a")) << "nothing stays of a run that has not begun";
  }
  lock_error = 0;
}

TEST(SystemCalls, WithoutLocksADeletedLockFileIsMadeAgain) {
  const TestFolder folder("system_calls_again_test");
  lock_error = EOPNOTSUPP;
  {
    ModelFolder model(folder / "a", 0);
    model.sign("run");
    model.keep();
    std::filesystem::remove(folder / "a/.lock");
    EXPECT_EQ(model.check(), ModelFolder::Fate::Ours);
    std::filesystem::remove(folder / "a/.lock.held");
    EXPECT_EQ(model.check(), ModelFolder::Fate::Ours);
    EXPECT_EQ(folder.names("a"), (std::vector<std::string>{".lock", ".lock.held"}));
    std::filesystem::rename(folder / "a", folder / "b");
    EXPECT_EQ(model.check(), ModelFolder::Fate::Moved);
    EXPECT_EQ(model.path(), folder / "b");
    std::filesystem::remove_all(folder / "b");
    EXPECT_EQ(model.check(), ModelFolder::Fate::Deleted);
    EXPECT_EQ(folder.names("b"), (std::vector<std::string>{".lock", ".lock.held"}));
  }
  EXPECT_EQ(folder.names("b"), std::vector<std::string>{".lock"});
  lock_error = 0;
}

TEST(SystemCalls, WithoutLocksAFolderThatAnotherHasTakenIsTaken) {
  const TestFolder folder("system_calls_taken_test");
  lock_error = EOPNOTSUPP;
  ModelFolder model(folder / "a", 0);
  model.sign("run");
  model.keep();
  std::filesystem::remove(folder / "a/.lock.held");
  std::ofstream(folder / "a/.lock.held") << "0000000000000001 00 n2 7 1 another-machine\n";
  EXPECT_EQ(refusal_of([&] { model.check(); }),
            (folder / "a") +
                ": was taken by process 7 on n2, which saw no heartbeat. HINT: wait for its end, or set "
                "another runconfig.model_dir.");
  lock_error = 0;
}

/// Committing an open file needs no further descriptors, so that a fully written file does not fail.
TEST(SystemCalls, WithoutDescriptorsAFileThatIsBegunIsStillCommitted) {
  const TestFolder folder("system_calls_descriptors_test");
  AtomicFile file(folder / "a");
  file.write("whole");
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  EXPECT_NO_THROW(file.commit());
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(text_of(folder / "a"), "whole");
}

TEST(SystemCalls, WithoutDescriptorsTheSystemsErrorIsReported) {
  const TestFolder folder("system_calls_words_test");
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  std::string what;
  try {
    AtomicFile file(folder / "a");
  } catch (const Refusal& refusal) {
    what = refusal.what();
  }
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_NE(what.find("Too many open files"), std::string::npos) << what;
}

}  // namespace
}  // namespace weft::checkpoint
