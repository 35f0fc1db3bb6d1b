/// Keeps a run's status.json and log up to date, from a thread of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "host/metrics/metrics.hpp"
#include "host/metrics/status/run_status.hpp"
#include "sw/base/descriptor.hpp"

namespace weft::metrics {

/// Sources of the status, called in the writer's thread.
struct StatusSources {
  std::function<std::vector<RankLine>()> ranks;
  std::function<swarmx::Part()> part;           ///< current activity of the training thread
  std::function<void(const std::string&)> say;  ///< receives a line for each change of a rank (rank_changes.hpp)
};

class StatusWriter {
 public:
  /// Writes into `folder` immediately, within a tenth of a second after each join and loss, and otherwise once a second
  /// while something changes. Follows the folder when it is moved, and writes nothing while its `.lock` names another
  /// owner than `run`. Errors are ignored, since they must not end a run.
  StatusWriter(const std::filesystem::path& folder, std::string run, std::uint64_t done, std::uint64_t total,
               StatusSources sources);
  ~StatusWriter();
  StatusWriter(const StatusWriter&) = delete;
  StatusWriter& operator=(const StatusWriter&) = delete;

  /// Call after each step.
  void step(const StepMetrics& metrics);
  /// Call when the run has ended: writes the final status before returning.
  void end(const std::string& how);

 private:
  void run(const std::stop_token& stop);
  void update(bool last);
  void write(const std::string& json) const;

  const std::string run_;
  const StatusSources sources_;
  const Descriptor folder_;
  std::mutex mutex_;  // guards status_
  RunStatus status_;
  // Used by the thread only:
  std::vector<RankLine> ranks_ = {};  // state at the last check
  std::string written_ = {};
  std::chrono::steady_clock::time_point when_ = {};
  std::mutex sleeping_;
  std::condition_variable_any never_;  // a member, since its constructor allocates memory
  std::jthread thread_;                // last: it uses the other members
};

}  // namespace weft::metrics
