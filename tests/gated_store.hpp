/// A store whose update is held at a shard until a test lets it go on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "host/memoryx/store.hpp"

namespace weft::test {

class GatedStore final : public ParameterStore {
 public:
  /// So long without being let go: a test that would hang fails instead.
  static constexpr std::chrono::seconds kPatience{20};

  explicit GatedStore(std::uint64_t parameters) : inner_(make_dram_store(parameters)) {}
  std::span<float> weights() override { return inner_->weights(); }
  std::span<float> second_moments() override { return inner_->second_moments(); }
  /// The update looks once a shard.
  std::span<float> first_moments() override {
    std::unique_lock lock(mutex_);
    if (free_ > 0)
      --free_;
    else if (!opened_.wait_for(lock, patience_, [this] { return open_; }))
      late_ = true;
    return inner_->first_moments();
  }

  /// From now on `free` shards may be updated; the next waits for open(), or for `patience`.
  void close(int free, std::chrono::milliseconds patience = kPatience) {
    const std::lock_guard lock(mutex_);
    free_ = free, open_ = false, patience_ = patience;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  /// Whether a shard went on without having been let go.
  bool late() const { return late_; }

 private:
  std::unique_ptr<ParameterStore> inner_;
  std::mutex mutex_;
  std::condition_variable opened_;
  int free_ = 0;
  bool open_ = true;
  std::chrono::milliseconds patience_ = kPatience;
  std::atomic<bool> late_ = false;
};

}  // namespace weft::test
