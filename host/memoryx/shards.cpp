#include "host/memoryx/shards.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace weft {

void for_each_shard(std::size_t size, unsigned threads, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t shards = shard_count(size);
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t k = next++; k < shards; k = next++) work(k * kShard, std::min((k + 1) * kShard, size));
  };
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, shards); ++i) helpers.emplace_back(run);
  run();
}

}  // namespace weft
