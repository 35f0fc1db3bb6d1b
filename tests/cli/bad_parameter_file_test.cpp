/// Texts that are not a parameter file.
#include <algorithm>
#include <string>

#include "tests/cli/bad_input.hpp"

namespace weft::cli {
namespace {

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
  const std::string one = test::file_text(folder_ / "mine.yaml");
  const auto next = std::to_string(1 + std::ranges::count(one, '\n'));
  for (const char* second : {"---\nmodel: {}\n", "---\n", "--- # nothing\n"}) {
    set_file(one + second);
    expect("mine.yaml:" + next + ": has more than one YAML document.");
  }
  set_file(one + "...\nmodel: {}\n");
  expect("mine.yaml:" + std::to_string(std::stoi(next) + 1) + ": has more than one YAML document.");
  set_file(", what no parser of YAML gets past\n" + test::file_text(folder_ / "mine.yaml"));
  expect("mine.yaml:");
}

TEST_F(BadInput, ATagThatMeansNothing) {
  edit("num_heads: ", "num_heads: !include ");
  expect("mine.yaml:8: the tag !include is not supported. HINT: write the value without it.");
  edit("!include ", "!!python/int ");
  expect("mine.yaml:8: the tag !!python/int is not supported.");
  edit("!!python/int ", "!<tag:example.org,2020:int> ");
  expect("mine.yaml:8: the tag tag:example.org,2020:int is not supported.");
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
  expect("mine.yaml:8: the byte 0xe9 is not valid UTF-8. HINT: save the file as UTF-8.");
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

TEST_F(BadInput, APipeIsAParameterFileAndOneWithoutAWriterIsNamed) {
  const std::string make = "mkfifo pipe && ";
  const ProgramResult written =
      run_program(folder_, {"run", "--params", "pipe", "--mode", "validate_only"}, make + "{ cat mine.yaml > pipe & }");
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.err, "");
  std::filesystem::remove(folder_ / "pipe");
  const ProgramResult waits = run_program(folder_, {"run", "--params", "pipe"}, make + "{ (sleep 3; : > pipe) & }");
  EXPECT_EQ(waits.status, 2);
  EXPECT_EQ(waits.err.find("pipe: waits for a program that writes to this pipe."), 0U) << waits.err;
}

TEST_F(BadInput, AParameterFileFromStandardInputHasTheFolderThatWeAreIn) {
  const ProgramResult result =
      run_program(folder_, {"run", "--params", "/dev/stdin", "--mode", "validate_only"}, "exec < mine.yaml");
  EXPECT_EQ(result.status, 0) << result.err;
}

}  // namespace
}  // namespace weft::cli
