/// Environments, folders and checkpoints that a run cannot use.
#include <map>

#include "sw/base/refusal.hpp"
#include "tests/cli/bad_input.hpp"

namespace weft::cli {
namespace {

TEST_F(BadInput, OneRankOfARunThatIsToHaveMore) {
  const ProgramResult result =
      run_program(folder_, {"run", "--params", "mine.yaml", "--memoryx.ranks", "2"}, "export RANK=0 WORLD_SIZE=1");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err.find("command line: memoryx.ranks: 2, but WORLD_SIZE is 1"), 0U) << result.err;
  const ProgramResult alone = run_program(
      folder_, {"run", "--params", "mine.yaml", "--memoryx.ranks", "2", "--backend", "model", "--model_dir", "out"});
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_NE(alone.out.find("\nranks   only this process: memoryx.ranks 2 does not apply here"), std::string::npos);
}

TEST_F(BadInput, OneOfSeveralThatDoesNotSayWhich) {
  const ProgramResult result =
      run_program(folder_, {"run", "--params", "mine.yaml", "--model_dir", "out"}, "export WORLD_SIZE=4");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err.find("RANK: is not set, but WORLD_SIZE is 4. HINT: "), 0U) << result.err;
}

TEST_F(BadInput, AnAddressOfAnotherMachineForTheRoot) {
  const ProgramResult result = run_program(
      folder_, {"run", "--params", "mine.yaml", "--backend", "model", "--model_dir", "out", "--swarmx.key_file", "key"},
      "(umask 077; printf %64s key | tr ' ' k > key); export RANK=0 WORLD_SIZE=2 MASTER_ADDR=192.0.2.1 "
      "MASTER_PORT=29500");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err.find("MASTER_ADDR and MASTER_PORT: 192.0.2.1:29500: cannot listen there: "), 0U) << result.err;
}

TEST_F(BadInput, MoreWafersThanTheSystemHasFilesFor) {
  const ProgramResult result =
      run_program(folder_, {"run", "--params", "mine.yaml", "--model_dir", "out", "--num_csx", "64"}, "ulimit -n 40");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "weft: the system reports an error: Too many open files. HINT: use fewer wafers (runconfig.num_csx), or "
            "raise the system's limits (ulimit -a).\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/metrics.jsonl"));
}

TEST_F(BadInput, AStandardOutputThatIsFull) {
  const std::string full = "exec >/dev/full";
  const ProgramResult result = run_program(folder_, {"run", "--params", "mine.yaml", "--model_dir", "out"}, full);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "standard output: cannot be written. HINT: make room, or send it elsewhere.\n");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/checkpoint_3.safetensors"));
}

TEST_F(BadInput, AFolderThatCannotBeWritten) {
  folder_.write("file", "x");
  expect("command line: runconfig.model_dir: file: is not a folder.", {"--model_dir", "file"});
  expect("command line: runconfig.model_dir: file/below: cannot be made: Not a directory.",
         {"--model_dir", "file/below"});
  expect("command line: runconfig.model_dir: /proc/nowhere: cannot be made: ", {"--model_dir", "/proc/nowhere"});
  for (const char* name : {"file/a\nb", "a\x1b[2J", "a\xc2\x9b"})
    expect("command line: runconfig.model_dir: " + one_line(name) + " has a control character.", {"--model_dir", name});
  folder_.write("here/train", "x");
  expect("command line: runconfig.model_dir: here/train/params.yaml: cannot be written: Not a directory.",
         {"--model_dir", "here"});
}

TEST_F(BadInput, ACheckpointOfModelDirIsCalledByTheKey) {
  ASSERT_EQ(run_program(folder_, {"run", "--params", "mine.yaml", "--model_dir", "kept"}).status, 0);
  std::filesystem::remove(folder_ / "kept/metrics.jsonl");
  for (const std::string mode : {"train", "generate"}) {
    expect(
        "command line: runconfig.model_dir: kept/checkpoint_3.safetensors: wte.weight: shape is [14, 8], the model's "
        "is "
        "[14, 12]. HINT: ",
        {"--model_dir", "kept", "--mode", mode, "--model.hidden_size", "12", "--runconfig.prompt_tokens", "1"});
  }
  folder_.write("kept/vocab.json", "{}");
  const auto vocabulary = [&](const std::string& key, std::vector<std::string> more) {
    more.insert(more.end(), {"--mode", "generate", "--prompt", "a"});
    expect("command line: " + key + ": kept/vocab.json: is not a vocabulary.", more);
  };
  vocabulary("runconfig.model_dir", {"--model_dir", "kept"});
  vocabulary("runconfig.checkpoint_path", {"--checkpoint_path", "kept/checkpoint_3.safetensors"});
}

/// Paths below a folder, with the contents of files.
std::map<std::string, std::string> contents(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    all[entry.path()] = entry.is_regular_file() ? test::file_text(entry.path()) : "";
  }
  return all;
}

TEST_F(BadInput, ARefusedRunLeavesNothingOfItsOwn) {
  folder_.write("there/notes.txt", "mine");
  folder_.write("full/metrics.jsonl/x", "");  // metrics.jsonl cannot be created
  std::filesystem::create_directories(folder_ / "empty");
  const auto before = contents(folder_ / "");
  const auto refused = [&](const std::string& model_dir, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "--params", "mine.yaml", "--model_dir", model_dir});
    const ProgramResult result = run_program(folder_, more);
    EXPECT_EQ(result.status, 2) << result.err;
    for (const char* own : {"stdout", "stderr"}) std::filesystem::remove(folder_ / own);
    EXPECT_EQ(contents(folder_ / ""), before) << model_dir << ": " << result.err;
  };
  for (const std::string model_dir : {"out", "out/x/y", "out/../z/", "there", "there/x", "empty", "mine.yaml"}) {
    refused(model_dir, {"--train_input.data_dir", "nowhere.txt"});
    refused(model_dir, {"--checkpoint_path", "nowhere.safetensors"});
  }
  refused("out/" + std::string(300, 'x'), {});
  refused("full", {"--runconfig.save_initial_checkpoint", "true"});
}

TEST_F(BadInput, ACheckpointPathIsCalledByItsKey) {
  expect("command line: runconfig.checkpoint_path: nowhere: cannot be read: No such file or directory.",
         {"--checkpoint_path", "nowhere"});
  expect("command line: runconfig.checkpoint_path: /dev/zero: cannot be read: it is not a regular file.",
         {"--checkpoint_path", "/dev/zero"});
  expect("command line: runconfig.checkpoint_path: mine.yaml: header: ", {"--checkpoint_path", "mine.yaml"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

}  // namespace
}  // namespace weft::cli
