#include "host/memoryx/shards.hpp"

#include <algorithm>
#include <atomic>

namespace weft::memoryx {

void for_each_shard(std::size_t size, Pool& pool, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t shards = shard_count(size);
  std::atomic<std::size_t> next{0};
  pool.run(std::min(pool.size(), shards), [&] {
    for (std::size_t k = next++; k < shards; k = next++) {
      work(k * kShard, std::min((k + 1) * kShard, size));
      pool.report_progress();
    }
  });
}

}  // namespace weft::memoryx
