/// Keeps a run's status.json as it is, and its log, from a thread of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "host/appliance/metrics.hpp"
#include "host/appliance/status/run_status.hpp"
#include "sw/base/descriptor.hpp"

namespace weft {

/// What it looks at, in its thread.
struct StatusSources {
  std::function<std::vector<RankLine>()> ranks;
  std::function<Part()> part;                   ///< what the thread that trains is at
  std::function<void(const std::string&)> say;  ///< gets a line for each change of a rank (changes.hpp)
};

class StatusWriter {
 public:
  /// Writes into `folder` at once, within a tenth of a second of each join and loss, else once a second while
  /// something changes. It follows the folder when it is moved, and writes nothing while its `.lock` names another
  /// owner than `run`. What fails here ends no run: that is left out.
  StatusWriter(const std::filesystem::path& folder, std::string run, std::uint64_t done, std::uint64_t total,
               StatusSources sources);
  ~StatusWriter();
  StatusWriter(const StatusWriter&) = delete;
  StatusWriter& operator=(const StatusWriter&) = delete;

  /// A step is done.
  void step(const StepMetrics& metrics);
  /// The run has ended so: the last that is written, and it is when this returns.
  void end(const std::string& how);

 private:
  void keep(const std::stop_token& stop);
  void look(bool last);
  void write(const std::string& json) const;

  const std::string run_;
  const StatusSources sources_;
  const Descriptor folder_;
  std::mutex mutex_;  // guards status_, but for what the thread asks its sources
  RunStatus status_;
  // Of the thread:
  std::vector<RankLine> ranks_ = {};  // as they were last
  std::string written_ = {};
  std::chrono::steady_clock::time_point when_ = {};
  std::jthread thread_;  // last: it uses the others
};

}  // namespace weft
