/// A store whose update stops at a shard until a test releases it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "host/memoryx/store.hpp"

namespace weft::test {

class GatedStore final : public memoryx::ParameterStore {
 public:
  /// Default limit of a wait for open(), so that a test fails instead of hanging.
  static constexpr std::chrono::seconds kPatience{20};

  explicit GatedStore(std::uint64_t parameters) : inner_(memoryx::make_dram_store(parameters)) {}
  std::span<float> weights() override { return inner_->weights(); }
  std::span<float> second_moments() override { return inner_->second_moments(); }
  /// Called by the update once per shard.
  std::span<float> first_moments() override {
    std::unique_lock lock(mutex_);
    if (free_ > 0)
      --free_;
    else if (!opened_.wait_for(lock, patience_, [this] { return open_; }))
      late_ = true;
    return inner_->first_moments();
  }

  /// Lets `free` more shards be updated; the next one waits for open(), at most `patience`.
  void close(int free, std::chrono::milliseconds patience = kPatience) {
    const std::lock_guard lock(mutex_);
    free_ = free, open_ = false, patience_ = patience;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  /// True if a shard was updated after its wait for open() timed out.
  bool late() const { return late_; }

 private:
  std::unique_ptr<memoryx::ParameterStore> inner_;
  std::mutex mutex_;
  std::condition_variable opened_;
  int free_ = 0;
  bool open_ = true;
  std::chrono::milliseconds patience_ = kPatience;
  std::atomic<bool> late_ = false;
};

}  // namespace weft::test
