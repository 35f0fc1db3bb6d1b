/// The real program on disks that are full or lack features. Exit code 1: an environment failure; 2: the user's
/// mistake.
#include <cerrno>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/failing_system_calls.hpp"
#include "tests/isolated_child.hpp"
#include "tests/says.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct FailingWorld : testing::Test {
  test::TemporaryFolder folder_;

  FailingWorld() {
    write_small_run(folder_);
    fs::create_directory(folder_ / "disk");
  }
  ProgramResult weft(const Words& words) { return run_program(folder_, words); }
  /// Runs weft in separate namespaces, after `change`.
  ProgramResult weft_where(const std::function<bool()>& change, const Words& words) {
    ProgramResult result;
    test::in_isolated_child(change, [&] { folder_.write("status", std::to_string(weft(words).status)); });
    if (!IsSkipped() && !HasFatalFailure()) result.status = std::stoi(test::file_text(folder_ / "status"));
    result.out = test::file_text(folder_ / "stdout"), result.err = test::file_text(folder_ / "stderr");
    return result;
  }
  ProgramResult on_full_disk(const Words& words, const std::string& size = "4k") {
    return weft_where([&] { return test::mount_small_disk(folder_ / "disk", size); }, words);
  }
};

/// statfs of ramfs, and of FUSE file systems over object stores, reports 0 of 0 bytes.
TEST_F(FailingWorld, AFileSystemThatGivesNoSizeIsNotFull) {
  const auto no_size = [&] {
    return test::mount_small_disk(folder_ / "disk", "4k") &&
           mount("none", (folder_ / "disk").c_str(), "ramfs", 0, "") == 0;
  };
  const ProgramResult result = weft_where(no_size, {"run", "--params", "mine.yaml", "--model_dir", "disk/out"});
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(FailingWorld, ADiskThatIsFullIsNoMistakeOfTheUsers) {
  ASSERT_EQ(weft({"run", "--params", "mine.yaml", "--model_dir", "out"}).status, 0);
  folder_.write("words.txt", test::small_corpus() + test::small_corpus());
  ASSERT_EQ(weft({"tokenizer", "train", "words.txt", "--vocab_size", "270", "--out", "vocab"}).status, 0);
  std::string text;
  for (int i = 0; i < 100; ++i) text += test::small_corpus();
  folder_.write("long.txt", text);
  const std::vector<Words> all = {
      {"run", "--params", "mine.yaml", "--model_dir", "disk/out"},
      {"run", "--params", "mine.yaml", "--mode", "compile_only", "--save", "disk/plan"},
      {"run", "--params", "mine.yaml", "--model_dir", "out", "--mode", "eval", "--eval_input.data_dir", "corpus.txt",
       "--logits", "disk/logits"},
      {"export", "--to", "hf", "disk/hf", "--model_dir", "out"},
      {"tokenize", "long.txt", "--tokenizer", "vocab/tokenizer.json", "--out", "disk/long.bin", "--eot", "none"},
      {"tokenizer", "train", "words.txt", "--vocab_size", "300", "--out", "disk/vocab"},
      {"check", "--params", "mine.yaml", "--check.out", "disk/order"},
      {"profile", "--params", "mine.yaml", "--perfetto", "disk/profile"},
      {"fingerprint", "--params", "mine.yaml", "--level", "phases", "--out", "disk/fingerprint"},
      {"waves", "--params", "mine.yaml", "--phase", "loss", "--out", "disk/waves"},
  };
  for (const Words& words : all) {
    const ProgramResult result = on_full_disk(words);
    if (IsSkipped()) return;
    EXPECT_EQ(result.status, 1) << words[0] << " " << words.back() << ": " << result.err;
    EXPECT_SAYS(result.err, "disk");
    EXPECT_SAYS(result.err, "HINT: ");
  }
}

TEST_F(FailingWorld, APlaceThatCannotBeIsTheUsersMistake) {
  const std::vector<Words> all = {{"run", "--params", "mine.yaml", "--model_dir", "mine.yaml/out"},
                                  {"run", "--params", "none.yaml"},
                                  {"tokenize", "corpus.txt", "--tokenizer", "none.json", "--out", "a.bin"}};
  for (const Words& words : all) EXPECT_EQ(weft(words).status, 2) << words.back();
  const auto read_only = [&] { return test::mount_small_disk(folder_ / "disk", "1m", MS_RDONLY); };
  const ProgramResult result = weft_where(read_only, {"run", "--params", "mine.yaml", "--model_dir", "disk/out"});
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 2) << result.err;
}

TEST_F(FailingWorld, WithoutLocksARunTrainsAllTheSameAndSaysHow) {
  for (const int error : {EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL}) {
    const std::string name = "out" + std::to_string(error);
    const ProgramResult result = weft_where(
        [&] {
          return test::fail_system_calls({{SYS_flock, error}});
        },
        {"run", "--params", "mine.yaml", "--model_dir", name});
    if (IsSkipped()) return;
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_SAYS(result.out,
                "note    " + name + "/.lock.held is the lock of this run, with a heartbeat, since its file");
    EXPECT_FALSE(fs::exists(folder_ / (name + "/.lock.held")));
  }
}

struct FailingWorldLong : FailingWorld {};

/// Takes half a minute.
TEST_F(FailingWorldLong, WithoutLocksTheRunOfAHostThatIsGoneIsContinuedLater) {
  folder_.write("out/.lock.held", "0000000000000005 0123 n2 7 1 another-machine\n");
  const ProgramResult result = weft_where(
      [] {
        return test::fail_system_calls({{SYS_flock, ENOLCK}});
      },
      {"run", "--params", "mine.yaml", "--model_dir", "out", "--num_steps", "1"});
  if (IsSkipped()) return;
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_SAYS(result.out, "note    process 7 on n2 may have locked out: waiting for a heartbeat, at most 30 s");
}

TEST_F(FailingWorld, ExportIsReplacedWithoutAtomicExchangeOfNames) {
  ASSERT_EQ(weft({"run", "--params", "mine.yaml", "--model_dir", "out"}).status, 0);
  const auto network = [] { return test::fail_system_calls({{SYS_renameat2, EINVAL, 4}}); };
  const Words fp32 = {"export", "--to", "hf", "hf", "--model_dir", "out"};
  const ProgramResult first = weft_where(network, fp32);
  if (IsSkipped()) return;
  EXPECT_EQ(first.status, 0) << first.err;
  const auto size = fs::file_size(folder_ / "hf/model.safetensors");
  const Words bf16 = {"export", "--to", "hf", "hf", "--model_dir", "out", "--dtype", "bf16"};
  const ProgramResult again = weft_where(network, bf16);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_LT(fs::file_size(folder_ / "hf/model.safetensors"), size);
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".hf")) << entry.path();
}

}  // namespace
}  // namespace weft::cli
