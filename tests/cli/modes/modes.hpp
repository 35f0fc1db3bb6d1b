/// The modes of `weft run`, through the program.
#pragma once

#include "tests/cli/program.hpp"

namespace weft::cli {

class Modes : public testing::Test {
 protected:
  Modes() {
    write_small_run(folder_);
    folder_.write("eval.txt",
                  test::file_text(folder_ / "corpus.txt").substr(100, 60));  // 7 samples of 8, and a remainder
  }

  ProgramResult run(const std::string& mode, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"run", "--params", "mine.yaml", "--model_dir", "out", "--eval_input.data_dir",
                               "eval.txt", "--mode", mode});
    return run_program(folder_, more);
  }
  std::string last_line(const ProgramResult& result) {
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t end = result.out.find_last_not_of('\n');
    return result.out.substr(result.out.rfind('\n', end) + 1, end - result.out.rfind('\n', end));
  }
  /// The number after the last occurrence of `word`.
  static double number(const std::string& text, const std::string& word) {
    const std::size_t at = text.rfind(word);
    if (at == std::string::npos) ADD_FAILURE() << "no " << word << " in " << text;
    return at == std::string::npos ? 0 : std::stod(text.substr(at + word.size()));
  }

  const test::TemporaryFolder folder_;
};

}  // namespace weft::cli
