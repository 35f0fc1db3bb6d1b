#include "host/memoryx/updates.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "host/memoryx/flush.hpp"

namespace weft::memoryx {
namespace {

/// Tensors in the order in which the stream first reads them; those it never reads are last.
std::vector<int> stream_order(const compiler::Plan& plan) {
  std::vector<int> order;
  std::vector<bool> seen(plan.tensors.size());
  const auto visit = [&](int tensor) {
    const auto t = static_cast<std::size_t>(tensor);
    if (!seen[t]) order.push_back(tensor);
    seen[t] = true;
  };
  for (const compiler::Op& op : plan.ops) std::ranges::for_each(op.tensors, visit);
  for (std::size_t t = 0; t < plan.tensors.size(); ++t) visit(static_cast<int>(t));
  return order;
}

}  // namespace

Updates::Updates(const compiler::Plan& plan, Pool& pool, const ShardRange& own)
    : pool_(pool),
      place_(shard_count(plan.parameters)),
      order_(place_.size()),
      tensors_of_(place_.size()),
      shards_of_(plan.tensors.size()),
      remaining_(plan.tensors.size()),
      missing_(place_.size()) {
  std::size_t next = 0;
  for (const int t : stream_order(plan)) {
    const compiler::TensorInfo& tensor = plan.tensors[static_cast<std::size_t>(t)];
    if (tensor.size == 0) continue;
    const std::size_t first = std::max(tensor.offset / kShard, own.first);
    const std::size_t end = std::min((tensor.offset + tensor.size - 1) / kShard + 1, own.last);
    if (first >= end) continue;
    shards_of_[static_cast<std::size_t>(t)] = {first, end - first};
    for (std::size_t shard = first; shard < end; ++shard) {
      if (tensors_of_[shard].empty()) order_[place_[shard] = next++] = shard;
      tensors_of_[shard].push_back(t);
    }
  }
  order_.resize(next);
  free_.reserve(place_.size());
}

void Updates::begin(Work work, Work prefetch) {
  finish();
  work_ = std::move(work);
  prefetch_ = std::move(prefetch);
  for (std::size_t k = 0; k < missing_.size(); ++k) missing_[k] = tensors_of_[k].size();
  pool_.start(0, [this] { run(); });
}

void Updates::release(std::span<const int> tensors) noexcept {
  const std::lock_guard lock(mutex_);  // no thread takes a shard before the first in the stream is known
  for (const int tensor : tensors) {
    const auto t = static_cast<std::size_t>(tensor);
    const auto [first, count] = shards_of_[t];
    remaining_[t].store(static_cast<int>(count), std::memory_order_relaxed);
    for (std::size_t k = first; k < first + count; ++k) {
      if (--missing_[k] != 0) continue;
      free_.push_back(k);
      std::ranges::push_heap(free_, std::greater(), [this](std::size_t shard) { return place_[shard]; });
      pool_.add_call();
    }
  }
}

bool Updates::take(std::size_t& shard) noexcept {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return false;
  std::ranges::pop_heap(free_, std::greater(), [this](std::size_t k) { return place_[k]; });
  shard = free_.back();
  free_.pop_back();
  return true;
}

/// Announces the shards that follow in the stream, as far as they may be updated.
void Updates::prefetch_next(std::size_t shard) {
  std::array<std::size_t, kLookahead> next{};
  std::size_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = place_[shard] + 1; k < order_.size() && count < kLookahead && missing_[order_[k]] == 0; ++k)
      next[count++] = order_[k];
  }
  for (std::size_t k = 0; k < count; ++k) prefetch_(next[k]);
}

/// Called once per shard that became free; the shard is chosen here.
void Updates::run() noexcept {
  const FlushToZero flush;
  std::size_t shard = 0;
  if (!take(shard)) return;
  if (prefetch_) prefetch_next(shard);
  // After a failure the remaining shards are only counted, so that waiting threads wake and find the failure.
  if (!pool_.failure().happened()) pool_.failure().guard([&] { work_(shard); });
  for (const int tensor : tensors_of_[shard]) {
    std::atomic<int>& remaining = remaining_[static_cast<std::size_t>(tensor)];
    if (remaining.fetch_sub(1, std::memory_order_acq_rel) == 1) remaining.notify_all();
  }
}

void Updates::wait(std::span<const int> tensors) const {
  for (const int t : tensors) {
    const std::atomic<int>& remaining = remaining_[static_cast<std::size_t>(t)];
    for (int left = remaining.load(std::memory_order_acquire); left != 0;) {
      remaining.wait(left, std::memory_order_acquire);
      left = remaining.load(std::memory_order_acquire);
    }
  }
  pool_.failure().check();
}

}  // namespace weft::memoryx
