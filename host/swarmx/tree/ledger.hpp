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
    New,        ///< none had arrived; now all have
    Duplicate,  ///< all had arrived
    Partial     ///< some had arrived: of no use, nothing has changed
  };
  /// Records a contribution of `micro_batches`, all below those of the step, to `bucket`.
  Entry record(std::span<const std::uint32_t> micro_batches, std::size_t bucket);

  /// True if all buckets have arrived.
  bool complete(std::uint32_t micro_batch) const { return entries_[micro_batch].count == buckets_; }
  /// True if any bucket has arrived.
  bool has_any(std::uint32_t micro_batch) const { return entries_[micro_batch].count > 0; }
  std::size_t micro_batches() const { return entries_.size(); }
  /// Number of incomplete micro-batches.
  std::size_t missing() const { return missing_; }

 private:
  struct Buckets {
    std::size_t count = 0;
    std::vector<bool> buckets = {};  // empty if none or all have arrived
  };
  bool contains(std::uint32_t micro_batch, std::size_t bucket) const;

  std::size_t buckets_ = 0;
  std::size_t missing_ = 0;
  std::vector<Buckets> entries_;  // [micro-batch]
};

}  // namespace weft::swarmx
