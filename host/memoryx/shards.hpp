/// Division of a long vector into shards that do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>

#include "host/memoryx/pool.hpp"

namespace weft::memoryx {

inline constexpr std::size_t kShard = std::size_t{1} << 16;  ///< elements

constexpr std::size_t shard_count(std::size_t size) { return (size + kShard - 1) / kShard; }

/// Consecutive shards of a flat vector: [first, last).
struct ShardRange {
  std::size_t first = 0;
  std::size_t last = ~std::size_t{0};  ///< past the vector's end: up to its end

  bool operator==(const ShardRange&) const = default;
  bool has(std::size_t shard) const { return shard >= first && shard < last; }
  bool all() const { return *this == ShardRange{}; }
  /// The first element, and the one after the last, in a vector of `size` elements.
  std::size_t begin(std::size_t size) const { return first < shard_count(size) ? first * kShard : size; }
  std::size_t end(std::size_t size) const { return last < shard_count(size) ? last * kShard : size; }
};

/// Calls work(begin, end) once for each shard [k*kShard, min((k+1)*kShard, size)), from up to pool.size() threads
/// including the caller, in any order; returns when all are done. Throws as Pool::finish, in which case shards may have
/// been skipped.
void for_each_shard(std::size_t size, Pool& pool, const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace weft::memoryx
