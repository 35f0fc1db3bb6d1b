/// The program stopped in all supported ways, and restarted.
#include "tests/run/restart.hpp"

namespace weft::test {
namespace {

TEST_F(Restart, KilledAtFiveMomentsTheRunEndsInTheSameState) { expect_kills_change_nothing(5, 200, 1); }

TEST_F(Restart, OnRtlWafersAfterModelWafersAndBackIsTheSameRun) {
  run("whole", 6);
  run("a", 2);
  run("a", 4, 2, {"--backend", "rtl"});
  run("a", 6, 3);
  expect_same_run("whole", "a", 6);
}

TEST_F(Restart, CtrlCSavesAndTheRunContinues) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string name = "a" + std::to_string(signal);
    StartedProgram program(words(name, 1000000), errors());
    ASSERT_TRUE(program.reach(3));
    program.kill(signal);
    EXPECT_EQ(program.wait(), 130);
    int done = 0;
    const std::size_t at = program.rest().find("interrupted after step ");
    ASSERT_NE(at, std::string::npos) << program.rest();
    ASSERT_EQ(sscanf(program.rest().c_str() + at, "interrupted after step %d", &done), 1);
    EXPECT_SAYS(program.rest(), file(name, done));
    expect_no_part(name);
    run(name, done + 3);
    run(name + "_whole", done + 3);
    expect_same_run(name + "_whole", name, done + 3);
  }
}

TEST_F(Restart, ASecondCtrlCIsTheEnd) {
  // One step of this run takes far longer than the test.
  auto all = words("a", 10, 1,
                   {"--train_input.batch_size", "8192", "--model.num_hidden_layers", "20", "--wafer.sram_kib", "128"});
  all[2] = WEFT_CONFIGS "/gpt_tiny.yaml";
  StartedProgram program(all, errors());
  for (std::string line; line.find("state hash") == std::string::npos;) ASSERT_TRUE(program.line(line));
  program.kill(SIGINT);
  while (program.errors().find("a second interrupt ends") == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  program.kill(SIGTERM);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a")) << "no step was done";
  run("a", 2);
}

// Minutes: only in `make test-long`.
class RestartLong : public Restart {};

TEST_F(RestartLong, KilledAtFiftyMomentsTheRunEndsInTheSameState) { expect_kills_change_nothing(50, 1500, 2); }

TEST_F(RestartLong, TenStepsOfTinyAreFiveOnModelAndFiveOnRtlWafers) {
  const auto tiny = [&](const std::string& name, int steps, int num_csx, const std::string& backend) {
    std::vector<std::string> all = words(name, steps, num_csx, {"--backend", backend});
    all[2] = WEFT_CONFIGS "/gpt_tiny.yaml";
    StartedProgram program(all, errors());
    ASSERT_EQ(program.wait(), 0) << program.errors();
  };
  tiny("whole", 10, 1, "model");
  tiny("a", 5, 3, "model");
  tiny("a", 10, 4, "rtl");
  expect_same_run("whole", "a", 10);
  tiny("b", 5, 2, "rtl");
  tiny("b", 10, 1, "model");
  expect_same_run("whole", "b", 10);
}

}  // namespace
}  // namespace weft::test
