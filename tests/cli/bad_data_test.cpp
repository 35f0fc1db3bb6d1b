/// Data and vocabularies that are missing, damaged or too large.
#include "tests/cli/bad_input.hpp"

namespace weft::cli {
namespace {

TEST_F(BadInput, DataThatIsMissingOrDamaged) {
  const auto data = [&](const std::string& problem) { expect("mine.yaml:2: train_input.data_dir: " + problem); };
  edit("corpus.txt", "corpus.bin");
  data("corpus.bin: does not exist.");
  expect("command line: train_input.data_dir: /dev/null: is neither a file nor a folder.",
         {"--train_input.data_dir", "/dev/null"});
  folder_.write("corpus.bin", "");
  data("corpus.bin: is empty.");
  folder_.write("corpus.bin", test::shard_bytes(std::vector<std::uint16_t>(100, 3)).substr(0, 1100));
  data("corpus.bin: is cut short: 100 tokens need 1224 bytes, but the file has 1100.");
  folder_.write("corpus.bin", test::shard_bytes(std::vector<std::uint16_t>(100, 3), 20240802));
  data("corpus.bin: is not a token shard: it starts with 20240802, not with 20240520.");
  folder_.write("corpus.bin", test::shard_bytes(std::vector<std::uint16_t>(100, 3), 20240520, 7));
  data("corpus.bin: is a token shard of version 7, not 1.");
  folder_.write("corpus.bin", test::shard_bytes(std::vector<std::uint16_t>(100, 14)));
  data("corpus.bin: token 14 at position 0 is not below model.vocab_size 14. HINT: use model.vocab_size 15 or more.");
  folder_.write("corpus.bin", test::shard_bytes(std::vector<std::uint16_t>(8, 3)));
  data("8 tokens make no sample");
  folder_.write("corpus.bin", test::shard_bytes(std::vector<std::uint16_t>(100, 3)) + "and more");
  data("corpus.bin: has 8 bytes after its 100 tokens.");
}

/// Sparse files that occupy no disk blocks and are larger than a machine's memory.
TEST_F(BadInput, FilesThatAreTooLarge) {
  const std::uintmax_t size = std::uintmax_t{1} << 42;
  const auto large = [&](const std::string& name) {
    folder_.write(name, "a");
    std::filesystem::resize_file(folder_ / name, size);
  };
  const std::string memory = ": does not fit into memory: it has 4398046511104 bytes; ";
  large("large.txt");
  expect("command line: train_input.data_dir: large.txt" + memory, {"--train_input.data_dir", "large.txt"});
  expect("command line: train_input.data_dir: large.txt" + memory,
         {"--train_input.data_dir", "large.txt", "--train_input.tokenizer", "byte", "--model.vocab_size", "256"});
  large("large.safetensors");
  expect("command line: runconfig.checkpoint_path: large.safetensors" + memory,
         {"--checkpoint_path", "large.safetensors"});
  large("kept/checkpoint_7.safetensors");
  for (const std::string mode : {"train", "eval", "generate"}) {
    expect("command line: runconfig.model_dir: kept/checkpoint_7.safetensors" + memory,
           {"--model_dir", "kept", "--mode", mode, "--eval_input.data_dir", "corpus.txt", "--runconfig.prompt_tokens",
            "1"});
  }
  large("mine.yaml");
  expect("mine.yaml: is longer than 1 MiB.");
}

TEST_F(BadInput, AVocabularyThatIsTooLarge) {
  ASSERT_EQ(run_program(folder_, {"run", "--params", "mine.yaml", "--model_dir", "kept"}).status, 0);
  std::filesystem::remove(folder_ / "kept/metrics.jsonl");
  std::filesystem::resize_file(folder_ / "kept/vocab.json", std::uintmax_t{1} << 42);
  for (const std::string mode : {"train", "generate"}) {
    expect(
        "command line: runconfig.model_dir: kept/vocab.json: has 4398046511104 bytes, more than the 67108864 allowed.",
        {"--model_dir", "kept", "--mode", mode, "--runconfig.prompt", "a", "--num_steps", "4"});
  }
}

/// A file that fits into the machine's memory but not into the program's limit.
TEST_F(BadInput, AFileThatFindsNoMemory) {
  folder_.write("large.txt", "a");
  std::filesystem::resize_file(folder_ / "large.txt", std::uintmax_t{1} << 31);
  const ProgramResult result = run_program(
      folder_, {"run", "--params", "mine.yaml", "--model_dir", "out", "--train_input.data_dir", "large.txt"},
      "ulimit -v 2000000");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.error_lines(), 1) << result.err;
  EXPECT_SAYS(result.err,
              "command line: train_input.data_dir: large.txt: does not fit into memory: it has 2147483648 bytes; ");
  EXPECT_SAYS(result.err,
              " are left (this process's limit on addresses, ulimit -v). HINT: name a smaller one, raise that limit, ");
}

TEST_F(BadInput, DataWhoseNameIsNoUtf8) {
  folder_.write("b\xff.txt", test::file_text(folder_ / "corpus.txt"));
  expect("command line: train_input.data_dir: b\\xff.txt is not valid UTF-8.", {"--train_input.data_dir", "b\xff.txt"});
  edit("corpus.txt", "b\xff.txt");
  expect("mine.yaml:2: the byte 0xff is not valid UTF-8. HINT: save the file as UTF-8.");
}

}  // namespace
}  // namespace weft::cli
