/// What the ranks of MemoryX have said of their parts, put together as one process would have it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/memory/deal.hpp"
#include "host/swarmx/waiting.hpp"

namespace weft {

/// Thread-safe. What a rank says is held against its part, and against what another says of a shard that both have.
class Parts {
 public:
  /// `run`'s `wake` must call ours; `dealt` must outlive this.
  Parts(const FirstFailure& run, std::span<const Dealt> dealt, std::uint64_t parameters);

  /// A rank is there.
  void come(std::size_t rank);
  /// Waits until all are there; false: some are not by `end`. Throws the run's failure, as all that wait.
  bool wait_for_all(std::chrono::steady_clock::time_point end);

  /// Each is asked for the squares of its gradients.
  void begin_norm();
  /// Norm. Throws CorruptFrame and SwarmError, as take_done.
  void take_norm(std::size_t rank, const Frame& frame);
  /// [shard]; waits for all.
  std::vector<double> squares();

  /// The state changes: each will say what has become of its part.
  void begin_update();
  void take_done(std::size_t rank, const Frame& frame);
  bool settled() const noexcept;
  /// Waits for all; false: the run has failed.
  bool wait() const;
  /// Waits for all. `moments`: vectors of them.
  Settled settle(int moments);
  void wake() noexcept { waiting_.wake(); }

 private:
  struct Rank {
    bool here = false;
    std::size_t norm = 0, done = 0;  // shards it has spoken of, from its first
  };
  std::size_t shards(std::size_t rank) const;
  void check_place(std::size_t rank, std::size_t spoken, const Frame& frame, std::size_t count) const;
  bool all_spoken(std::size_t Rank::*of) const;

  std::span<const Dealt> dealt_;
  std::uint64_t parameters_;
  mutable Waiting waiting_;  // its mutex guards all below
  std::vector<Rank> ranks_;
  std::vector<double> squares_;    // [shard]
  std::vector<ShardDone> shards_;  // [shard]
  std::vector<bool> known_;        // [shard]: somebody has spoken of it since the state changed
  std::optional<std::string> diverged_;
  bool begun_ = false;  // there is a state
};

/// The other side: what a rank says of its part, `from` its first shard on.
std::vector<Frame> norm_frames(std::span<const double> squares, const ShardRange& own);
std::vector<Frame> done_frames(std::span<const ShardDone> shards, const ShardRange& own,
                               const std::optional<std::string>& diverged);

}  // namespace weft
