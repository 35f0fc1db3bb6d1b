/// The user's mistakes, through the program: exit code 2, one line that names file, key and a way out, nothing left
/// over.
#include <algorithm>
#include <map>

#include "tests/appliance/program.hpp"
#include "tests/says.hpp"

namespace weft {
namespace {

class BadInput : public testing::Test {
 protected:
  BadInput() { write_small_run(folder_); }

  /// Runs mine.yaml with more arguments; what it says must begin with `line`.
  void expect(const std::string& line, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"run", "--params", "mine.yaml"});
    if (std::ranges::find(more, "--model_dir") == more.end()) more.insert(more.end(), {"--model_dir", "out"});
    const ProgramResult result = run_program(folder_, more);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(result.error_lines(), 1) << result.err;
    EXPECT_EQ(result.err.substr(0, line.size()), line) << result.err;
    EXPECT_NE(result.err.find(" HINT: "), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out/metrics.jsonl"));
  }
  void edit(const std::string& from, const std::string& to) { edit_run(folder_, from, to); }
  void set_file(const std::string& text) { folder_.write("mine.yaml", text); }

  const TemporaryFolder folder_;
};

TEST_F(BadInput, TheRunItselfIsGood) {
  const ProgramResult result = run_program(folder_, {"run", "--params", "mine.yaml"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
}

TEST_F(BadInput, AnUnknownKey) {
  edit("num_heads", "num_head");
  expect("mine.yaml:8: model.num_head: unknown key. HINT: did you mean model.num_heads?");
}

TEST_F(BadInput, AnUnknownSection) {
  edit("wafer:", "waffle:");
  expect("mine.yaml:16: waffle: unknown section. HINT: did you mean wafer?");
}

TEST_F(BadInput, ATopLevelKeyNamesItsNeighbours) {
  const std::string rest = file_text(folder_ / "mine.yaml");
  const auto top = [&](const std::string& line, const std::string& hint) {
    set_file(line + "\n" + rest);
    expect("mine.yaml:1: " + line.substr(0, line.find(':')) + ": unknown section. HINT: " + hint + "\n");
  };
  top("trian_input: 1", "did you mean train_input?");
  top("wafre: [1]", "did you mean wafer?");
  top("sed: 1", "did you mean train_input.seed or sparsity.seed or runconfig.seed?");
  top("mode: train", "did you mean runconfig.mode?");
  top("num_head: {}", "did you mean model.num_heads?");
  top("zzz: 1",
      "sections are train_input, eval_input, model, optimizer, sparsity, runconfig, wafer, fpga, swarmx, memoryx, "
      "metrics.");
}

TEST_F(BadInput, AKeyTwice) {
  edit("  rows: 2\n", "  rows: 2\n  rows: 2\n");
  expect("mine.yaml:18: wafer.rows: given twice, first at mine.yaml:17.");
}

TEST_F(BadInput, ASectionTwice) {
  edit("wafer:\n", "wafer:\n  sram_kib: 48\nwafer:\n");
  expect("mine.yaml:18: wafer: given twice, first at mine.yaml:16.");
}

TEST_F(BadInput, AWrongType) {
  edit("hidden_size: 8", "hidden_size: eight");
  expect("mine.yaml:6: model.hidden_size: \"eight\" is not an integer.");
}

TEST_F(BadInput, AListForANumber) {
  edit("hidden_size: 8", "hidden_size: [8]");
  expect("mine.yaml:6: model.hidden_size: a list where one value belongs.");
}

TEST_F(BadInput, OutOfRange) {
  edit("vocab_size: 14", "vocab_size: 1");
  expect("mine.yaml:11: model.vocab_size: 1 is out of range. HINT: use 2 to 327675.");
}

TEST_F(BadInput, NoWafers) {
  expect("command line: runconfig.num_csx: 0 is out of range. HINT: use 1 to 1024.", {"--num_csx", "0"});
}

TEST_F(BadInput, HeadsThatDoNotDivide) {
  edit("num_heads: 2", "num_heads: 3");
  expect("mine.yaml:8: model.num_heads: 3 does not divide hidden_size 8. HINT: use 2 or 4.");
}

TEST_F(BadInput, AMicroBatchThatDoesNotDivide) {
  expect("command line: train_input.micro_batch_size: 3 does not divide batch_size 4.",
         {"--train_input.micro_batch_size", "3"});
}

TEST_F(BadInput, MoreMicroBatchesThanTheSumsHold) {
  expect("command line: train_input.batch_size: 2000000 sequences are 1000000 micro-batches, more than 2048.",
         {"--train_input.batch_size", "2000000"});
}

TEST_F(BadInput, AModelThatDoesNotFit) {
  edit("hidden_size: 8", "hidden_size: 8000");
  expect("mine.yaml: wafer.sram_kib: every PE needs ");
}

TEST_F(BadInput, AnEmptyFile) {
  set_file("");
  expect("mine.yaml: is empty.");
  set_file("# only a comment\n");
  expect("mine.yaml: is empty.");
}

TEST_F(BadInput, NoMapping) {
  set_file("- model\n- wafer\n");
  expect("mine.yaml: is not a parameter file.");
  set_file("model: 7\n");
  expect("mine.yaml:1: model: is not a section.");
  set_file("[a, b]: 7\n");
  expect("mine.yaml:1: a key is not a word.");
  set_file("model: {? {a: b} : c}\n");
  expect("mine.yaml:1: a key is not a word.");
}

TEST_F(BadInput, TwoDocuments) {
  const std::string one = file_text(folder_ / "mine.yaml");
  const auto next = std::to_string(1 + std::ranges::count(one, '\n'));
  for (const char* second : {"---\nmodel: {}\n", "---\n", "--- # nothing\n"}) {
    set_file(one + second);
    expect("mine.yaml:" + next + ": has more than one YAML document.");
  }
  set_file(one + "...\nmodel: {}\n");
  expect("mine.yaml:" + std::to_string(std::stoi(next) + 1) + ": has more than one YAML document.");
  set_file(", what no parser of YAML gets past\n" + file_text(folder_ / "mine.yaml"));
  expect("mine.yaml:");
}

TEST_F(BadInput, ATagThatMeansNothing) {
  edit("num_heads: ", "num_heads: !include ");
  expect("mine.yaml:8: the tag !include means nothing here. HINT: write the value without it.");
  edit("!include ", "!!python/int ");
  expect("mine.yaml:8: the tag !!python/int means nothing here.");
  edit("!!python/int ", "!<tag:example.org,2020:int> ");
  expect("mine.yaml:8: the tag tag:example.org,2020:int means nothing here.");
}

TEST_F(BadInput, ATabBeforeAKeyOrAValue) {
  edit("  num_heads: ", "\tnum_heads: ");
  expect("mine.yaml:8: a tab is before a key or a value. HINT: write spaces.");
  edit("\tnum_heads: ", "  num_heads:\t");
  expect("mine.yaml:8: a tab is before a key or a value. HINT: write spaces.");
}

TEST_F(BadInput, BytesThatNoTextHas) {
  edit("num_heads: ", std::string("num_heads: \0", 12));
  expect("mine.yaml:8: has the control character 0x00.");
  edit(std::string("\0", 1), "\x1b");
  expect("mine.yaml:8: has the control character 0x1b.");
  edit("\x1b", "\xe9");
  expect("mine.yaml:8: the byte 0xe9 is no UTF-8. HINT: save the file as UTF-8.");
}

TEST_F(BadInput, AMergeOfItself) {
  edit("  rows: 2\n", "  <<: &a [*a]\n");
  expect("mine.yaml:17: wafer.<<: is not a mapping.");
  edit("&a [*a]", "&a {<<: *a}");
  expect("mine.yaml:17: wafer.<<: a merge within a merge.");
}

TEST_F(BadInput, NoYaml) {
  set_file("model: [1, 2\nwafer: 3\n");
  expect("mine.yaml:2: not YAML: ");
  set_file("model: {a: *nowhere}\n");
  expect("mine.yaml:1: not YAML: ");
  set_file(std::string("\0\x01\xff\xfe\0model", 10));
  expect("mine.yaml");
}

TEST_F(BadInput, TextWithLineBreaksStaysOneLine) {
  edit("num_heads", "\"num\\nheads\\r\"");
  expect("mine.yaml:8: model.num\\x0aheads\\x0d: unknown key.");
}

TEST_F(BadInput, AMissingParameterFile) {
  std::filesystem::remove(folder_ / "mine.yaml");
  expect("mine.yaml: cannot be read: No such file or directory.");
  std::filesystem::create_directories(folder_ / "mine.yaml");
  expect("mine.yaml: cannot be read: Is a directory.");
}

TEST_F(BadInput, AParameterFileWithoutEnd) {
  const ProgramResult result = run_program(folder_, {"run", "--params", "/dev/zero"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "/dev/zero: is longer than 1 MiB. HINT: give --params a parameter file, e.g. configs/gpt_tiny.yaml.\n");
}

TEST_F(BadInput, APipeIsAParameterFileAndOneThatNobodyWritesToIsNamed) {
  const std::string make = "mkfifo pipe && ";
  const ProgramResult written =
      run_program(folder_, {"run", "--params", "pipe", "--mode", "validate_only"}, make + "{ cat mine.yaml > pipe & }");
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.err, "");
  std::filesystem::remove(folder_ / "pipe");
  const ProgramResult waits = run_program(folder_, {"run", "--params", "pipe"}, make + "{ (sleep 3; : > pipe) & }");
  EXPECT_EQ(waits.status, 2);
  EXPECT_EQ(waits.err.find("pipe: waits for a program that writes it: it is a pipe."), 0U) << waits.err;
}

TEST_F(BadInput, AParameterFileFromStandardInputHasTheFolderThatWeAreIn) {
  const ProgramResult result =
      run_program(folder_, {"run", "--params", "/dev/stdin", "--mode", "validate_only"}, "exec < mine.yaml");
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(BadInput, OneRankOfARunThatIsToHaveMore) {
  const ProgramResult result =
      run_program(folder_, {"run", "--params", "mine.yaml", "--memoryx.ranks", "2"}, "export RANK=0 WORLD_SIZE=1");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err.find("command line: memoryx.ranks: 2, but WORLD_SIZE is 1"), 0U) << result.err;
  const ProgramResult alone = run_program(
      folder_, {"run", "--params", "mine.yaml", "--memoryx.ranks", "2", "--backend", "model", "--model_dir", "out"});
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_NE(alone.out.find("\nranks   none but this process: memoryx.ranks 2 does nothing here"), std::string::npos);
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
            "weft: the system refuses: Too many open files. HINT: use fewer wafers (runconfig.num_csx), or raise the "
            "system's limits (ulimit -a).\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/metrics.jsonl"));
}

TEST_F(BadInput, AStandardOutputThatIsFull) {
  const std::string full = "exec >/dev/full";
  const ProgramResult result = run_program(folder_, {"run", "--params", "mine.yaml", "--model_dir", "out"}, full);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "standard output: cannot be written. HINT: make room, or send it elsewhere.\n");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/checkpoint_3.safetensors"));
}

