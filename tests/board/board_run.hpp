/// A small run on a board, started as by a user.
#pragma once

#include "tests/cli/program.hpp"

namespace weft::board {

/// The part "state 0123456789abcdef" of a run's output.
inline std::string state(const cli::ProgramResult& result) {
  const std::size_t at = result.out.find("\nstate ");
  return at == std::string::npos ? "no state: " + result.out + result.err : result.out.substr(at + 1, 22);
}

class BoardRun : public testing::Test {
 protected:
  BoardRun() {
    cli::write_small_run(folder_);
    cli::edit_run(folder_, "rows: 2\n  cols: 2", "rows: auto\n  cols: auto\n  sram_kib: 24\n  backend: fpga");
  }

  cli::ProgramResult run(const std::string& dir, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"run", "--params", "mine.yaml", "--num_steps", "1", "--model_dir", dir};
    words.insert(words.end(), more.begin(), more.end());
    return cli::run_program(folder_, words);
  }
  /// The part "state 0123456789abcdef" of the output of a run on the functional model.
  std::string state_of_model(const std::string& steps = "1") const {
    return state(run("model", {"--num_steps", steps, "--backend", "model", "--wafer.rows", "4", "--wafer.cols", "2"}));
  }

  const test::TemporaryFolder folder_;
};

}  // namespace weft::board
