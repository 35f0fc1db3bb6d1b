/// The program itself, run as a user runs it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/small_run.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/without_notes.hpp"

namespace weft::cli {

struct ProgramResult {
  int status = -1;  ///< exit code; 128 + n if signal n ended it
  std::string out, err;

  auto error_lines() const { return std::count(err.begin(), err.end(), '\n'); }
};

/// Runs `weft arguments...` in `folder`, after the shell command `limit`.
inline ProgramResult run_program(const test::TemporaryFolder& folder, const std::vector<std::string>& arguments,
                                 const std::string& limit = "true") {
  std::string command = "cd '" + folder.path().string() + "' && " + limit + " && exec '" WEFT_PROGRAM "'";
  for (const std::string& argument : arguments) {
    EXPECT_EQ(argument.find('\''), std::string::npos) << "no quotes in a test's arguments";
    command += " '" + argument + "'";
  }
  const std::string out = folder / "stdout", err = folder / "stderr";
  const int status = std::system(("( " + command + " ) >'" + out + "' 2>'" + err + "'").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), test::file_text(out),
          test::without_notes_of_modes(test::file_text(err))};
}

/// Writes a parameter file, mine.yaml, and its corpus: a GPT of 1 layer that trains a step in milliseconds.
inline void write_small_run(const test::TemporaryFolder& folder) {
  folder.write("corpus.txt", test::small_corpus());
  folder.write("mine.yaml", std::string(test::kSmallParams) + R"(optimizer:
  learning_rate: 0.01
runconfig:
  max_steps: 3
wafer:
  rows: 2
  cols: 2
)");
}

/// Replaces `from` by `to` in mine.yaml.
inline void edit_run(const test::TemporaryFolder& folder, const std::string& from, const std::string& to) {
  std::string text = test::file_text(folder / "mine.yaml");
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  folder.write("mine.yaml", text.replace(at, from.size(), to));
}

}  // namespace weft::cli
