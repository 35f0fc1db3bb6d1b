/// 64-bit sums of a flat vector, which take memory only for shards that were added to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "host/memoryx/huge_pages.hpp"
#include "host/memoryx/shards.hpp"
#include "host/memoryx/store.hpp"

namespace weft::memoryx {

/// All sums are initially zero. Two threads may use different shards concurrently.
class SumShards {
 public:
  explicit SumShards(std::size_t size);
  /// Uses the sums of a store that has pages, which must outlive this; otherwise as above.
  SumShards(std::size_t size, ParameterStore* store);

  std::size_t size() const { return size_; }
  /// The pages that contain the sums and must be pinned; null: none.
  Pages* pages() const { return pages_; }
  /// All sums, if there are pages.
  std::span<std::int64_t> flat() const { return flat_; }
  /// Element `i`, to be added to; only if there are no pages. Throws std::bad_alloc.
  std::int64_t& operator[](std::size_t i) {
    std::int64_t* const shard = shards_[i / kShard];
    return (shard != nullptr ? shard : made(i / kShard))[i % kShard];
  }
  /// True if elements i to below i + count are neighbours in memory.
  static bool are_neighbours(std::size_t i, std::size_t count) { return i % kShard + count <= kShard; }
  /// Starts to load element `i` to the cache if there is such an element.
  void prefetch(std::size_t i) const {
    if (i < size_) __builtin_prefetch(shards_[i / kShard] + i % kShard, 1);
  }
  /// The elements of shard `shard`; empty: all are zero.
  std::span<std::int64_t> shard(std::size_t shard) const;
  /// Returns the memory of a shard, whose elements must all be zero again, for reuse by another shard.
  void give_back(std::size_t shard) noexcept;
  /// Sets all sums to zero.
  void clear() noexcept;
  /// Bytes of the shards that were in use at the same time, at most.
  std::size_t bytes() const;

 private:
  /// Memory is allocated for as many shards as a huge page has, or for all if they are fewer.
  static constexpr std::size_t kTogether = HugePages<std::int64_t>::kPage / (kShard * sizeof(std::int64_t));
  std::int64_t* made(std::size_t shard);

  std::size_t size_;
  Pages* pages_ = nullptr;
  std::span<std::int64_t> flat_;
  std::vector<std::int64_t*> shards_;                                        // null: zeros
  mutable std::mutex mutex_;                                                 // guards the next three members
  std::vector<std::vector<std::int64_t, HugePages<std::int64_t>>> buffers_;  // of up to kTogether shards each
  std::vector<std::int64_t*> idle_;                                          // kShard zeros each
  std::size_t used_ = 0, most_used_ = 0;                                     // shards
};

}  // namespace weft::memoryx
