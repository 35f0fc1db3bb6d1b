/// A run owns its folder: interference is noticed in the next step, and nothing is lost or mixed.
#include <sys/stat.h>

#include <filesystem>

#include "tests/run/restart.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

class OwnFolder : public Restart {
 protected:
  /// Starts a run with enough steps to last for the test; the test waits for step 3.
  StartedProgram begin(const std::string& name, Names more = {}) const {
    return StartedProgram(words(name, 1000000, 1, std::move(more)), errors());
  }
  /// The one-line error of a run that must end with 2.
  std::string ended(StartedProgram& program) const {
    EXPECT_EQ(program.wait(), 2) << program.rest();
    const std::string line = program.errors();
    EXPECT_EQ(std::ranges::count(line, '\n'), 1) << line;
    return line;
  }
  /// Continues for three more steps; the result must equal that of an undisturbed run.
  void expect_goes_on(const std::string& name) {
    const int steps = newest(name) + 3;
    run(name, steps);
    run("whole", steps);
    expect_same_run("whole", name, steps);
  }
};

TEST_F(OwnFolder, ADeletedFolderIsMadeAgainWithTheStateAndAllItsLines) {
  StartedProgram program = begin("a");
  ASSERT_TRUE(program.reach(3));
  program.kill(SIGSTOP);  // so that it cannot observe the removal in progress
  int stopped = 0;
  ASSERT_EQ(::waitpid(program.pid(), &stopped, WUNTRACED), program.pid());
  ASSERT_TRUE(WIFSTOPPED(stopped));
  fs::remove_all(folder_ / "a");
  program.kill(SIGCONT);
  EXPECT_SAYS(ended(program),
              (folder_ / "a") + ": was deleted while the run trained and was created again; the state after step ");
  EXPECT_EQ(fs::exists(folder_ / "a/vocab.json"), true);
  expect_goes_on("a");
}

TEST_F(OwnFolder, AMovedFolderHasTheStateWhereItIs) {
  StartedProgram program = begin("a");
  ASSERT_TRUE(program.reach(3));
  fs::rename(folder_ / "a", folder_ / "b");
  EXPECT_SAYS(ended(program), "was moved to " + (folder_ / "b") + " while the run trained; the state after step ");
  EXPECT_FALSE(fs::exists(folder_ / "a"));
  expect_goes_on("b");
}

TEST_F(OwnFolder, ALockThatIsDeletedIsMadeAgainBeforeAnotherRunCanHaveIt) {
  StartedProgram program = begin("a");
  ASSERT_TRUE(program.reach(3));
  fs::remove(folder_ / "a/.lock");
  ASSERT_TRUE(program.reach(200));
  EXPECT_SAYS(refusal(words("a", 5)), "is in use by process " + std::to_string(program.pid()));
  program.kill(SIGTERM);
  EXPECT_EQ(program.wait(), 130);
  expect_goes_on("a");
}

TEST_F(OwnFolder, RunThatLostItsLockEndsAndTouchesNothing) {
  StartedProgram first = begin("a");
  ASSERT_TRUE(first.reach(3));
  first.kill(SIGSTOP);
  fs::remove(folder_ / "a/.lock");
  {
    StartedProgram second(words("a", newest("a") + 4), errors());
    EXPECT_EQ(second.wait(), 0) << second.errors();
  }
  const std::string metrics_before = checkpoint::text_of(folder_ / "a/metrics.jsonl");
  Names before = folder_.names("a");
  // Without the first run's own unfinished files.
  std::erase_if(before, [](const std::string& name) { return name.find(".weft-part") != std::string::npos; });
  first.kill(SIGCONT);
  EXPECT_SAYS(ended(first), "had no .lock for a moment, and was taken by process ");
  EXPECT_EQ(folder_.names("a"), before);
  EXPECT_EQ(checkpoint::text_of(folder_ / "a/metrics.jsonl"), metrics_before);
  expect_goes_on("a");
}

