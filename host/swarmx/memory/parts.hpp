/// What the ranks of MemoryX have said of their parts, put together as one process would have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/memory/deal.hpp"

namespace weft {

/// What a rank says is held against its part, and against what another says of a shard that both have.
class Parts {
 public:
  /// `dealt` must outlive this.
  Parts(std::span<const Dealt> dealt, std::uint64_t parameters);

  /// Each is asked for the squares of its gradients.
  void begin_norm();
  /// Norm. Throws CorruptFrame and SwarmError, as take_done.
  void take_norm(std::size_t rank, const Frame& frame);
  /// Ranks that have said all theirs.
  std::size_t normed() const { return spoken(&Rank::norm); }
  /// [shard], when all are normed.
  std::span<const double> squares() const { return squares_; }

  /// The state changes: each will say what has become of its part.
  void begin_update();
  void take_done(std::size_t rank, const Frame& frame);
  /// There is a state.
  bool begun() const { return begun_; }
  /// Ranks whose part has changed as a whole.
  std::size_t done() const { return spoken(&Rank::done); }
  /// When all are done. `moments`: vectors of them.
  Settled settled(int moments) const;

 private:
  struct Rank {
    std::size_t norm = 0, done = 0;  // shards it has spoken of, from its first
  };
  std::size_t shards(std::size_t rank) const;
  void check_place(std::size_t rank, std::size_t spoken, const Frame& frame, std::size_t count) const;
  std::size_t spoken(std::size_t Rank::*of) const;

  std::span<const Dealt> dealt_;
  std::uint64_t parameters_;
  std::vector<Rank> ranks_;
  std::vector<double> squares_;    // [shard]
  std::vector<ShardDone> shards_;  // [shard]
  std::vector<bool> known_;        // [shard]: somebody has spoken of it since the state changed
  std::optional<std::string> diverged_;
  bool begun_ = false;
};

}  // namespace weft
