/// Ledger of the buckets that have arrived for each micro-batch of a step: each is added exactly once,
/// whichever member contributes it and however often (docs/explanation/swarm.md, Why the bits stay).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::swarmx {

class Ledger {
 public:
  /// Begins a step, with an empty ledger.
  void begin(std::size_t micro_batches, std::size_t buckets);

  enum class Entry : std::uint8_t {
    New,    ///< none had arrived; now all have
    Twice,  ///< all had arrived
    Half    ///< some had arrived: of no use, nothing has changed
  };
  /// Enters a contribution of `micro_batches`, all below those of the step, to `bucket`.
  Entry enter(std::span<const std::uint32_t> micro_batches, std::size_t bucket);

  /// True if all buckets have arrived.
  bool whole(std::uint32_t micro_batch) const { return in_[micro_batch].count == buckets_; }
  /// True if any bucket has arrived.
  bool begun(std::uint32_t micro_batch) const { return in_[micro_batch].count > 0; }
  std::size_t micro_batches() const { return in_.size(); }
  /// Number of incomplete micro-batches.
  std::size_t missing() const { return missing_; }

 private:
  struct In {
    std::size_t count = 0;
    std::vector<bool> buckets = {};  // empty if none or all have arrived
  };
  bool is_in(std::uint32_t micro_batch, std::size_t bucket) const;

  std::size_t buckets_ = 0;
  std::size_t missing_ = 0;
  std::vector<In> in_;  // [micro-batch]
};

}  // namespace weft::swarmx
