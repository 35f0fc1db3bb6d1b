/// Invalid keys of a parameter file and invalid flags.
#include "tests/cli/bad_input.hpp"

namespace weft::cli {
namespace {

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
  const std::string rest = test::file_text(folder_ / "mine.yaml");
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

TEST_F(BadInput, FlagsThatAreNone) {
  expect("command line: --num_cs: unknown flag. HINT: did you mean --num_csx?", {"--num_cs", "2"});
  expect("command line: --temperatur: unknown flag. HINT: did you mean --runconfig.temperature?",
         {"--temperatur", "1"});
  expect("command line: --num_csx: has no value.", {"--num_csx"});
  expect("command line: wafer.row: unknown key. HINT: did you mean wafer.rows?", {"--wafer.row", "2"});
  expect("command line: optimizer.betas: not YAML: ", {"--optimizer.betas", "[0.9"});
}

TEST_F(BadInput, AVocabularyThatIsTooSmall) {
  edit("vocab_size: 14", "vocab_size: 6");
  expect(
      "mine.yaml:11: model.vocab_size: 6 is less than the 7 different characters of corpus.txt. HINT: use 7 or more.");
}

}  // namespace
}  // namespace weft::cli
