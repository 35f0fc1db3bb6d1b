/// 64-bit sums of a flat vector, which take memory only for shards that were added to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "host/memoryx/shards.hpp"
#include "host/memoryx/store.hpp"

namespace weft::memoryx {

/// All sums are initially zero. Two threads may use different shards concurrently.
class SumShards {
 public:
  explicit SumShards(std::size_t size) : size_(size), shards_(shard_count(size)) { idle_.reserve(shards_.size()); }
  /// Uses the sums of a store that has pages, which must outlive this; otherwise as above.
  SumShards(std::size_t size, ParameterStore* store);

  std::size_t size() const { return size_; }
  /// The pages that contain the sums and must be pinned; null: none.
  Pages* pages() const { return pages_; }
  /// All sums, if there are pages.
  std::span<std::int64_t> flat() const { return flat_; }
  /// Element `i`, to be added to; only if there are no pages. Throws std::bad_alloc.
  std::int64_t& operator[](std::size_t i) {
    const Buffer& shard = shards_[i / kShard];
    return (shard ? shard : made(i / kShard))[i % kShard];
  }
  /// True if elements i to below i + count are neighbours in memory.
  static bool are_neighbours(std::size_t i, std::size_t count) { return i % kShard + count <= kShard; }
  /// Starts to load element `i` to the cache if there is such an element.
  void prefetch(std::size_t i) const {
    if (i < size_) __builtin_prefetch(&shards_[i / kShard][i % kShard], 1);
  }
  /// The elements of shard `shard`; empty: all are zero.
  std::span<std::int64_t> shard(std::size_t shard) const;
  /// Returns the memory of a shard, whose elements must all be zero again, for reuse by another shard.
  void give_back(std::size_t shard) noexcept;
  /// Sets all sums to zero.
  void clear() noexcept;
  /// Bytes allocated, in use or not.
  std::size_t bytes() const;

 private:
  using Buffer = std::unique_ptr<std::int64_t[]>;
  const Buffer& made(std::size_t shard);

  std::size_t size_;
  Pages* pages_ = nullptr;
  std::span<std::int64_t> flat_;
  std::vector<Buffer> shards_;  // null: zeros
  mutable std::mutex mutex_;    // guards the next two members
  std::vector<Buffer> idle_;    // kShard zeros each
  std::size_t buffers_ = 0;
};

}  // namespace weft::memoryx
