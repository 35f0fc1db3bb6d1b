/// A run of several processes in which things go wrong, from a seed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/random.hpp"
#include "tests/run/ranks/relayed.hpp"
#include "tests/run/restart.hpp"

namespace weft {

enum class FaultKind : std::uint8_t {
  Kill,
  Stop,
  Pause,
  Cut,
  Corrupt,
  Hold,
  Slow,
  Join,
  KillData,
  KillRoot,
  InterruptRoot,
  kCount
};
std::string name_of(FaultKind kind);

/// What went wrong, and how often while the run was at work.
struct FaultTally {
  std::map<FaultKind, int> hit;
  int all = 0, missed = 0;
};

class FaultyRun {
 public:
  static constexpr int kWafers = 3;
  /// In `folder`, which has params.yaml and corpus.txt, a key besides; the run's own folder is `name`.
  FaultyRun(std::filesystem::path folder, std::string name, int steps, std::uint64_t seed);

  /// Runs it to its end, with `faults` faults, the first of kind `first`. What the root said of errors, if it failed;
  /// else nothing.
  std::string run(int faults, FaultKind first, FaultTally& tally);

 private:
  std::vector<std::string> words() const;
  std::unique_ptr<StartedProgram> start(int rank, std::uint16_t port);
  /// Reads until the root has reported `step`; false if it has ended before.
  bool reach(int step);
  void hurt(FaultKind kind);
  void come_back(std::size_t wafer);
  void start_data();

  std::filesystem::path folder_;
  std::string name_;
  int steps_;
  test::Dice dice_;
  std::uint16_t port_ = free_port();
  Relayed relay_{port_};  // before the last wafer
  std::unique_ptr<StartedProgram> root_;
  std::unique_ptr<StartedProgram> data_;
  std::vector<std::unique_ptr<StartedProgram>> wafers_;
  int started_ = 0;
};

}  // namespace weft
