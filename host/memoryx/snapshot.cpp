#include "host/memoryx/snapshot.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace weft::memoryx {

Snapshot::Snapshot(std::vector<std::size_t> order, std::function<void(std::size_t)> take, std::function<void()> end)
    : order_(std::move(order)),
      take_(std::move(take)),
      end_(std::move(end)),
      taken_(order_.empty() ? 0 : std::ranges::max(order_) + 1) {
  thread_ = std::jthread([this] { run(); });
}

void Snapshot::run() {
  ::pthread_setname_np(::pthread_self(), "snapshot");  // for tools that list threads
  for (const std::size_t shard : order_) before_update(shard);
  if (!failure_.happened()) failure_.guard(end_);
  ended_.store(true, std::memory_order_release);
  ended_.notify_all();
}

void Snapshot::before_update(std::size_t shard) noexcept {
  std::atomic<int>& taken = taken_[shard];
  int is = kNot;
  if (taken.compare_exchange_strong(is, kBeing, std::memory_order_acquire)) {
    if (!failure_.happened()) failure_.guard([&] { take_(shard); });  // after a failure the snapshot is of no use
    taken.store(kTaken, std::memory_order_release);
    taken.notify_all();
    return;
  }
  for (; is != kTaken; is = taken.load(std::memory_order_acquire)) taken.wait(is, std::memory_order_acquire);
}

void Snapshot::wait() const {
  finish();
  failure_.check();
}

}  // namespace weft::memoryx
