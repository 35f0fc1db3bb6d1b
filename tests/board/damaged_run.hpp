/// Runs of `weft` with an emulated board on a bad line, chosen by a seed, and their results.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace weft::board {

/// The parameters of a run that follow from a seed.
struct DamagedCase {
  explicit DamagedCase(std::uint64_t seed);
  bool udp;
  std::vector<std::string> words;  ///< arguments of weft-board
  std::string text() const;
};

/// Counts of faults, by their names in the output of weft-board and weft.
using Faults = std::map<std::string, std::uint64_t>;

class DamagedRuns {
 public:
  DamagedRuns();

  /// Does one run. If it stops, it is continued with a healthy board. The test fails unless the final state is the
  /// model's.
  void run(std::uint64_t seed);
  const Faults& faults() const { return faults_; }
  /// All counts in one line.
  std::string text() const;

 private:
  cli::ProgramResult train(const std::string& dir, const std::string& device) const;

  const test::TemporaryFolder folder_;
  std::string model_;  ///< "state 0123456789abcdef"
  Faults faults_;
};

}  // namespace weft::board
