/// Wafers that outlive the swarm they were in: loaded and at rest, for the next one whose plan loads them the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "sw/machine/message.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// A wafer between two micro-batches, of which nothing is under way.
struct LoadedWafer {
  std::unique_ptr<Wafer> wafer = {};          ///< null: there is none
  std::vector<Message> load = {};             ///< what it was loaded with
  std::vector<std::uint64_t> delivered = {};  ///< [row]: messages that its outlet has, since it was made
};

/// Thread-safe.
class KeptWafers {
 public:
  /// Keeps a wafer for whoever is wafer `id` next, in place of one that was kept before.
  void put(int id, LoadedWafer wafer) {
    const std::lock_guard lock(mutex_);
    std::swap(wafers_[id], wafer);
  }
  /// The one of this number, if it was loaded with just this; another one goes, so that there are never two of a
  /// number.
  LoadedWafer take(int id, const std::vector<Message>& load) {
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

}  // namespace weft