TEST_F(BadInput, FlagsThatAreNone) {
  expect("command line: --num_cs: unknown flag. HINT: did you mean --num_csx?", {"--num_cs", "2"});
  expect("command line: --temperatur: unknown flag. HINT: did you mean --runconfig.temperature?",
         {"--temperatur", "1"});
  expect("command line: --num_csx: has no value.", {"--num_csx"});
  expect("command line: wafer.row: unknown key. HINT: did you mean wafer.rows?", {"--wafer.row", "2"});
  expect("command line: optimizer.betas: not YAML: ", {"--optimizer.betas", "[0.9"});
}

TEST_F(BadInput, AFolderThatCannotBeWritten) {
  folder_.write("file", "x");
  expect("command line: runconfig.model_dir: file: is no folder.", {"--model_dir", "file"});
  expect("command line: runconfig.model_dir: file/below: cannot be made: Not a directory.",
         {"--model_dir", "file/below"});
  expect("command line: runconfig.model_dir: /proc/nowhere: cannot be made: ", {"--model_dir", "/proc/nowhere"});
  expect("command line: runconfig.model_dir: file/a\\x0ab: cannot be made: ", {"--model_dir", "file/a\nb"});
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
    expect("command line: " + key + ": kept/vocab.json: is no vocabulary.", more);
  };
  vocabulary("runconfig.model_dir", {"--model_dir", "kept"});
  vocabulary("runconfig.checkpoint_path", {"--checkpoint_path", "kept/checkpoint_3.safetensors"});
}

