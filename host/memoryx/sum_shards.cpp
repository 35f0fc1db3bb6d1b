#include "host/memoryx/sum_shards.hpp"

#include <algorithm>
#include <utility>

#include "host/memoryx/pages/pages.hpp"

namespace weft::memoryx {

SumShards::SumShards(std::size_t size, ParameterStore* store) : SumShards(size) {
  if (store == nullptr || store->pages() == nullptr) return;
  pages_ = store->pages();
  flat_ = store->sums();
}

const SumShards::Buffer& SumShards::made(std::size_t shard) {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    shards_[shard] = std::make_unique<std::int64_t[]>(kShard);
    ++buffers_;
  } else {
    shards_[shard] = std::move(idle_.back());
    idle_.pop_back();
  }
  return shards_[shard];
}

std::span<std::int64_t> SumShards::shard(std::size_t shard) const {
  if (pages_ != nullptr) return flat_.subspan(shard * kShard, std::min(kShard, size_ - shard * kShard));
  if (!shards_[shard]) return {};
  return {shards_[shard].get(), std::min(kShard, size_ - shard * kShard)};
}

void SumShards::give_back(std::size_t shard) noexcept {
  if (!shards_[shard]) return;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(shards_[shard]));  // capacity for all shards was reserved
}

void SumShards::clear() noexcept {
  if (pages_ != nullptr) {
    const auto [first, count] = pages_->range_of(std::as_bytes(flat_));
    return pages_->forget(first, count);
  }
  for (std::size_t k = 0; k < shards_.size(); ++k) {
    std::ranges::fill(shard(k), 0);
    give_back(k);
  }
}

std::size_t SumShards::bytes() const {
  const std::lock_guard lock(mutex_);
  return buffers_ * kShard * sizeof(std::int64_t);
}

}  // namespace weft::memoryx
