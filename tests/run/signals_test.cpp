/// Every signal that requests termination saves first; a signal that was ignored at the start stays ignored.
#include "tests/run/restart.hpp"

namespace weft::test {
namespace {

constexpr int kSaving[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPWR, SIGXCPU};

struct Signals : Restart {
  void expect_saved(const std::string& name) {
    int most = 0;
    for (const std::string& file : folder_.names(name)) {
      int step = 0;
      if (sscanf(file.c_str(), "checkpoint_%d.", &step) == 1) most = std::max(most, step);
    }
    ASSERT_GE(most, 3);
    run("whole" + name, most);
    expect_same_run("whole" + name, name, most);
  }
};

TEST_F(Signals, EachSavesAndStops) {
  for (const int signal : kSaving) {
    SCOPED_TRACE(strsignal(signal));
    const std::string name = "a" + std::to_string(signal);
    StartedProgram program(words(name, 1000000), errors());
    ASSERT_TRUE(program.reach(3));
    program.kill(signal);
    EXPECT_EQ(program.wait(), 130);
    EXPECT_EQ(
        program.errors(),
        "interrupted: finishes this step, saves a checkpoint and ends; a second interrupt ends the run at once\n");
    expect_saved(name);
  }
}

TEST_F(Signals, ReachTheProgramThatLooksInside) {
  for (const int signal : {SIGINT, SIGTERM}) {
    SCOPED_TRACE(strsignal(signal));
    StartedProgram program({"profile", "--params", WEFT_CONFIGS "/gpt_small.yaml"}, errors());
    std::string line;
    ASSERT_TRUE(program.line(line));  // minutes of work precede it
    program.kill(signal);
    EXPECT_EQ(program.wait(), 130);
    EXPECT_EQ(program.errors(), "interrupted: there is nothing to save\n");
  }
}

TEST_F(Signals, ThoseThatComeTogetherOrAgainAndAgainAreOneWish) {
  StartedProgram program(words("a", 1000000), errors());
  ASSERT_TRUE(program.reach(3));
  for (int i = 0; i < 20; ++i) {
    for (const int signal : {SIGXCPU, SIGHUP, SIGUSR1}) program.kill(signal);
  }
  EXPECT_EQ(program.wait(), 130);
  expect_saved("a");
}

TEST_F(Signals, SignalIgnoredAtTheStartStaysIgnored) {
  for (const int signal : kSaving) {
    SCOPED_TRACE(strsignal(signal));
    const std::string name = "a" + std::to_string(signal);
    StartedProgram program(words(name, 40), errors(), 0, signal);
    ASSERT_TRUE(program.reach(3));
    program.kill(signal);
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(program.errors(), "");
  }
}

}  // namespace
}  // namespace weft::test
