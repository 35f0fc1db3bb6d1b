/// Commands that inspect a run from a checkpoint report settings that have changed since the training.
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace weft::inspect {
namespace {

TEST(OtherSettings, ResumedRunNotesTheDifference) {
  const test::TemporaryFolder folder;
  cli::write_small_run(folder);
  const auto weft = [&](std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--params", "mine.yaml"});
    const cli::ProgramResult result = cli::run_program(folder, words);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out + result.err;
  };
  weft({"run", "--model_dir", "out", "--max_steps", "2"});
  const std::string file = "out/checkpoint_2.safetensors", at = "; the run continues at data position ",
                    note = "note    model.layer_norm_epsilon was 1e-05 and is 0.5 now" + at;
  const std::vector<std::vector<std::string>> commands = {
      {"waves", "--phase", "embedding", "--step", "3", "--model_dir", "out"},
      {"profile", "--model_dir", "out"},
      {"fingerprint", "--out", "a.fingerprint", "--max_steps", "3", "--checkpoint_path", file}};
  for (std::vector<std::string> words : commands) {
    EXPECT_EQ(weft(words).find("note "), std::string::npos) << words[0];
    words.insert(words.end(), {"--model.layer_norm_epsilon", "0.5"});
    EXPECT_SAYS(weft(words), note) << words[0];
  }
  EXPECT_SAYS(weft({"profile", "--model_dir", "out", "--train_input.batch_size", "8"}),
              "note    train_input.batch_size was 4 and is 8 now" + at + "8: place 8 of 249 in epoch 0\n");
  EXPECT_SAYS(weft({"run", "--mode", "eval", "--eval_input.data_dir", "corpus.txt", "--model_dir", "out",
                    "--wafer.lanes", "8"}),
              "note    wafer.lanes was 4 and is 8 now\n");
}

}  // namespace
}  // namespace weft::inspect
