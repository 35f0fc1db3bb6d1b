/// Work in a child process, for limits and system call filters that cannot be undone.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

namespace weft::test {

/// Runs `work`, whose result is the child's exit code, for at most a minute. Returns that code, or the negative number
/// of the signal that ended the child. An exception is printed and gives code 99.
template <class Work>
int in_child(const Work& work) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    int code = 99;
    try {
      code = work();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
    }
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace weft::test