/// What is there of a folder, with the contents of files.
std::map<std::string, std::string> contents(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    all[entry.path()] = entry.is_regular_file() ? file_text(entry.path()) : "";
  }
  return all;
}

TEST_F(BadInput, ARefusedRunLeavesNothingOfItsOwn) {
  folder_.write("there/notes.txt", "mine");
  folder_.write("full/metrics.jsonl/x", "");  // metrics.jsonl cannot be made
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
  expect("command line: runconfig.checkpoint_path: /dev/zero: cannot be read: it is no regular file.",
         {"--checkpoint_path", "/dev/zero"});
  expect("command line: runconfig.checkpoint_path: mine.yaml: header: ", {"--checkpoint_path", "mine.yaml"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(BadInput, DataThatIsMissingOrDamaged) {
  const auto data = [&](const std::string& problem) { expect("mine.yaml:2: train_input.data_dir: " + problem); };
  edit("corpus.txt", "corpus.bin");
  data("corpus.bin: does not exist.");
  expect("command line: train_input.data_dir: /dev/null: is no file and no folder.",
         {"--train_input.data_dir", "/dev/null"});
  folder_.write("corpus.bin", "");
  data("corpus.bin: is empty.");
  folder_.write("corpus.bin", shard_bytes(std::vector<std::uint16_t>(100, 3)).substr(0, 1100));
  data("corpus.bin: is cut short: 100 tokens need 1224 bytes, 1100 are there.");
  folder_.write("corpus.bin", shard_bytes(std::vector<std::uint16_t>(100, 3), 20240802));
  data("corpus.bin: is no token shard: it starts with 20240802, not with 20240520.");
  folder_.write("corpus.bin", shard_bytes(std::vector<std::uint16_t>(100, 3), 20240520, 7));
  data("corpus.bin: is a token shard of version 7, not 1.");
  folder_.write("corpus.bin", shard_bytes(std::vector<std::uint16_t>(100, 14)));
  data("corpus.bin: token 14 at position 0 is not below model.vocab_size 14. HINT: use model.vocab_size 15 or more.");
  folder_.write("corpus.bin", shard_bytes(std::vector<std::uint16_t>(8, 3)));
  data("8 tokens make no sample");
  folder_.write("corpus.bin", shard_bytes(std::vector<std::uint16_t>(100, 3)) + "and more");
  data("corpus.bin: has 8 bytes after its 100 tokens.");
}

/// They have no bytes on the disk, and more than a machine's memory.
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

/// One that memory has room for, and the program has not.
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
  folder_.write("b\xff.txt", file_text(folder_ / "corpus.txt"));
  expect("command line: train_input.data_dir: b\\xff.txt is not valid UTF-8.", {"--train_input.data_dir", "b\xff.txt"});
  edit("corpus.txt", "b\xff.txt");
  expect("mine.yaml:2: the byte 0xff is no UTF-8. HINT: save the file as UTF-8.");
}

TEST_F(BadInput, AVocabularyThatIsTooSmall) {
  edit("vocab_size: 14", "vocab_size: 6");
  expect(
      "mine.yaml:11: model.vocab_size: 6 is less than the 7 different characters of corpus.txt. HINT: use 7 or more.");
}

}  // namespace
}  // namespace weft
