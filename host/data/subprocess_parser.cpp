#include "host/data/subprocess_parser.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "sw/base/archive.hpp"
#include "sw/base/descriptor.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Serializes the outcome of `work`: a flag, and then the result or the Refusal.
Bytes outcome_of(const std::function<Bytes()>& work) {
  ArchiveWriter said;
  try {
    const Bytes result = work();
    said(true, result);
  } catch (const Refusal& e) {
    said(false, e.subject(), e.problem(), e.hint());
  }
  return said.bytes;
}

[[noreturn]] void child(int to, pid_t parent, const std::function<Bytes()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  try {
    const Bytes said = outcome_of(work);
    for (std::size_t done = 0; done < said.size();) {
      const ssize_t count = write(to, said.data() + done, said.size() - done);
      if (count < 0 && errno != EINTR) _exit(1);
      if (count > 0) done += static_cast<std::size_t>(count);
    }
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

Bytes all_of(int from) {
  Bytes said;
  std::array<std::uint8_t, 65536> some;
  for (ssize_t count = 0; (count = read(from, some.data(), some.size())) != 0;) {
    if (count > 0) said.insert(said.end(), some.begin(), some.begin() + count);
    if (count < 0 && errno != EINTR) break;
  }
  return said;
}

}  // namespace

Bytes in_subprocess(const std::string& file, const std::string& hint, const std::function<Bytes()>& work) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const Descriptor from(pipe[0]);
  pid_t process = -1;
  {
    const Descriptor to(pipe[1]);
    const pid_t parent = getpid();
    process = fork();
    if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (process == 0) child(to.get(), parent, work);
  }
  const Bytes said = all_of(from.get());
  int status = 0;
  pid_t ended = -1;
  do {
    ended = waitpid(process, &status, 0);
  } while (ended < 0 && errno == EINTR);
  const bool unknown = ended < 0;  // SIGCHLD is ignored in this process, so the system keeps no status
  if (unknown ? said.empty() : !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Refusal(file,
                  fmt::format("cannot be read: the library that reads it ended, {}",
                              unknown               ? "by a signal or out of memory"
                              : WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                                                    : "out of memory"),
                  hint);
  }
  ArchiveReader reader(said);
  bool done = false;
  Bytes result;
  std::string subject, problem, what_to_do;
  reader(done);
  if (done) return reader(result), result;
  reader(subject, problem, what_to_do);
  throw Refusal(subject, problem, what_to_do);
}

}  // namespace weft::data
