/// A snapshot of the state, taken while training continues: each shard is taken between its last update and the next.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "sw/base/failure.hpp"

namespace weft::memoryx {

/// A thread takes shard after shard. Another thread that is about to update a shard not yet taken takes it itself, so
/// no part of the state is copied.
class Snapshot {
 public:
  /// `order`: all shards, in the order in which they are taken. `take` takes one shard, from any thread, several at a
  /// time; `end` is called in the snapshot's thread when all are taken. Exceptions of both are kept, and end the
  /// snapshot.
  Snapshot(std::vector<std::size_t> order, std::function<void(std::size_t)> take, std::function<void()> end);
  /// Waits for the end.
  ~Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  /// Returns when the shard is taken, or never will be. Thread-safe.
  void before_update(std::size_t shard) noexcept;
  /// True if wait() would return at once. Thread-safe.
  bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
  /// Returns when the snapshot is complete or has failed.
  void finish() const noexcept { ended_.wait(false, std::memory_order_acquire); }
  /// As finish(), but throws the failure.
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
  std::jthread thread_;  // last: ends before the members it uses
};

}  // namespace weft::memoryx
