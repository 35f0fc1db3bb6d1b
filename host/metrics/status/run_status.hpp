/// Snapshot of a run's state: `status.json` in its folder, read by `weft status`.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/protocol/status.hpp"
#include "host/swarmx/protocol/times.hpp"

namespace weft::metrics {

inline constexpr const char* kStatusFile = "status.json";
inline constexpr int kStatusVersion = 1;

/// A process of a run, or a wafer within the root's process.
struct RankLine {
  int rank = 0;
  std::string role = {};  ///< "data", "memory", "node", "wafer"
  swarmx::RankStatus status = {};
};

/// Identifies the root's process, so that others on its machine can tell whether it is still running.
struct Process {
  std::string host = {};
  std::int64_t pid = 0;
  std::string began = {};  ///< start time in ticks since boot

  /// Process of this machine.
  static Process of(std::int64_t pid);
  static Process self();
  /// True if the process is running. Must be called on its host.
  bool is_running() const;
  /// True if the process is running but stopped by a signal.
  bool stopped() const;
};

struct RunStatus {
  Process root = {};
  std::uint64_t step = 0, steps = 0;  ///< done; total
  double loss = std::numeric_limits<double>::quiet_NaN();
  swarmx::StepTimes times = {};  ///< times of the last step
  /// Longest stall of the root's network thread in the last step, and of this process; unset in a single process.
  std::optional<double> stall = {}, longest_stall = {};
  swarmx::Part part = swarmx::Part::Rest;
  std::string end = {};  ///< "done", "interrupted", "failed: ..."; empty while running
  std::vector<RankLine> ranks = {};
};

/// All ranks in order. `processes`: each rank is a process, first those of MemoryX, then nodes, then wafers; otherwise
/// all are rank 0. `data`: rank 1 reads the data, connected or not.
std::vector<RankLine> ranks_of(swarmx::SwarmStatus swarm, bool processes, bool data);

/// JSON object without the time of writing.
std::string to_json(const RunStatus& status);
/// Contents of the file: that object with the time in seconds since 1970, and a checksum.
std::string status_file(const std::string& json, double written);

/// Names of a state, and of the root's current activity.
const char* name_of(swarmx::RankStatus::State state);
const char* name_of(swarmx::Part part);

}  // namespace weft::metrics
