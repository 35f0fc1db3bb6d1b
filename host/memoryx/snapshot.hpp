/// The state as it is now, taken while training goes on: each shard between its last update and the next.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "sw/base/failure.hpp"

namespace weft {

/// A thread takes shard after shard. Who wants to update one that it has not come to takes it himself; so nothing of
/// the state is there twice.
class Snapshot {
 public:
  /// `order`: all shards there are, as they are taken. `take` takes one, from any thread, several at a time; `end` is
  /// called when all are taken, in the thread. What they throw is kept, and ends it.
  Snapshot(std::vector<std::size_t> order, std::function<void(std::size_t)> take, std::function<void()> end);
  /// Waits.
  ~Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  /// Returns when the shard is taken, or never will be. Thread-safe.
  void before_update(std::size_t shard) noexcept;
  /// Whether wait() would return at once. Thread-safe.
  bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
  /// Returns when all is done, or has failed.
  void finish() const noexcept { ended_.wait(false, std::memory_order_acquire); }
  /// The same. Throws what went wrong.
  void wait() const;

 private:
  enum Taken : int { kNot, kBeing, kTaken };
  void run();

  const std::vector<std::size_t> order_;
  const std::function<void(std::size_t)> take_;
  const std::function<void()> end_;
  std::vector<std::atomic<int>> taken_;  // [shard]
  std::atomic<bool> ended_ = false;
  FirstFailure failure_;
  std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace weft
