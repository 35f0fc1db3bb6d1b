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

/// Two groups of two rows have the states of a wafer of two rows. A resume with `auto` keeps the recorded number.
TEST_F(Restart, OnWafersWithGroupsOfRowsIsTheSameRun) {
  const Names groups = {"--wafer.rows", "4", "--wafer.row_groups", "2", "--wafer.valves", "2"};
  const auto with = [&](Names more) {
    more.insert(more.begin(), groups.begin(), groups.end());
    return more;
  };
  const Names one_each = {"--train_input.micro_batch_size", "1"};
  run("plain", 6, 1, one_each);
  run("whole", 6, 1, groups);
  EXPECT_EQ(tensors("plain", 6), tensors("whole", 6));
  EXPECT_NE(tensors("plain", 6), tensors("plain", 4));
  run("a", 2, 1, groups);
  run("a", 4, 3, with({"--backend", "rtl"}));
  run("a", 6, 2,
      with({"--wafer.row_groups", "auto", "--wafer.valves", "auto", "--train_input.micro_batch_size", "auto"}));
  expect_same_run("whole", "a", 6);
  // A wafer with the rows and the sequences of a group may continue, and be continued.
  run("b", 2, 1, one_each);
  run("b", 4, 2, groups);
  run("b", 6, 3, one_each);
  EXPECT_EQ(tensors("plain", 6), tensors("b", 6));
  // The second group has no sequence in an evaluation of one.
  const auto evaluated = [&](Names more) {
    more.insert(more.end(), {"--mode", "eval", "--json", "--eval_input.data_dir", folder_ / "corpus.txt",
                             "--eval_input.batch_size", "1", "--runconfig.eval_steps", "2"});
    StartedProgram program(words("plain", 6, 1, more), errors());
    EXPECT_EQ(program.wait(), 0) << program.errors();
    return program.rest();
  };
  EXPECT_SAYS(evaluated(groups), "eval_loss");
  EXPECT_EQ(evaluated(groups), evaluated(one_each));
  const std::string other = refusal(words("a", 8, 1, with({"--wafer.row_groups", "1"})));
  EXPECT_SAYS(other, "wafer.row_groups was 2 and is 1 now");
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
