/// 64-bit sums of a flat vector, of which only shards that something was added to take memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "host/memoryx/shards.hpp"
#include "host/memoryx/store.hpp"

namespace weft {

/// Zeros, until something is added. Two threads may use different shards at a time.
class SumShards {
 public:
  explicit SumShards(std::size_t size) : size_(size), shards_(shard_count(size)) { idle_.reserve(shards_.size()); }
  /// The sums of a store that has pieces, which must outlive this; else as above.
  SumShards(std::size_t size, ParameterStore* store);

  std::size_t size() const { return size_; }
  /// What has to hold them; null: nothing.
  Pieces* pieces() const { return pieces_; }
  /// All of them, if there are pieces.
  std::span<std::int64_t> flat() const { return flat_; }
  /// Element `i`, to be added to, if there are no pieces. Throws std::bad_alloc.
  std::int64_t& operator[](std::size_t i) {
    const Buffer& shard = shards_[i / kShard];
    return (shard ? shard : made(i / kShard))[i % kShard];
  }
  /// The same of shard `shard`.
  std::span<std::int64_t> for_sums(std::size_t shard) {
    if (!shards_[shard]) made(shard);
    return this->shard(shard);
  }
  /// The elements of shard `shard`; none: all are zero.
  std::span<std::int64_t> shard(std::size_t shard) const;
  /// The shard is all zeros again: its memory is for the next that needs some.
  void give_back(std::size_t shard) noexcept;
  /// Zeros everywhere.
  void clear() noexcept;
  /// Bytes there are, in use or not.
  std::size_t bytes() const;

 private:
  using Buffer = std::unique_ptr<std::int64_t[]>;
  const Buffer& made(std::size_t shard);

  std::size_t size_;
  Pieces* pieces_ = nullptr;
  std::span<std::int64_t> flat_;
  std::vector<Buffer> shards_;  // null: zeros
  mutable std::mutex mutex_;    // of the next two
  std::vector<Buffer> idle_;    // kShard zeros each
  std::size_t buffers_ = 0;
};

}  // namespace weft
