/// Cache of wafers that outlive their swarm: loaded and idle, for the next swarm whose plan loads the same messages.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "sw/machine/message.hpp"
#include "verif/wafer.hpp"

namespace weft::swarmx {

/// A wafer between two micro-batches, with nothing under way.
struct LoadedWafer {
  std::unique_ptr<Wafer> wafer = {};          ///< null: none
  std::vector<machine::Message> load = {};    ///< messages that the wafer was loaded with
  std::vector<std::uint64_t> delivered = {};  ///< [row]: messages its outlet has delivered since it was made
};

/// Thread-safe.
class WaferCache {
 public:
  /// Keeps a wafer for the next user of number `id`, in place of one that was kept before.
  void store(int id, LoadedWafer wafer) {
    const std::lock_guard lock(mutex_);
    std::swap(wafers_[id], wafer);
  }
  /// Returns wafer `id` if it was loaded with exactly `load`; destroys any other, so that no two wafers have one
  /// number.
  LoadedWafer take(int id, const std::vector<machine::Message>& load) {
    LoadedWafer wafer;
    {
      const std::lock_guard lock(mutex_);
      std::swap(wafers_[id], wafer);
    }
    return wafer.load == load ? std::move(wafer) : LoadedWafer{};
  }

 private:
  std::mutex mutex_;
  std::map<int, LoadedWafer> wafers_;  // [id]
};

}  // namespace weft::swarmx
