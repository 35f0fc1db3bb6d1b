/// Reports of MemoryX's ranks on their parts, combined as one process would have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/memory/shard_assignment.hpp"
#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// Checks each report against the rank's part, and against another rank's report on a shard that both have.
class Parts {
 public:
  /// `assignments` must outlive this.
  Parts(std::span<const ShardAssignment> assignments, std::uint64_t parameters);

  /// Begins a norm: each rank is asked for the squares of its gradients.
  void begin_norm();
  /// Takes a Norm. Throws CorruptFrame.
  void take_norm(std::size_t rank, const Frame& frame);
  /// Number of ranks that have reported all their squares.
  std::size_t norms_received() const { return ranks_complete(&Rank::norm); }
  /// Returns [shard], once all ranks have reported.
  std::span<const double> squares() const { return squares_; }

  /// Begins a change of the state: each rank will report on its part.
  void begin_update();
  /// Takes a Done. Throws CorruptFrame, and SwarmError if two ranks report different hashes of a shard.
  void take_done(std::size_t rank, const Frame& frame);
  /// True if there is a state.
  bool has_state() const { return has_state_; }
  /// Number of ranks whose whole part has changed.
  std::size_t updates_complete() const { return ranks_complete(&Rank::done); }
  /// Returns the result, when all are done. `moments`: number of moment vectors.
  memoryx::UpdateResult update_result(int moments) const;

 private:
  struct Rank {
    std::size_t norm = 0, done = 0;  // shards it has reported, from its first on
  };
  std::size_t shards(std::size_t rank) const;
  void check_place(std::size_t rank, std::size_t reported, const Frame& frame, std::size_t count) const;
  std::size_t ranks_complete(std::size_t Rank::*of) const;

  std::span<const ShardAssignment> assignments_;
  std::uint64_t parameters_;
  std::vector<Rank> ranks_;
  std::vector<double> squares_;             // [shard]
  std::vector<memoryx::ShardDone> shards_;  // [shard]
  std::vector<bool> known_;                 // [shard]: reported since the state changed
  std::optional<std::string> diverged_;
  bool has_state_ = false;
};

}  // namespace weft::swarmx
