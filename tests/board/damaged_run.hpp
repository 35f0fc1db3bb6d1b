/// A run of `weft` with an emulated board whose line is bad, as a seed says, and what became of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/appliance/program.hpp"

namespace weft::board {

/// What a seed says of a run.
struct DamagedCase {
  explicit DamagedCase(std::uint64_t seed);
  bool udp;
  std::vector<std::string> words;  ///< for weft-board
  std::string text() const;
};

/// How often what was met, by its name in what weft-board and weft print.
using Faults = std::map<std::string, std::uint64_t>;

class DamagedRuns {
 public:
  DamagedRuns();

  /// One run. If it stops, it goes on with a healthy board. Either way it ends in the model's state; else the test
  /// fails.
  void run(std::uint64_t seed);
  const Faults& faults() const { return faults_; }
  /// A line of all of them.
  std::string text() const;

 private:
  ProgramResult train(const std::string& dir, const std::string& device) const;

  const TemporaryFolder folder_;
  std::string model_;  ///< "state 0123456789abcdef"
  Faults faults_;
};

}  // namespace weft::board
