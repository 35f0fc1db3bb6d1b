#include "host/memoryx/sum_shards.hpp"

#include <algorithm>
#include <utility>

#include "host/memoryx/pages/pages.hpp"

namespace weft::memoryx {

SumShards::SumShards(std::size_t size) : size_(size), shards_(shard_count(size)) {
  idle_.reserve(shards_.size() + kTogether);
}

SumShards::SumShards(std::size_t size, ParameterStore* store) : SumShards(size) {
  if (store == nullptr || store->pages() == nullptr) return;
  pages_ = store->pages();
  flat_ = store->sums();
}

std::int64_t* SumShards::made(std::size_t shard) {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    const std::size_t count = std::min(kTogether, shards_.size());
    std::int64_t* const first = buffers_.emplace_back(count * kShard).data();
    for (std::size_t k = count; k-- > 0;) idle_.push_back(first + k * kShard);
  }
  most_used_ = std::max(most_used_, ++used_);
  shards_[shard] = idle_.back();
  idle_.pop_back();
  return shards_[shard];
}

std::span<std::int64_t> SumShards::shard(std::size_t shard) const {
  if (pages_ != nullptr) return flat_.subspan(shard * kShard, std::min(kShard, size_ - shard * kShard));
  if (shards_[shard] == nullptr) return {};
  return {shards_[shard], std::min(kShard, size_ - shard * kShard)};
}

void SumShards::give_back(std::size_t shard) noexcept {
  if (shards_[shard] == nullptr) return;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::exchange(shards_[shard], nullptr));  // capacity for all shards was reserved
  --used_;
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
  return most_used_ * kShard * sizeof(std::int64_t);
}

}  // namespace weft::memoryx
