/// A thread team for one short piece of work, repeated many times: a clock cycle of a large wafer takes microseconds.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "sw/base/failure.hpp"

namespace weft::sim {

/// The work has parts. The caller does part 0; every other part has a helper thread that spins for a while between
/// runs, then sleeps.
///
/// The caller never waits for a helper that has not started: when its own part is done, the caller also does the parts
/// that helpers have not begun. The caller must wait for a helper that has begun and then loses its core; afterwards
/// the caller works alone for a while, longer each time this happens. So on a machine without a spare core the team is
/// as fast as one thread.
class ThreadTeam {
 public:
  /// Calls `work(part)` with 0 .. parts - 1 concurrently, each in any thread. If the system cannot create a thread, the
  /// caller does its part.
  ThreadTeam(int parts, std::function<void(int)> work);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Does every part once. All writes before the call are visible to the parts, and all their writes are visible after
  /// it. Throws an exception of a part.
  void run();

  /// Number of parts done by helpers.
  std::uint64_t helped() const { return helped_; }

 private:
  enum State : std::uint32_t { kIdle, kOpen, kTaken, kDone, kEnding };

  struct alignas(64) Helper {
    std::atomic<std::uint32_t> state = kIdle;
    int part = 0;
    std::jthread thread = {};
  };

  void serve(Helper& helper);
  /// Waits until the helper is done; returns false if it took so long that it probably has no core.
  static bool await(const Helper& helper);

  std::function<void(int)> work_;
  std::uint64_t helped_ = 0;
  std::uint32_t alone_ = 0;  ///< number of further runs without helpers
  std::uint32_t next_ = 0;   ///< value of alone_ after the next delay
  FirstFailure failure_;
  std::vector<std::unique_ptr<Helper>> helpers_;  ///< last member: the threads end before what they use
};

}  // namespace weft::sim