TEST_F(OwnFolder, AnotherFolderOfTheSameNameIsLeftAlone) {
  StartedProgram program = begin("a");
  ASSERT_TRUE(program.reach(3));
  program.kill(SIGSTOP);
  fs::rename(folder_ / "a", folder_ / "aside");
  fs::remove_all(folder_ / "aside");
  fs::create_directory(folder_ / "a");
  checkpoint::write_text(folder_ / "a/mine", "x");
  program.kill(SIGCONT);
  const std::string line = ended(program);
  EXPECT_SAYS(line,
              (folder_ / "a") + ": was deleted while the run trained, and its name now belongs to another file; ");
  EXPECT_SAYS(line, "HINT: continue with --model_dir " + (folder_ / "a.lost1"));
  EXPECT_EQ(folder_.names("a"), Names{"mine"});
  expect_goes_on("a.lost1");
}

TEST_F(OwnFolder, ACopyOfItsLockOrOfTheWholeFolderIsItsOwn) {
  StartedProgram program = begin("a");
  ASSERT_TRUE(program.reach(3));
  program.kill(SIGSTOP);
  fs::copy_file(folder_ / "a/.lock", folder_ / "copy");
  fs::rename(folder_ / "copy", folder_ / "a/.lock");
  program.kill(SIGCONT);
  ASSERT_TRUE(program.reach(100));
  program.kill(SIGTERM);
  EXPECT_EQ(program.wait(), 130) << program.errors();
  expect_goes_on("a");
}

