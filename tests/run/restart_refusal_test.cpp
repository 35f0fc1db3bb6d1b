/// Runs that cannot start or continue: one line gives the reason, and no existing data is lost.
#include "tests/run/restart.hpp"

namespace weft::test {
namespace {

TEST_F(Restart, ASecondRunInTheSameFolderIsRefused) {
  StartedProgram first(words("a", 1000000), errors());
  ASSERT_TRUE(first.reach(1));
  EXPECT_EQ(refusal(words("a", 5)), "command line: runconfig.model_dir: " + folder_ / "a" + ": is in use by process " +
                                        std::to_string(first.pid()) +
                                        ". HINT: wait for its end, or set another runconfig.model_dir.\n");
  EXPECT_TRUE(first.reach(3));
}

TEST_F(Restart, AFolderThatCannotBeWrittenIsRefusedBeforeTraining) {
  checkpoint::write_text(folder_ / "file", "x");
  EXPECT_SAYS(refusal(words("file", 5)), folder_ / "file" + ": is not a folder. HINT: set runconfig.model_dir to");
  EXPECT_SAYS(refusal(words("file/below", 5)), folder_ / "file/below" + ": cannot be made: Not a directory");
  EXPECT_EQ(checkpoint::text_of(folder_ / "file"), "x");
}

TEST_F(Restart, DataErrorLeavesNoFolderBehind) {
  checkpoint::write_text(folder_ / "corpus.txt", "");
  refusal(words("a", 5));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
}

TEST_F(Restart, ADiskThatIsFullLeavesTheLastCheckpointWhole) {
  run("a", 4);
  const auto size = std::filesystem::file_size(file("a", 4));
  run("whole", 8);
  // First no room for a whole checkpoint, then none for a line of metrics either.
  EXPECT_SAYS(refusal(words("a", 8), size - 1),
              file("a", 6) + ": cannot be written: File too large. HINT: raise the limit");
  expect_no_part("a");
  EXPECT_SAYS(refusal(words("a", 8), std::filesystem::file_size(folder_ / "a/metrics.jsonl") - 1), "cannot be written");
  expect_no_part("a");
  EXPECT_EQ(std::filesystem::file_size(file("a", 4)), size);
  expect_whole("a");
  run("a", 8);
  expect_same_run("whole", "a", 8);
}

TEST_F(Restart, TheLineOfTheLastStepThatFoundNoRoomIsWrittenByTheNextRun) {
  run("whole", 100);
  run("a", 99);  // its metrics are larger than a checkpoint
  const auto size = std::filesystem::file_size(folder_ / "a/metrics.jsonl");
  StartedProgram full(words("a", 100), errors(), size + 20);
  EXPECT_EQ(full.wait(), 2);
  EXPECT_SAYS(full.errors(), "metrics.jsonl: cannot be written: File too large. HINT: raise the limit");
  EXPECT_EQ(std::filesystem::file_size(folder_ / "a/metrics.jsonl"), size);
  ASSERT_TRUE(std::filesystem::exists(file("a", 100))) << full.rest();
  run("a", 100);  // nothing else remains to be done
  EXPECT_EQ(metrics("a"), metrics("whole"));
}

}  // namespace
}  // namespace weft::test
