/// Checkpoints that --mode eval and generate use, and those that they reject.
#include "tests/cli/modes/modes.hpp"

namespace weft::cli {
namespace {

TEST_F(Modes, EvalAndGenerateRebuildTheVocabularyIfItIsTheCheckpoints) {
  ASSERT_EQ(run("train").status, 0);
  const std::string line = last_line(run("eval"));
  std::filesystem::remove(folder_ / "out/vocab.json");
  EXPECT_EQ(last_line(run("eval")), line);
  EXPECT_EQ(run("eval").out.find("note "), std::string::npos) << "it is known to be the same";
  folder_.write("other.txt", std::string(200, 'z'));
  for (const char* mode : {"eval", "generate"}) {
    const ProgramResult other =
        run(mode, {"--prompt", "z", "--train_input.data_dir", "other.txt", "--eval_input.data_dir", "other.txt"});
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(
        other.err.find("other.txt: does not have the characters that out/checkpoint_3.safetensors was trained with"),
        std::string::npos)
        << other.err;
  }
  EXPECT_EQ(run("generate", {"--prompt_tokens", "1"}).err.find("note "), std::string::npos) << "no text, no vocabulary";
  folder_.write("eval.bin", test::shard_bytes(std::vector<std::uint16_t>(100, 3)));
  std::filesystem::remove(folder_ / "corpus.txt");
  const ProgramResult shards = run("eval", {"--eval_input.data_dir", "eval.bin"});
  EXPECT_EQ(shards.status, 0) << shards.err;
  EXPECT_EQ(shards.out.find("note "), std::string::npos);
}

TEST_F(Modes, EvalAndGenerateRefuseAnotherNumberOfHeads) {
  ASSERT_EQ(run("train").status, 0);
  for (const char* mode : {"eval", "generate", "train"}) {
    const ProgramResult result = run(mode, {"--model.num_heads", "4", "--runconfig.prompt_tokens", "1"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(
        result.err,
        "command line: runconfig.model_dir: out/checkpoint_3.safetensors: was trained with model.num_heads 2, not "
        "4. HINT: set model.num_heads 2.\n");
  }
}

TEST_F(Modes, EvalWithoutACheckpointOrDataIsRefused) {
  const ProgramResult none = run("eval");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err,
            "command line: runconfig.model_dir: out has no checkpoint. HINT: train first, or name a file with "
            "--checkpoint_path.\n");
  const ProgramResult nothing = run_program(folder_, {"run", "--params", "mine.yaml", "--mode", "eval"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.err,
            "command line: runconfig.mode: eval has nothing to evaluate on. HINT: set eval_input.data_dir.\n");
}

TEST_F(Modes, AModelFolderThatCannotBeReadIsNotCalledEmpty) {
  std::filesystem::create_symlink("out", folder_ / "out");
  for (const std::string mode : {"eval", "generate"}) {
    EXPECT_EQ(run(mode, {"--runconfig.prompt_tokens", "1"}).err,
              "command line: runconfig.model_dir: out: cannot be read: Too many levels of symbolic links. HINT: name "
              "the folder of a run.\n");
    EXPECT_EQ(run(mode, {"--runconfig.prompt_tokens", "1", "--model_dir", "mine.yaml"}).err,
              "command line: runconfig.model_dir: mine.yaml: cannot be read: Not a directory. HINT: name the folder of "
              "a run.\n");
  }
}

TEST_F(Modes, EvalAndGenerateReportDamagedCheckpoints) {
  for (const std::string mode : {"eval", "generate"}) {
    folder_.write("out/checkpoint_7.safetensors", "half a fi");
    const auto said = [&] {
      const ProgramResult result = run(mode, {"--runconfig.prompt_tokens", "1"});
      EXPECT_EQ(result.status, 2);
      return result.err;
    };
    const std::string
        newest = "command line: runconfig.model_dir: out/checkpoint_7.safetensors: header: ",
        hint = "can be used. HINT: put an undamaged checkpoint there, or name a file with --checkpoint_path.\n";
    EXPECT_EQ(said().substr(0, newest.size()), newest);
    EXPECT_NE(
        said().find(", and it is the only checkpoint of its folder. HINT: put an undamaged checkpoint there, or name a "
                    "file with --checkpoint_path.\n"),
        std::string::npos)
        << said();
    folder_.write("out/checkpoint_5.safetensors", "");
    EXPECT_NE(said().find(", and none of the 2 checkpoints of its folder " + hint), std::string::npos) << said();
    std::filesystem::remove(folder_ / "out/checkpoint_5.safetensors");
  }
}

}  // namespace
}  // namespace weft::cli
