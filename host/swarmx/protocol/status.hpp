/// Snapshot of what each member of a swarm does.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// Traffic of a connection; bytes include frame headers. Counted in one thread, read in any.
struct Traffic {
  std::atomic<std::uint64_t> frames_to = 0, frames_from = 0, bytes_to = 0, bytes_from = 0;
  std::atomic<std::uint64_t> micro_batches = 0;  ///< ended (Stats) or received (Batch)

  /// Counts a sent frame with so many bytes of payload.
  void count_sent(std::size_t payload) {
    frames_to.fetch_add(1, std::memory_order_relaxed);
    bytes_to.fetch_add(kHeaderBytes + payload, std::memory_order_relaxed);
  }
  void count_received(const Header& header) {
    frames_from.fetch_add(1, std::memory_order_relaxed);
    bytes_from.fetch_add(kHeaderBytes + header.length, std::memory_order_relaxed);
    if (header.frame.type == FrameType::Stats)
      micro_batches.fetch_add(header.frame.contains, std::memory_order_relaxed);
    if (header.frame.type == FrameType::Batch && header.frame.part == 0)
      micro_batches.fetch_add(1, std::memory_order_relaxed);
  }
};

/// A member's current task.
struct Doing {
  std::uint64_t step = 0;  ///< from 1; 0: of a completed step, no longer needed
  std::uint32_t micro_batch = 0;
  bool train = true;  ///< false: an evaluation
};

/// Status of a wafer, a node, a rank of MemoryX or a data rank; of one that has rejoined after a loss, its present
/// incarnation.
struct RankStatus {
  enum class State : std::uint8_t { NotYet, Here, Late, Lost, Leaving };

  std::string name = {};  ///< "wafer 3"
  std::string host = {};  ///< the address it connected from; empty: in this process
  std::string node = {};  ///< wafers: parent node, if in another process
  State state = State::NotYet;
  std::string why = {};                              ///< for which reason it is lost, or leaves
  std::chrono::system_clock::time_point since = {};  ///< when it entered this state; being late does not count
  std::optional<Doing> doing = {};
  double waited = 0;                             ///< seconds spent on that
  double waits = 0;                              ///< wafers: seconds without a task since the first one
  std::uint64_t done = 0;                        ///< micro-batches since it joined
  std::uint64_t bytes_to = 0, bytes_from = 0;    ///< since it joined
  std::uint64_t frames_to = 0, frames_from = 0;  ///< since it joined
  std::uint32_t losses = 0;                      ///< number of times it was lost

  bool is_connected() const { return state == State::Here || state == State::Late || state == State::Leaving; }
};

struct SwarmStatus {
  std::vector<RankStatus> wafers = {};  ///< in the order of their names' numbers, which may have gaps beyond num_csx
  std::optional<RankStatus> data = {};  ///< none: it never joined
  std::vector<RankStatus> memory = {};  ///< ranks of MemoryX, if it has its own; they belong to no swarm
  std::vector<RankStatus> nodes = {};   ///< nodes in other processes, in order as the wafers

  /// Number of connected wafers, including late ones.
  std::size_t connected_wafers() const {
    return static_cast<std::size_t>(std::ranges::count_if(wafers, &RankStatus::is_connected));
  }
  /// Calls `at` for each member except the ranks of MemoryX, which outlive a swarm.
  template <class At>
  void each(const At& at) const {
    std::ranges::for_each(wafers, at);
    std::ranges::for_each(nodes, at);
    if (data) at(*data);
  }
};

}  // namespace weft::swarmx
