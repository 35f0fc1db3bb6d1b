/// Runs part of a test in an isolated child process: a small disk, system calls that fail.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

namespace weft::test {

/// Runs `act` in a child process, after `change`. If `change` returns false the test is skipped. Expectations in `act`
/// are lost with the child, so `act` should leave files.
inline void in_isolated_child(const std::function<bool()>& change, const std::function<void()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    if (!change()) _exit(77);
    act();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "this machine does not allow that";
  ASSERT_EQ(status, 0);
}

/// Mounts a separate disk on the folder, visible to this process and its children only: "size=64k", or "ro".
inline bool mount_small_disk(const std::string& folder, const std::string& size, unsigned long flags = 0) {
  const uid_t user = geteuid();
  if (unshare(CLONE_NEWNS | (user == 0 ? 0 : CLONE_NEWUSER)) != 0) return false;
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("small", folder.c_str(), "tmpfs", flags, ("size=" + size).c_str()) == 0;
}

}  // namespace weft::test
