/// Tests of user errors through the program: exit code 2, one line that names file, key and a remedy, and no files left
/// behind.
#pragma once

#include <algorithm>

#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace weft::cli {

class BadInput : public testing::Test {
 protected:
  BadInput() { write_small_run(folder_); }

  /// Runs mine.yaml with more arguments; the error message must begin with `line`.
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

  const test::TemporaryFolder folder_;
};

}  // namespace weft::cli