/// As after `rm .lock` during the first step of a long run: a second run's files have the same names.
TEST_F(OwnFolder, ARunThatLosesItsFolderBeforeItsFirstStepRemovesNothingOfTheNext) {
  checkpoint::write_text(folder_ / "long.txt", small_corpus());
  StartedProgram first(words("a", 50, 1, {"--train_input.batch_size", "4000"}), errors());
  for (int i = 0; i < 5000 && !fs::exists(folder_ / "a/metrics.jsonl"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  int code = 2;
  for (int i = 0; i < 20 && code != 0; ++i) {  // the first run checks the lock again before the step
    fs::remove(folder_ / "a/.lock");
    code = StartedProgram(words("a", 4), folder_ / "second.txt").wait();
  }
  ASSERT_EQ(code, 0);
  const Names before = folder_.names("a");
  first.kill(SIGINT);
  first.kill(SIGINT);
  EXPECT_NE(first.wait(), 0);
  EXPECT_EQ(folder_.names("a"), before);
  expect_goes_on("a");
}

TEST_F(OwnFolder, ARunInTheFolderAboveLeavesWhatThisOneIsWriting) {
  run("a", 1);
  fs::create_directory(folder_ / "a/b");
  checkpoint::write_text(folder_ / "a/b/.checkpoint_3.safetensors.weft-part", "half");
  run("a", 2);
  EXPECT_TRUE(fs::exists(folder_ / "a/b/.checkpoint_3.safetensors.weft-part"));
}

TEST_F(OwnFolder, FifoAmongCheckpointsIsNotWaitedFor) {
  run("a", 4);
  ASSERT_EQ(mkfifo((folder_ / "a/checkpoint_1.safetensors").c_str(), 0600), 0);
  run("a", 6);
}

TEST_F(OwnFolder, AStateAndLinesOfTwoContinuationsAreNotMixed) {
  run("a", 4);
  fs::copy(folder_ / "a", folder_ / "b", fs::copy_options::recursive);
  run("a", 8, 1, {"--optimizer.learning_rate", "0.02", "--allow_other_bits"});
  run("b", 8, 1, {"--optimizer.learning_rate", "0.03", "--allow_other_bits"});
  fs::copy_file(folder_ / "b/metrics.jsonl", folder_ / "a/metrics.jsonl", fs::copy_options::overwrite_existing);
  EXPECT_SAYS(refusal(words("a", 10, 1, {"--optimizer.learning_rate", "0.02"})), "a/metrics.jsonl:5: belongs to run ");
}

TEST_F(OwnFolder, FilesOfTwoRunsAreNotMixed) {
  run("a", 4);
  run("b", 4, 1, {"--runconfig.seed", "7"});
  const auto refuses = [&](const std::string& name, const std::string& part) {
    const std::string own = checkpoint::text_of(folder_ / ("a/" + name));
    fs::copy_file(folder_ / ("b/" + name), folder_ / ("a/" + name), fs::copy_options::overwrite_existing);
    EXPECT_SAYS(refusal(words("a", 6)), part);
    checkpoint::write_text(folder_ / ("a/" + name), own);
  };
  refuses("metrics.jsonl", "a/metrics.jsonl:1: belongs to run ");
  refuses("train/params.yaml", "a/train/params.yaml: belongs to run ");
  refuses("vocab.json", "a/vocab.json: belongs to run ");
  refuses("checkpoint_2.safetensors", "a/checkpoint_2.safetensors: belongs to run ");
  expect_goes_on("a");
}

TEST_F(OwnFolder, AVocabularyOfOtherCharactersIsNotTheCheckpoints) {
  run("a", 2);
  std::string text = small_corpus();
  for (char& c : text) c = c == '\n' ? '\n' : static_cast<char>(c + 1);
  checkpoint::write_text(folder_ / "other.txt", text);
  run("b", 2, 1, {"--train_input.data_dir", folder_ / "other.txt"});
  fs::copy_file(folder_ / "b/vocab.json", folder_ / "a/vocab.json", fs::copy_options::overwrite_existing);
  EXPECT_SAYS(refusal(words("a", 4)), "a/vocab.json: does not have the characters that ");
  fs::remove(folder_ / "a/vocab.json");
  const Names prompt = {"--mode", "generate", "--prompt", "b", "--train_input.data_dir", folder_ / "other.txt"};
  EXPECT_SAYS(refusal(words("a", 4, 1, prompt)), "other.txt: does not have the characters that ");
}

TEST_F(OwnFolder, SettingsChangedByHandAreNamed) {
  run("a", 2);
  checkpoint::write_text(folder_ / "a/train/params.yaml",
                         checkpoint::text_of(folder_ / "a/train/params.yaml") + "# mine\n");
  StartedProgram program(words("a", 4), errors());
  EXPECT_EQ(program.wait(), 0);
  EXPECT_SAYS(program.rest(), "a/train/params.yaml was changed since the run and is written again");
}

TEST_F(OwnFolder, OtherSettingsOfTheOptimizerAreRefusedUnlessTheyAreAllowed) {
  run("a", 2);
  std::vector<std::string> other = {"--optimizer.eps", "1e-6", "--optimizer.learning_rate", "0.02"};
  StartedProgram refused(words("a", 4, 1, other), errors());
  EXPECT_EQ(refused.wait(), 2);
  EXPECT_SAYS(refused.errors(), "optimizer.eps was 1e-08 and is 1e-06 now");
  EXPECT_SAYS(refused.errors(), "optimizer.learning_rate was Constant 0.01 and is Constant 0.02 now");
  other.push_back("--allow_other_bits");
  StartedProgram allowed(words("a", 4, 1, other), errors());
  EXPECT_EQ(allowed.wait(), 0) << allowed.errors();
  EXPECT_SAYS(allowed.rest(), "note    another run, ");
}

TEST_F(OwnFolder, AnEvaluationThatPrunesSaysSo) {
  run("a", 2);
  StartedProgram program(
      words("a", 2, 1,
            {"--mode", "eval", "--eval_input.data_dir", folder_ / "corpus.txt", "--sparsity.sparsity", "0.5"}),
      errors());
  EXPECT_EQ(program.wait(), 0) << program.errors();
  EXPECT_SAYS(program.rest(), "note    sparsity: ");
}

}  // namespace
}  // namespace weft::test
