/// The thread of a wafer that computes is stopped, and nothing else of its process: it pings on, says that it stands
/// still, and ends. The run, which had no other wafer, goes on with one that is started in its place.
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <fstream>

#include "tests/run/ranks/seen_run.hpp"

namespace weft {
namespace {

/// A thread that is held as by a debugger, while this lives.
class Held {
 public:
  /// Of `process`, the one of this name. `error()` says if the system refuses.
  Held(pid_t process, const std::string& name) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
      std::string comm;
      std::getline(std::ifstream(task.path() / "comm"), comm);
      if (comm == name) thread_ = std::stoi(task.path().filename());
    }
    if (thread_ == 0) throw std::runtime_error("no thread " + name);
    if (::ptrace(PTRACE_SEIZE, thread_, 0, 0) != 0 || ::ptrace(PTRACE_INTERRUPT, thread_, 0, 0) != 0) error_ = errno;
    if (error_ == 0) ::waitpid(thread_, nullptr, __WALL);
  }
  ~Held() {
    if (error_ == 0) ::waitpid(thread_, nullptr, __WALL);  // its process has ended
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  int error() const { return error_; }

 private:
  pid_t thread_ = 0;
  int error_ = 0;
};

struct Stands : SeenRun {
  Stands() : SeenRun(0, 1, {"--swarmx.silence", "0.5"}) {}
};

TEST_F(Stands, AWaferWhoseThreadIsStoppedIsLostAndTheRunGoesOnWithAnother) {
  const Process root = start(0), data = start(1);
  Process wafer = start(2);
  when([](const Json& now) { return now.at("step") > 3; });
  {
    const Held held(wafer->pid(), "wafer 0");
    if (held.error() == EPERM) GTEST_SKIP() << "ptrace is not allowed here";
    ASSERT_EQ(held.error(), 0);
    const Json lost = when([](const Json& now) { return of(now, 2).at("state") == "lost"; });
    EXPECT_SAYS(of(lost, 2).at("why"), "wafer 0 has stood still for 5 s: the thread that computes");
  }
  EXPECT_EQ(wafer->wait(), 1);
  EXPECT_SAYS(log(2), "wafer 0 has stood still for 5 s: ");
  EXPECT_SAYS(log(2), "This process ends.");
  const int step = when([](const Json&) { return true; }).at("step");
  wafer = start(2);
  when([&](const Json& now) { return now.at("step") > step + 3; });
  root->kill(SIGUSR1);
  EXPECT_EQ(root->wait(), 130) << root->errors();
  EXPECT_EQ(wafer->wait(), 0) << wafer->errors();
  const int steps = when([](const Json& now) { return !now.at("end").is_null(); }).at("step");
  run("whole", steps);
  EXPECT_TRUE(tensors("out", steps) == tensors("whole", steps)) << "after step " << steps;
}

}  // namespace
}  // namespace weft
