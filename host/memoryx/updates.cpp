#include "host/memoryx/updates.hpp"

#include <algorithm>
#include <utility>

#include "host/memoryx/flush.hpp"
#include "host/memoryx/shards.hpp"

namespace weft {
namespace {

/// Tensors as the stream first reads them; those it never reads at the end.
std::vector<int> stream_order(const Plan& plan) {
  std::vector<int> order;
  std::vector<bool> seen(plan.tensors.size());
  const auto visit = [&](int tensor) {
    const auto t = static_cast<std::size_t>(tensor);
    if (!seen[t]) order.push_back(tensor);
    seen[t] = true;
  };
  for (const Op& op : plan.ops) std::ranges::for_each(op.tensors, visit);
  for (std::size_t t = 0; t < plan.tensors.size(); ++t) visit(static_cast<int>(t));
  return order;
}

}  // namespace

Updates::Updates(const Plan& plan, Pool& pool)
    : pool_(pool),
      tensors_of_(shard_count(plan.parameters)),
      shards_of_(plan.tensors.size()),
      remaining_(plan.tensors.size()) {
  for (const int t : stream_order(plan)) {
    const TensorInfo& tensor = plan.tensors[static_cast<std::size_t>(t)];
    for (std::size_t shard = tensor.offset / kShard; shard * kShard < tensor.offset + tensor.size; ++shard) {
      if (tensors_of_[shard].empty()) shards_.push_back(shard);
      tensors_of_[shard].push_back(t);
      ++shards_of_[static_cast<std::size_t>(t)];
    }
  }
}

void Updates::start(Work work) {
  finish();
  work_ = std::move(work);
  for (std::size_t t = 0; t < remaining_.size(); ++t) remaining_[t].store(shards_of_[t], std::memory_order_relaxed);
  next_ = 0;
  pool_.start(shards_.size(), [this] { run(); });
}

void Updates::run() noexcept {
  const FlushToZero flush;
  for (std::size_t k = next_++; k < shards_.size(); k = next_++) {
    // After a failure the others are only counted, so that whoever waits wakes, and finds it.
    if (!pool_.failure().happened()) pool_.failure().guard([&] { work_(shards_[k]); });
    for (const int tensor : tensors_of_[shards_[k]]) {
      std::atomic<int>& remaining = remaining_[static_cast<std::size_t>(tensor)];
      if (remaining.fetch_sub(1, std::memory_order_acq_rel) == 1) remaining.notify_all();
    }
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

}  // namespace weft
