/// Work on a long vector, cut where no number of threads can change the cut.
#pragma once

#include <cstddef>
#include <functional>

#include "host/memoryx/pool.hpp"

namespace weft {

inline constexpr std::size_t kShard = std::size_t{1} << 16;  ///< elements

constexpr std::size_t shard_count(std::size_t size) { return (size + kShard - 1) / kShard; }

/// Calls work(begin, end) once for each shard [k*kShard, min((k+1)*kShard, size)), from up to pool.size() threads of
/// which the caller is one, in any order; returns when all are done. Throws as Pool::finish; shards may be left out
/// then.
void for_each_shard(std::size_t size, Pool& pool, const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace weft
