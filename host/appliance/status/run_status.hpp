/// What a run says of itself at one moment: `status.json` in its folder, for `weft status`.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "host/swarmx/status.hpp"
#include "host/swarmx/times.hpp"

namespace weft {

inline constexpr const char* kStatusFile = "status.json";
inline constexpr int kStatusVersion = 1;

/// A process of a run, or a wafer in the root's.
struct RankLine {
  int rank = 0;
  std::string role = {};  ///< "data", "memory", "node", "wafer"
  RankStatus status = {};
};

/// The process that is the root, so that others of its machine can tell whether it still is.
struct Process {
  std::string host = {};
  std::int64_t pid = 0;
  std::string began = {};  ///< in ticks since the machine began

  /// Of this machine.
  static Process of(std::int64_t pid);
  static Process self();
  /// Whether it is at work, as this machine knows, which must be its host.
  bool lives() const;
  /// It lives, and a signal has stopped it.
  bool stopped() const;
};

struct RunStatus {
  Process root = {};
  std::uint64_t step = 0, steps = 0;  ///< done; asked for
  double loss = std::numeric_limits<double>::quiet_NaN();
  StepTimes times = {};  ///< of that step
  Part part = Part::Rest;
  std::string end = {};  ///< "done", "interrupted", "failed: ..."; empty: not yet
  std::vector<RankLine> ranks = {};
};

/// Who is there, in the order of ranks. `processes`: each has one of its own, those of MemoryX, nodes, then wafers;
/// else all are rank 0. `data`: rank 1 reads the data, whether it has come or not.
std::vector<RankLine> ranks_of(SwarmStatus swarm, bool processes, bool data);

/// An object, without the time at which it is written.
std::string to_json(const RunStatus& status);
/// What the file has: that text with the time, in seconds since 1970, and its checksum.
std::string status_file(const std::string& json, double written);

/// The name of a state, and of what the root is at.
const char* name_of(RankStatus::State state);
const char* name_of(Part part);

}  // namespace weft
